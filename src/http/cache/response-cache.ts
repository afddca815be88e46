import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { ChangeCounter } from '../../cache/change-counter.js';
import type { RequestEvent } from '../../model/meter.js';
import { parseViaNames } from '../../headers/via.js';
import { createCachedResponseLogger, getLoggedPath } from '../log/access-log.js';
import type { AccessLog } from '../log/access-log.js';
import { getBrowserHeaders } from '../representation/browser-headers.js';
import type { ContentCoding } from '../representation/content-coding.js';
import { createRawHeaders, withHeaderValue } from '../representation/header-fields.js';
import type { RawHeaders } from '../representation/header-fields.js';
import type { RenderedBody } from './rendered-body.js';
import { checkRequestHead } from '../server/check-request-head.js';
import type { RenderCache } from './render-cache.js';
import type { ReusePolicy } from '../representation/outgoing-response.js';
import type { RequestedRepresentation } from '../representation/representation-key.js';
import {
  createBodyHeaders,
  readAcceptEncoding,
  readCachePreconditions,
  isUnmodifiedForClient,
  createNotModifiedHeaders,
} from '../representation/validators.js';
import type { HeaderFields, ValidatorInput } from '../representation/validators.js';

/** A complete, public answer that is ready to be sent again. */
export interface CachedResponse {
  readonly name: string;
  readonly body: RenderedBody;
  readonly coding: ContentCoding;
  readonly etag: string;
  readonly validatorInput: ValidatorInput;
  /** Without those of the body, and those that browsers are told with every answer. */
  readonly headers: HeaderFields;
  readonly reusePolicy: ReusePolicy;
}

/** What answers held ready depend on. */
export interface ResponseCacheDependencies {
  readonly renderCache: RenderCache;
  /** Of what is held of the sources. */
  readonly changeCounter: ChangeCounter;
  /** This gateway's name in Via. */
  readonly gatewayName: string;
  readonly accessLog: AccessLog;
  /** Which representation a request asks for; undefined where that cannot be held. */
  readonly readRepresentation: (request: IncomingMessage) => RequestedRepresentation | undefined;
  /** Whether the process is stopping: then connections are closed with their answer, which the long way does. */
  readonly isStopping: () => boolean;
}

/** An answer with the head that it was last sent with. */
interface PreparedResponse {
  readonly response: CachedResponse;
  readonly meterFacts: Readonly<Record<'whole' | 'unmodified', RequestEvent>>;
  headers: PreparedHeaders | undefined;
}

/** The heads of an answer, and from when until when they are so: a clock may be set back. */
interface PreparedHeaders {
  readonly full: RawHeaders;
  readonly notModified: RawHeaders;
  readonly validFrom: number;
  readonly validUntil: number;
  /** `ChangeCounter.moves` at that time. */
  readonly moves: number;
}

/** The answer of one representation in each coding that a request negotiated. */
interface PreparedCodings {
  readonly first: PreparedResponse;
  readonly byCoding: Map<ContentCoding, PreparedResponse>;
}

/** The answer to a request. */
interface CacheHit {
  readonly prepared: PreparedResponse;
  /** Its Link field, where it is another one than that of the request for which the answer is held. */
  readonly link?: string | undefined;
}

/** Requests that are answered with one body, by the headers that they negotiate with; more are told apart by the long way. */
const MAX_REQUESTS_PER_BODY = 16;

/** Characters of what a request is known by. */
const MAX_REQUEST_KEY_LENGTH = 4_096;

/** Bytes that a request takes which an answer is held ready for, beside its text: its headers, twice. */
const BYTES_PER_REQUEST = 4_096;

/** Bytes that a source takes in what the log tells of an answer, and in the text of that. */
const BYTES_PER_SOURCE = 256;

/**
 * Answers that are known already leave before any route sees the request: one look-up, bytes that are coded, a head that is written
 * (decisions.md, section 7). Only as long as nothing that is held of any source has changed since, and within the shortest time to live;
 * everything else goes the long way, and gets the same bytes and headers.
 */
export class ResponseCache {
  /** By the request as it was written. */
  private readonly byRequest = new Map<string, PreparedResponse>();
  private readonly byRepresentation = new Map<string, PreparedCodings>();
  private readonly requestKeys = new WeakMap<RenderedBody, Set<string>>();

  constructor(private readonly dependencies: ResponseCacheDependencies) {}

  /** Holds an answer ready for requests like this one. */
  put(request: IncomingMessage, ready: CachedResponse): void {
    if (!this.isCacheable(request)) return;
    const key = createRequestKey(request);
    if (key.length > MAX_REQUEST_KEY_LENGTH || this.dependencies.isStopping()) return;
    const { name, body: rendered, reusePolicy: holding } = ready;
    const requests = this.getRequestKeys(rendered, holding.representationKey);
    if (requests.size >= MAX_REQUESTS_PER_BODY && !requests.has(key)) return;
    requests.add(key);
    const kept = prepareResponse(ready);
    this.byRequest.set(key, kept);
    if (holding.representationKey !== undefined) this.putRepresentation(holding.representationKey, kept);
    const { sources = {} } = ready.reusePolicy.logFields;
    const beside =
      BYTES_PER_SOURCE * Object.keys(sources).length + requests.size * (BYTES_PER_REQUEST + 2 * key.length);
    if (!this.dependencies.renderCache.put(name, rendered, beside)) rendered.notifyEvicted();
  }

  /** Answers a request, where its answer is held ready. Returns whether it did. */
  trySend(request: IncomingMessage, response: ServerResponse): boolean {
    if (!this.isCacheable(request)) return false;
    const found = this.find(request);
    if (found === undefined || this.dependencies.isStopping()) return false;
    const { prepared, link } = found;
    const { response: ready, meterFacts: counted } = prepared;
    const { accessLog: access } = this.dependencies;
    const now = access.clock.now();
    const { changes, logFields: facts } = ready.reusePolicy;
    const bytes = ready.body.getEncodedIfReady(ready.coding);
    if (bytes === undefined || changes !== this.dependencies.changeCounter.changes) return false;
    const heads = this.getHeaders(prepared, bytes, now);
    if (heads === undefined) return false;
    const unmodified = isUnmodifiedForClient(readCachePreconditions(request), ready.etag, ready.validatorInput, now);
    access.meter.countRequest(unmodified ? counted.unmodified : counted.whole);
    const [status, head, body] = unmodified ? [304, heads.notModified, undefined] : [200, heads.full, bytes];
    const line = {
      sharedFields: facts,
      path: getLoggedPath(request),
      status,
      bytes: body?.length ?? 0,
      startedAt: now,
    };
    const logged = createCachedResponseLogger(access, line);
    if (logged !== undefined) response.once('close', () => logged(response.writableFinished));
    response.writeHead(status, link === undefined ? head : withHeaderValue(head, 'Link', link)).end(body);
    return true;
  }

  /** Whether an answer that is held ready may be what the request gets (decisions.md, section 7). */
  private isCacheable(request: IncomingMessage): boolean {
    const { method, headers } = request;
    if (method !== 'GET' || bypassesCache(headers) || checkRequestHead(request) !== undefined) return false;
    return headers.via === undefined || !parseViaNames(headers.via).includes(this.dependencies.gatewayName);
  }

  private find(request: IncomingMessage): CacheHit | undefined {
    const prepared = this.byRequest.get(createRequestKey(request));
    return prepared === undefined ? this.findEquivalent(request) : { prepared };
  }

  /** The answer that is held for another request with the same representation, in the coding that this one negotiates. */
  private findEquivalent(request: IncomingMessage): CacheHit | undefined {
    if (this.byRepresentation.size === 0) return undefined;
    const wanted = this.dependencies.readRepresentation(request);
    const known = wanted && this.byRepresentation.get(wanted.key);
    if (wanted === undefined || known === undefined) return undefined;
    const coding = known.first.response.body.chooseCoding(readAcceptEncoding(request));
    const prepared = known.byCoding.get(coding) ?? withContentCoding(known.first, coding);
    known.byCoding.set(coding, prepared);
    return { prepared, link: wanted.createLinkField(prepared.response.reusePolicy.total) };
  }

  private putRepresentation(representation: string, kept: PreparedResponse): void {
    const known = this.byRepresentation.get(representation);
    if (known?.first.response.body === kept.response.body) known.byCoding.set(kept.response.coding, kept);
    else this.byRepresentation.set(representation, { first: kept, byCoding: new Map([[kept.response.coding, kept]]) });
  }

  private getRequestKeys(rendered: RenderedBody, representation: string | undefined): Set<string> {
    const known = this.requestKeys.get(rendered);
    if (known !== undefined) return known;
    const requests = new Set<string>();
    this.requestKeys.set(rendered, requests);
    rendered.onEvicted(() => {
      this.requestKeys.delete(rendered);
      for (const key of requests) if (this.byRequest.get(key)?.response.body === rendered) this.byRequest.delete(key);
      if (representation === undefined) return;
      if (this.byRepresentation.get(representation)?.first.response.body === rendered)
        this.byRepresentation.delete(representation);
    });
    return requests;
  }

  private getHeaders(prepared: PreparedResponse, bytes: Uint8Array, now: number): PreparedHeaders | undefined {
    const { headers: known, response: ready } = prepared;
    const { renewals: moves } = this.dependencies.changeCounter;
    if (known?.moves === moves && now >= known.validFrom && now < known.validUntil) return known;
    const { headers, coding, etag, reusePolicy: holding, name } = ready;
    // An answer that is in use is the last one to give way, but for those that are in use later.
    this.dependencies.renderCache.touch(name);
    const timed = holding.getTimedHeaders(now);
    if (timed === undefined) return undefined;
    const current = Object.assign({}, headers, timed.headers);
    const told = getBrowserHeaders('GET');
    prepared.headers = {
      full: createRawHeaders([told, current, createBodyHeaders({ etag, coding, length: bytes.length })], now),
      notModified: createRawHeaders([told, createNotModifiedHeaders(current, etag)], now),
      validFrom: now,
      validUntil: Math.min(timed.validUntil, startOfNextSecond(now)),
      moves,
    };
    return prepared.headers;
  }
}

/** The same answer in another coding, whose bytes may have to be made yet. */
function withContentCoding(
  { response: ready, meterFacts: counted }: PreparedResponse,
  coding: ContentCoding,
): PreparedResponse {
  const { body: rendered, headers, validatorInput: validity } = ready;
  const etag = rendered.createEntityTag(coding, headers, validity.sourceStates);
  return { response: { ...ready, coding, etag }, meterFacts: counted, headers: undefined };
}

function prepareResponse(ready: CachedResponse): PreparedResponse {
  const { resource, format, cache } = ready.reusePolicy.logFields;
  const whole = {
    status: 200,
    ...(resource && { resource }),
    ...(cache && { cache }),
    ...(format !== undefined && { format }),
  };
  return { response: ready, meterFacts: { whole, unmodified: { ...whole, status: 304 } }, headers: undefined };
}

/**
 * Whether a header is there with which a request is always answered the long way: by section 7 of decisions.md, and preconditions that it may
 * refuse by. Each stands here by its name, for to look them up by names in a list takes V8 ten times as long.
 */
function bypassesCache(headers: IncomingHttpHeaders): boolean {
  return (
    headers.authorization !== undefined ||
    headers['prefer'] !== undefined ||
    headers.range !== undefined ||
    headers.expect !== undefined ||
    headers['cache-control'] !== undefined ||
    headers['if-match'] !== undefined ||
    headers['if-unmodified-since'] !== undefined ||
    headers['if-range'] !== undefined
  );
}

/** What tells the answers of plain requests apart: line feeds are in no header. */
function createRequestKey({ url, headers }: IncomingMessage): string {
  return `${url ?? ''}\n${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}`;
}

/** Until when a Date says the same (RFC 9110, section 5.6.7). */
function startOfNextSecond(now: number): number {
  return (Math.floor(now / 1_000) + 1) * 1_000;
}
