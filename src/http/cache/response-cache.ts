import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { ChangeCounter } from '../../cache/change-counter.js';
import type { RequestEvent } from '../../model/meter.js';
import { parseViaNames } from '../../headers/via.js';
import { createCachedResponseLogger, getLoggedPath } from '../log/access-log.js';
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

/** A complete, public response that can be sent again. */
export interface CachedResponse {
  readonly name: string;
  readonly body: RenderedBody;
  readonly coding: ContentCoding;
  readonly etag: string;
  readonly validatorInput: ValidatorInput;
  /** Header fields without those of the body and those of every response (`getBrowserHeaders`). */
  readonly headers: HeaderFields;
  readonly reusePolicy: ReusePolicy;
}

/** Dependencies of {@link ResponseCache}. */
export interface ResponseCacheDependencies {
  readonly renderCache: RenderCache;
  /** Counts the changes of all snapshots. */
  readonly changeCounter: ChangeCounter;
  /** Name of this gateway in `Via` (decisions 5.22). */
  readonly gatewayName: string;
  readonly accessLog: AccessLog;
  /** The representation that a request selects; undefined for a request that is found by its spelling only. */
  readonly readRepresentation: (request: IncomingMessage) => RequestedRepresentation | undefined;
  /** Whether the process is stopping. The Express application then responds, and closes each connection. */
  readonly isStopping: () => boolean;
}

/** A cached response with the header fields with which it was last sent. */
interface PreparedResponse {
  readonly response: CachedResponse;
  readonly meterEvents: Readonly<Record<'full' | 'notModified', RequestEvent>>;
  headers: PreparedHeaders | undefined;
}

/**
 * Header fields of a response and of its 304. They are valid from `validFrom` on, because the clock may be set back,
 * until `validUntil` (exclusive). Times in milliseconds since 1970.
 */
interface PreparedHeaders {
  readonly full: RawHeaders;
  readonly notModified: RawHeaders;
  readonly validFrom: number;
  readonly validUntil: number;
  /** `ChangeCounter.renewals` when the header fields were created. */
  readonly renewals: number;
}

/** The responses of one representation, by the content codings that requests negotiated. */
interface PreparedCodings {
  readonly first: PreparedResponse;
  readonly byCoding: Map<ContentCoding, PreparedResponse>;
}

/** The cached response for a request. */
interface CacheHit {
  readonly prepared: PreparedResponse;
  /** The Link field of this request, where the response was cached for another one. */
  readonly link?: string | undefined;
}

/**
 * Maximum number of request keys of one body (decision record 0013). Other requests go through the Express application.
 */
const MAX_REQUESTS_PER_BODY = 16;

/** Maximum length of a request key, in characters. */
const MAX_REQUEST_KEY_LENGTH = 4_096;

/** Memory that a request key takes besides its text, in bytes: the header fields of the response and of its 304. */
const BYTES_PER_REQUEST = 4_096;

/** Memory that one source takes in the log fields of a response and in their text, in bytes. */
const BYTES_PER_SOURCE = 256;

/**
 * Cache of complete responses. A cached response is sent before a route sees the request. It is valid
 * while no snapshot of any source has changed, within the shortest time to live of its snapshots, and past it while
 * they are being refreshed (decisions 7.2). Every other request goes through the Express application, which produces
 * the same bytes and header fields.
 */
export class ResponseCache {
  /** By the spelling of the request (`createRequestKey`). */
  private readonly byRequest = new Map<string, PreparedResponse>();
  private readonly byRepresentation = new Map<string, PreparedCodings>();
  private readonly requestKeys = new WeakMap<RenderedBody, Set<string>>();

  constructor(private readonly dependencies: ResponseCacheDependencies) {}

  /** Caches a response for requests like this one. */
  put(request: IncomingMessage, cached: CachedResponse): void {
    if (!this.isCacheable(request)) return;
    const key = createRequestKey(request);
    if (key.length > MAX_REQUEST_KEY_LENGTH || this.dependencies.isStopping()) return;
    const { name, body: rendered, reusePolicy } = cached;
    const requests = this.getRequestKeys(rendered, reusePolicy.representationKey);
    if (requests.size >= MAX_REQUESTS_PER_BODY && !requests.has(key)) return;
    requests.add(key);
    const prepared = prepareResponse(cached);
    this.byRequest.set(key, prepared);
    if (reusePolicy.representationKey !== undefined) this.putRepresentation(reusePolicy.representationKey, prepared);
    const { sources = {} } = cached.reusePolicy.logFields;
    const otherBytes =
      BYTES_PER_SOURCE * Object.keys(sources).length + requests.size * (BYTES_PER_REQUEST + 2 * key.length);
    if (!this.dependencies.renderCache.put(name, rendered, otherBytes)) rendered.notifyEvicted();
  }

  /** Sends the cached response to a request. Returns false, and sends nothing, where there is none. */
  trySend(request: IncomingMessage, response: ServerResponse): boolean {
    if (!this.isCacheable(request)) return false;
    const hit = this.find(request);
    if (hit === undefined || this.dependencies.isStopping()) return false;
    const { prepared, link } = hit;
    const { response: cached, meterEvents } = prepared;
    const { accessLog } = this.dependencies;
    const now = accessLog.clock.now();
    const { changes, logFields, route } = cached.reusePolicy;
    const bytes = cached.body.getEncodedIfReady(cached.coding);
    const { changeCounter } = this.dependencies;
    if (bytes === undefined || changes !== changeCounter.changes) return false;
    if (cached.validatorInput.lastModified !== undefined && !changeCounter.areDatesValid()) return false;
    const headers = this.getHeaders(prepared, bytes, now);
    if (headers === undefined) return false;
    const unmodified = isUnmodifiedForClient(readCachePreconditions(request), cached.etag, cached.validatorInput, now);
    accessLog.meter.countRequest(unmodified ? meterEvents.notModified : meterEvents.full);
    const [status, head, body] = unmodified ? [304, headers.notModified, undefined] : [200, headers.full, bytes];
    const requestId = createRequestId(request);
    const { tracer } = accessLog;
    const span = tracer && startRequestSpan(request, response, { tracer, route, fields: logFields });
    const logLine = {
      sharedFields: logFields,
      requestId,
      traceId: span?.traceId,
      path: getLoggedPath(request),
      status,
      bytes: body?.length ?? 0,
      startedAt: now,
    };
    const writeLogLine = createCachedResponseLogger(accessLog, logLine);
    if (writeLogLine !== undefined) response.once('close', () => writeLogLine(response.writableFinished));
    const linked = link === undefined ? head : withHeaderValue(head, 'Link', link);
    response.writeHead(status, [...linked, REQUEST_ID_FIELD, requestId]).end(body);
    return true;
  }

  /** Whether a cached response may be the response to the request. */
  private isCacheable(request: IncomingMessage): boolean {
    const { method, headers } = request;
    if (method !== 'GET' || bypassesCache(headers) || checkRequestHead(request) !== undefined) return false;
    return headers.via === undefined || !parseViaNames(headers.via).includes(this.dependencies.gatewayName);
  }

  private find(request: IncomingMessage): CacheHit | undefined {
    const prepared = this.byRequest.get(createRequestKey(request));
    return prepared === undefined ? this.findEquivalent(request) : { prepared };
  }

  /**
   * Finds a response that was cached for another request for the same representation, in the content coding that this
   * request negotiates.
   */
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

/** The same response in another content coding, in which the body may not be encoded yet. */
function withContentCoding(
  { response: cached, meterEvents }: PreparedResponse,
  coding: ContentCoding,
): PreparedResponse {
  const { body: rendered, headers, validatorInput } = cached;
  const etag = rendered.createEntityTag(coding, headers, validatorInput.sourceStates);
  return { response: { ...cached, coding, etag }, meterEvents, headers: undefined };
}

function prepareResponse(cached: CachedResponse): PreparedResponse {
  const { resource, format, cache } = cached.reusePolicy.logFields;
  const full = {
    status: 200,
    ...(resource && { resource }),
    ...(cache && { cache }),
    ...(format !== undefined && { format }),
  };
  return { response: cached, meterEvents: { full, notModified: { ...full, status: 304 } }, headers: undefined };
}

/**
 * Whether the request has a header field with which it bypasses the cache, such as a precondition that
 * may fail. Each field is read as a named property, because a look-up by names from a list takes V8 ten times as long.
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

/** Key of a request by its target and negotiation fields. No field contains a line feed. */
function createRequestKey({ url, headers }: IncomingMessage): string {
  return `${url ?? ''}\n${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}`;
}

/** Time until which Date has the same value (RFC 9110, section 5.6.7). */
function startOfNextSecond(now: number): number {
  return (Math.floor(now / 1_000) + 1) * 1_000;
}
