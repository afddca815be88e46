import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { ChangeCounter } from '../../cache/change-counter.js';
import { parseViaNames } from '../../headers/via.js';
import { getLoggedPath, reportCachedResponse } from '../log/access-log.js';
import type { AccessLog } from '../log/access-log.js';
import { REQUEST_ID_FIELD, createRequestId } from '../log/request-id.js';
import { startRequestSpan } from '../log/request-span.js';
import { getBrowserHeaders } from '../representation/browser-headers.js';
import type { ContentCoding } from '../representation/content-coding.js';
import { createRawHeaders, withHeaderValue } from '../representation/raw-header-list.js';
import type { RawHeaders } from '../representation/raw-header-list.js';
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

interface CachedResponse {
  readonly name: string;
  readonly body: RenderedBody;
  readonly coding: ContentCoding;
  readonly etag: string;
  readonly validatorInput: ValidatorInput;
  /** Without the fields of the body and of every response (`getBrowserHeaders`). */
  readonly headers: HeaderFields;
  readonly reusePolicy: ReusePolicy;
}

interface ResponseCacheDependencies {
  readonly renderCache: RenderCache;
  readonly changeCounter: ChangeCounter;
  /** In `Via` (decisions 5.22). */
  readonly gatewayName: string;
  readonly accessLog: AccessLog;
  /** Undefined for a request that is found by its spelling only. */
  readonly readRepresentation: (request: IncomingMessage) => RequestedRepresentation | undefined;
  /** The Express application then responds, and closes each connection. */
  readonly isStopping: () => boolean;
}

/** With the header fields with which it was last sent. */
interface PreparedResponse {
  readonly response: CachedResponse;
  headers: PreparedHeaders | undefined;
}

/** Valid from `validFrom`, because the clock may be set back, until `validUntil` (exclusive; ms since 1970). */
interface PreparedHeaders {
  readonly full: RawHeaders;
  readonly notModified: RawHeaders;
  readonly validFrom: number;
  readonly validUntil: number;
  /** `ChangeCounter.renewals` at that time. */
  readonly renewals: number;
}

/** One representation, by the content codings that requests negotiated. */
interface PreparedCodings {
  readonly first: PreparedResponse;
  readonly byCoding: Map<ContentCoding, PreparedResponse>;
}

interface CacheHit {
  readonly prepared: PreparedResponse;
  /** Link field, where the response was cached for another request. */
  readonly link?: string | undefined;
}

/** Of one body (decision record 0013). Other requests go through the Express application. */
const MAX_REQUESTS_PER_BODY = 16;

/** In characters. */
const MAX_REQUEST_KEY_LENGTH = 4_096;

/** Besides the text of the key, in bytes: the header fields of the response and of its 304. */
const BYTES_PER_REQUEST = 4_096;

/** In the log fields of a response and in their text, in bytes. */
const BYTES_PER_SOURCE = 256;

/**
 * Complete responses, sent before a route sees the request. They are valid while no snapshot of any source has changed,
 * within the shortest time to live of their snapshots, and past it while these are being refreshed (decisions 7.2).
 * Every other request goes through the Express application, which produces the same bytes and header fields.
 */
export class ResponseCache {
  private readonly byRequest = new Map<string, PreparedResponse>();
  private readonly byRepresentation = new Map<string, PreparedCodings>();
  private readonly requestKeys = new WeakMap<RenderedBody, Set<string>>();

  constructor(private readonly dependencies: ResponseCacheDependencies) {}

  put(request: IncomingMessage, cached: CachedResponse): void {
    if (!this.isCacheable(request)) return;
    const key = createRequestKey(request);
    if (key.length > MAX_REQUEST_KEY_LENGTH || this.dependencies.isStopping()) return;
    const { name, body: rendered, reusePolicy } = cached;
    const requests = this.getRequestKeys(rendered, reusePolicy.representationKey);
    if (requests.size >= MAX_REQUESTS_PER_BODY && !requests.has(key)) return;
    requests.add(key);
    const prepared: PreparedResponse = { response: cached, headers: undefined };
    this.byRequest.set(key, prepared);
    if (reusePolicy.representationKey !== undefined) this.putRepresentation(reusePolicy.representationKey, prepared);
    const { sources = {} } = cached.reusePolicy.logFields;
    const otherBytes =
      BYTES_PER_SOURCE * Object.keys(sources).length + requests.size * (BYTES_PER_REQUEST + 2 * key.length);
    if (!this.dependencies.renderCache.put(name, rendered, otherBytes)) rendered.notifyEvicted();
  }

  /** Returns false, and sends nothing, where there is no cached response. */
  trySend(request: IncomingMessage, response: ServerResponse): boolean {
    if (!this.isCacheable(request)) return false;
    const hit = this.find(request);
    if (hit === undefined || this.dependencies.isStopping()) return false;
    const { prepared, link } = hit;
    const { response: cached } = prepared;
    const { accessLog } = this.dependencies;
    const now = accessLog.clock.now();
    const { changes, logFields, route } = cached.reusePolicy;
    const bytes = cached.body.getEncodedIfReady(cached.coding);
    const { changeCounter } = this.dependencies;
    if (bytes === undefined || changes !== changeCounter.changes) return false;
    const headers = this.getHeaders(prepared, bytes, now);
    if (headers === undefined) return false;
    const unmodified = isUnmodifiedForClient(readCachePreconditions(request), cached.etag, cached.validatorInput, now);
    const [status, head, body] = unmodified ? [304, headers.notModified, undefined] : [200, headers.full, bytes];
    const requestId = createRequestId(request);
    const { tracer } = accessLog;
    const span = tracer && startRequestSpan(request, tracer, route);
    reportCachedResponse(response, accessLog, {
      sharedFields: logFields,
      requestId,
      path: getLoggedPath(request),
      status,
      bytes: body?.length ?? 0,
      startedAt: now,
      span,
    });
    const linked = link === undefined ? head : withHeaderValue(head, 'Link', link);
    response.writeHead(status, [...linked, REQUEST_ID_FIELD, requestId]).end(body);
    return true;
  }

  /** A cached response may be the response to the request. */
  private isCacheable(request: IncomingMessage): boolean {
    const { method, headers } = request;
    if (method !== 'GET' || bypassesCache(headers) || checkRequestHead(request) !== undefined) return false;
    return headers.via === undefined || !parseViaNames(headers.via).includes(this.dependencies.gatewayName);
  }

  private find(request: IncomingMessage): CacheHit | undefined {
    const prepared = this.byRequest.get(createRequestKey(request));
    return prepared === undefined ? this.findEquivalent(request) : { prepared };
  }

  /** Cached for another request for the same representation, in the content coding that this request negotiates. */
  private findEquivalent(request: IncomingMessage): CacheHit | undefined {
    if (this.byRepresentation.size === 0) return undefined;
    const representation = this.dependencies.readRepresentation(request);
    const known = representation && this.byRepresentation.get(representation.key);
    if (representation === undefined || known === undefined) return undefined;
    const coding = known.first.response.body.chooseCoding(readAcceptEncoding(request));
    const prepared = known.byCoding.get(coding) ?? withContentCoding(known.first, coding);
    known.byCoding.set(coding, prepared);
    return { prepared, link: representation.createLinkField(prepared.response.reusePolicy.total) };
  }

  private putRepresentation(representation: string, prepared: PreparedResponse): void {
    const known = this.byRepresentation.get(representation);
    if (known?.first.response.body === prepared.response.body) known.byCoding.set(prepared.response.coding, prepared);
    else
      this.byRepresentation.set(representation, {
        first: prepared,
        byCoding: new Map([[prepared.response.coding, prepared]]),
      });
  }

  private getRequestKeys(rendered: RenderedBody, representation: string | undefined): Set<string> {
    const existing = this.requestKeys.get(rendered);
    if (existing !== undefined) return existing;
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
    const { headers: lastHeaders, response: cached } = prepared;
    const { renewals } = this.dependencies.changeCounter;
    if (lastHeaders?.renewals === renewals && now >= lastHeaders.validFrom && now < lastHeaders.validUntil)
      return lastHeaders;
    const { headers, coding, etag, reusePolicy, name } = cached;
    // The header fields of a response in use are renewed at least once a second. This keeps it from being evicted
    // before responses that are not in use.
    this.dependencies.renderCache.touch(name);
    const timed = reusePolicy.getTimedHeaders(now);
    if (timed === undefined) return undefined;
    const allHeaders = Object.assign({}, headers, timed.headers);
    const browserHeaders = getBrowserHeaders('GET');
    prepared.headers = {
      full: createRawHeaders(
        [browserHeaders, allHeaders, createBodyHeaders({ etag, coding, length: bytes.length })],
        now,
      ),
      notModified: createRawHeaders([browserHeaders, createNotModifiedHeaders(allHeaders, etag)], now),
      validFrom: now,
      validUntil: Math.min(timed.validUntil, startOfNextSecond(now)),
      renewals,
    };
    return prepared.headers;
  }
}

/** In another content coding, in which the body may not be encoded yet. */
function withContentCoding({ response: cached }: PreparedResponse, coding: ContentCoding): PreparedResponse {
  const { body: rendered, headers, validatorInput } = cached;
  const etag = rendered.createEntityTag(coding, headers, validatorInput.sourceStates);
  return { response: { ...cached, coding, etag }, headers: undefined };
}

/**
 * A field such as a precondition that may fail bypasses the cache. Each field is read as a named property, because a
 * look-up by names from a list takes V8 ten times as long.
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

/** Target and negotiation fields. No field contains a line feed. */
function createRequestKey({ url, headers }: IncomingMessage): string {
  return `${url ?? ''}\n${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}`;
}

/** Date has the same value until then (RFC 9110, section 5.6.7). */
function startOfNextSecond(now: number): number {
  return (Math.floor(now / 1_000) + 1) * 1_000;
}
