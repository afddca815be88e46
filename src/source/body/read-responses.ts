import type { Clock } from '../../model/clock.js';
import type { DraftRecord } from '../../model/record.js';
import { runWithinTurn } from '../../event-loop/time-slicing.js';
import { unpackRecords } from '../../records/packed-records.js';
import type { BodyParser } from './body-parser.js';
import { readPageHeaders, dropFutureDate } from '../dialect/envelope.js';
import { SourceFailure } from '../client/source-failure.js';
import type { DecodedResponse, Fetch, NotModifiedResponse } from '../client/fetch.js';
import type { PageResponse, SourceFetch, SourceResponse } from './source-fetch.js';
import { FindingCounter } from '../record/findings.js';
import type { SourcePage } from './page.js';
import { MAX_INLINE_BODY, readBody } from './read-body.js';
import type { PackedPage, ExpectedBody } from './read-body.js';

/** What reads bodies. */
export interface ResponseReaderOptions {
  /** The time at which a body is read. */
  readonly clock: Clock;
  /** Parses large bodies in a worker thread; absent: they are parsed on this one, as small ones are. */
  readonly bodyParser?: BodyParser | undefined;
}

/** Reads every body as its request asks: one of at most `MAX_INLINE_BODY` here and at once, a larger one in the worker thread. */
export function withBodyReading(
  next: Fetch<DecodedResponse | NotModifiedResponse>,
  parts: ResponseReaderOptions,
): SourceFetch {
  return (request, signal) =>
    next(request, signal).then((reply): SourceResponse | Promise<SourceResponse> =>
      'notModified' in reply ? reply : readResponse(reply, request.expected, parts),
    );
}

function readResponse(
  reply: DecodedResponse,
  as: ExpectedBody,
  { clock, bodyParser: bodies }: ResponseReaderOptions,
): Promise<PageResponse> {
  const { body } = reply;
  const readAt = clock.now();
  const replied = { header: (name: string) => reply.header(name), bytes: body.length, readAt };
  if (bodies !== undefined && body.length > MAX_INLINE_BODY)
    return toPageResponse(replied, bodies.parse(body, as, readAt));
  return toPageResponse(
    replied,
    runWithinTurn(() => unpackPage(readBody(body, as, readAt))),
  );
}

/** The page with its records, which stay on their sheets. */
export function unpackPage({ sheets, ...facts }: PackedPage): SourcePage<DraftRecord> {
  return { ...facts, records: unpackRecords(sheets) };
}

/** The page of a reply, with what its headers tell and its body does not. Throws where it is none. */
export function requirePage(reply: PageResponse): SourcePage<DraftRecord> {
  if (reply.pageOrFailure instanceof SourceFailure) throw reply.pageOrFailure;
  const counter = new FindingCounter();
  const facts = dropFutureDate(readPageHeaders(reply), reply.readAt, counter);
  const page = { ...facts, ...reply.pageOrFailure };
  if (counter.findings.size === 0) return page;
  counter.addAll(page.findings);
  return { ...page, findings: counter.findings };
}

/** The reply that a body makes. Rejects where that could not be read as JSON. */
export async function toPageResponse(
  reply: Pick<PageResponse, 'header' | 'bytes' | 'readAt'>,
  reading: Promise<SourcePage<DraftRecord>>,
): Promise<PageResponse> {
  try {
    return { ...reply, pageOrFailure: await reading };
  } catch (error) {
    // It is for who asked to say so: a source that answers with something else is no source that does not answer.
    if (error instanceof SourceFailure && error.reason === 'schema') return { ...reply, pageOrFailure: error };
    throw error;
  }
}
