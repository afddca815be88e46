import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Pulse } from '../hold/pulse.js';
import type { Answered } from '../model/meter.js';
import { readVia } from '../wire/via.js';
import { lineOfAnswered, pathOf } from './access-log.js';
import type { AccessLog } from './access-log.js';
import { browserHeaders } from './browsers.js';
import type { Coding } from './encode.js';
import { headOf, withField } from './head.js';
import type { Head } from './head.js';
import type { Rendered } from './rendered.js';
import { headProblem } from './request-head.js';
import type { Renderings } from './renderings.js';
import type { Holding } from './reply.js';
import type { RequestedRepresentation } from './representation.js';
import { bodyHeaders, codingsOf, conditionsOf, hasIt, unmodifiedHeaders } from './validators.js';
import type { Headers, Validity } from './validators.js';

/** A complete, public answer that is ready to be sent again. */
export interface Ready {
  readonly name: string;
  readonly rendered: Rendered;
  readonly coding: Coding;
  readonly etag: string;
  readonly validity: Validity;
  /** Without those of the body, and those that browsers are told with every answer. */
  readonly headers: Headers;
  readonly holding: Holding;
}

/** What answers held ready depend on. */
export interface ReadyParts {
  readonly renderings: Renderings;
  /** Of what is held of the sources. */
  readonly pulse: Pulse;
  /** This gateway's name in Via. */
  readonly name: string;
  readonly access: AccessLog;
  /** Which representation a request asks for; undefined where that cannot be held. */
  readonly read: (request: IncomingMessage) => RequestedRepresentation | undefined;
  /** Whether the process is stopping: then connections are closed with their answer, which the long way does. */
  readonly stopping: () => boolean;
}

/** An answer with the head that it was last sent with. */
interface Prepared {
  readonly ready: Ready;
  readonly counted: Readonly<Record<'whole' | 'unmodified', Answered>>;
  heads: Heads | undefined;
}

/** The heads of an answer, and from when until when they are so: a clock may be set back. */
interface Heads {
  readonly whole: Head;
  readonly unmodified: Head;
  readonly from: number;
  readonly until: number;
  /** `Pulse.moves` at that time. */
  readonly moves: number;
}

/** The answer of one representation in each coding that a request negotiated. */
interface Codings {
  readonly first: Prepared;
  readonly byCoding: Map<Coding, Prepared>;
}

/** The answer to a request. */
interface Found {
  readonly prepared: Prepared;
  /** Its Link field, where it is another one than that of the request for which the answer is held. */
  readonly link?: string | undefined;
}

/** Requests that are answered with one body, by the headers that they negotiate with; more are told apart by the long way. */
const MOST_REQUESTS = 16;

/** Characters of what a request is known by. */
const LONGEST_REQUEST = 4_096;

/** Bytes that a request takes which an answer is held ready for, beside its text: its headers, twice. */
const PER_REQUEST = 4_096;

/** Bytes that a source takes in what the log tells of an answer, and in the text of that. */
const PER_SOURCE = 256;

/**
 * Answers that are known already leave before any route sees the request: one look-up, bytes that are coded, a head that is written
 * (decisions.md, section 7). Only as long as nothing that is held of any source has changed since, and within the shortest time to live;
 * everything else goes the long way, and gets the same bytes and headers.
 */
export class ReadyAnswers {
  /** By the request as it was written. */
  private readonly byRequest = new Map<string, Prepared>();
  private readonly byRepresentation = new Map<string, Codings>();
  private readonly requests = new WeakMap<Rendered, Set<string>>();

  constructor(private readonly parts: ReadyParts) {}

  /** Holds an answer ready for requests like this one. */
  keep(request: IncomingMessage, ready: Ready): void {
    if (!this.mayBeHeld(request)) return;
    const key = keyOf(request);
    if (key.length > LONGEST_REQUEST || this.parts.stopping()) return;
    const { name, rendered, holding } = ready;
    const requests = this.requestsOf(rendered, holding.representation);
    if (requests.size >= MOST_REQUESTS && !requests.has(key)) return;
    requests.add(key);
    const kept = prepared(ready);
    this.byRequest.set(key, kept);
    if (holding.representation !== undefined) this.holdRepresentation(holding.representation, kept);
    const { sources = {} } = ready.holding.facts;
    const beside = PER_SOURCE * Object.keys(sources).length + requests.size * (PER_REQUEST + 2 * key.length);
    if (!this.parts.renderings.hold(name, rendered, beside)) rendered.gone();
  }

  /** Answers a request, where its answer is held ready. Returns whether it did. */
  send(request: IncomingMessage, response: ServerResponse): boolean {
    if (!this.mayBeHeld(request)) return false;
    const found = this.answerTo(request);
    if (found === undefined || this.parts.stopping()) return false;
    const { prepared, link } = found;
    const { ready, counted } = prepared;
    const { access } = this.parts;
    const now = access.clock.now();
    const { changes, facts } = ready.holding;
    const bytes = ready.rendered.atHand(ready.coding);
    if (bytes === undefined || changes !== this.parts.pulse.changes) return false;
    const heads = this.headsOf(prepared, bytes, now);
    if (heads === undefined) return false;
    const unmodified = hasIt(conditionsOf(request), ready.etag, ready.validity, now);
    access.meter.answered(unmodified ? counted.unmodified : counted.whole);
    const [status, head, body] = unmodified ? [304, heads.unmodified, undefined] : [200, heads.whole, bytes];
    const line = { shared: facts, path: pathOf(request), status, bytes: body?.length ?? 0, started: now };
    const logged = lineOfAnswered(access, line);
    if (logged !== undefined) response.once('close', () => logged(response.writableFinished));
    response.writeHead(status, link === undefined ? head : withField(head, 'Link', link)).end(body);
    return true;
  }

  /** Whether an answer that is held ready may be what the request gets (decisions.md, section 7). */
  private mayBeHeld(request: IncomingMessage): boolean {
    const { method, headers } = request;
    if (method !== 'GET' || goesTheLongWay(headers) || headProblem(request) !== undefined) return false;
    return headers.via === undefined || !readVia(headers.via).includes(this.parts.name);
  }

  private answerTo(request: IncomingMessage): Found | undefined {
    const prepared = this.byRequest.get(keyOf(request));
    return prepared === undefined ? this.equalTo(request) : { prepared };
  }

  /** The answer that is held for another request with the same representation, in the coding that this one negotiates. */
  private equalTo(request: IncomingMessage): Found | undefined {
    if (this.byRepresentation.size === 0) return undefined;
    const wanted = this.parts.read(request);
    const known = wanted && this.byRepresentation.get(wanted.key);
    if (wanted === undefined || known === undefined) return undefined;
    const coding = known.first.ready.rendered.coding(codingsOf(request));
    const prepared = known.byCoding.get(coding) ?? inCoding(known.first, coding);
    known.byCoding.set(coding, prepared);
    return { prepared, link: wanted.link(prepared.ready.holding.total) };
  }

  private holdRepresentation(representation: string, kept: Prepared): void {
    const known = this.byRepresentation.get(representation);
    if (known?.first.ready.rendered === kept.ready.rendered) known.byCoding.set(kept.ready.coding, kept);
    else this.byRepresentation.set(representation, { first: kept, byCoding: new Map([[kept.ready.coding, kept]]) });
  }

  private requestsOf(rendered: Rendered, representation: string | undefined): Set<string> {
    const known = this.requests.get(rendered);
    if (known !== undefined) return known;
    const requests = new Set<string>();
    this.requests.set(rendered, requests);
    rendered.onGone(() => {
      this.requests.delete(rendered);
      for (const key of requests) if (this.byRequest.get(key)?.ready.rendered === rendered) this.byRequest.delete(key);
      if (representation === undefined) return;
      if (this.byRepresentation.get(representation)?.first.ready.rendered === rendered)
        this.byRepresentation.delete(representation);
    });
    return requests;
  }

  private headsOf(prepared: Prepared, bytes: Uint8Array, now: number): Heads | undefined {
    const { heads: known, ready } = prepared;
    const { moves } = this.parts.pulse;
    if (known?.moves === moves && now >= known.from && now < known.until) return known;
    const { headers, coding, etag, holding, name } = ready;
    // An answer that is in use is the last one to give way, but for those that are in use later.
    this.parts.renderings.touch(name);
    const timed = holding.timed(now);
    if (timed === undefined) return undefined;
    const current = Object.assign({}, headers, timed.headers);
    const told = browserHeaders('GET');
    prepared.heads = {
      whole: headOf([told, current, bodyHeaders({ etag, coding, length: bytes.length })], now),
      unmodified: headOf([told, unmodifiedHeaders(current, etag)], now),
      from: now,
      until: Math.min(timed.until, nextSecond(now)),
      moves,
    };
    return prepared.heads;
  }
}

/** The same answer in another coding, whose bytes may have to be made yet. */
function inCoding({ ready, counted }: Prepared, coding: Coding): Prepared {
  const { rendered, headers, validity } = ready;
  const etag = rendered.tag(coding, headers, validity.states);
  return { ready: { ...ready, coding, etag }, counted, heads: undefined };
}

function prepared(ready: Ready): Prepared {
  const { resource, format, cache } = ready.holding.facts;
  const whole = {
    status: 200,
    ...(resource && { resource }),
    ...(cache && { cache }),
    ...(format !== undefined && { format }),
  };
  return { ready, counted: { whole, unmodified: { ...whole, status: 304 } }, heads: undefined };
}

/**
 * Whether a header is there with which a request is always answered the long way: by section 7 of decisions.md, and preconditions that it may
 * refuse by. Each stands here by its name, for to look them up by names in a list takes V8 ten times as long.
 */
function goesTheLongWay(headers: IncomingHttpHeaders): boolean {
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
function keyOf({ url, headers }: IncomingMessage): string {
  return `${url ?? ''}\n${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}`;
}

/** Until when a Date says the same (RFC 9110, section 5.6.7). */
function nextSecond(now: number): number {
  return (Math.floor(now / 1_000) + 1) * 1_000;
}
