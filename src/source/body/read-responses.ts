import type { Clock } from '../../model/clock.js';
import type { DraftRecord } from '../../model/record.js';
import { runWithinTurn } from '../../event-loop/time-slicing.js';
import { unpackRecords } from '../../records/packed-records.js';
import type { BodyParser } from './body-parser.js';
import { readPageHeaders, dropFutureDate } from '../dialect/envelope.js';
import { SourceFailure } from '../client/source-failure.js';
import type { DecodedResponse, Fetch, NotModifiedResponse } from '../client/http-client-types.js';
import type { PageResponse, SourceFetch, SourceRequest, SourceResponse } from './source-fetch-types.js';
import { FindingCounter } from '../record/findings.js';
import type { SourcePage } from './page.js';
import { maxInlinePageBytes } from '../dialect/page-parser.js';
import { parsePageBody } from './parse-page-body.js';
import type { ExpectedBody, PackedPage, ReceivedBody } from './parse-page-body.js';

interface ResponseReaderOptions {
  /** For the time of reading. */
  readonly clock: Clock;
  /** In a worker thread. Absent: on the main thread. */
  readonly bodyParser?: BodyParser | undefined;
}

/**
 * Reads bodies of at most `maxInlinePageBytes` on the main thread in one piece, larger ones in a worker thread
 * (decisions 8.6). Passes a 304 on.
 */
export function withBodyReading(
  next: Fetch<DecodedResponse | NotModifiedResponse>,
  options: ResponseReaderOptions,
): SourceFetch {
  return (request, signal) =>
    next(request, signal).then((reply): SourceResponse | Promise<SourceResponse> =>
      'notModified' in reply ? reply : readResponse(reply, request, options),
    );
}

function readResponse(
  reply: DecodedResponse,
  { url, expected }: SourceRequest,
  { clock, bodyParser }: ResponseReaderOptions,
): Promise<PageResponse> {
  const { body } = reply;
  const now = clock.now();
  const { joined } = expected;
  const context = { contentType: reply.header('content-type'), path: url.pathname, joined };
  const received: ReceivedBody = { body, context, now };
  const response = { header: (name: string) => reply.header(name), bytes: body.length, readAt: now };
  if (bodyParser !== undefined && body.length > maxInlinePageBytes(expected.format))
    return toPageResponse(response, bodyParser.parse(received, expected));
  return toPageResponse(response, parseInline(received, expected));
}

/** On this thread. Rejects as `parsePageBody` throws. */
export async function parseInline(
  received: ReceivedBody,
  { recordReader, loadParser }: ExpectedBody,
): Promise<SourcePage<DraftRecord>> {
  const parse = await loadParser();
  return runWithinTurn(() => unpackPage(parsePageBody(received, { recordReader, parse })));
}

/** The records refer to their sheets. */
export function unpackPage({ sheets, ...facts }: PackedPage): SourcePage<DraftRecord> {
  return { ...facts, records: unpackRecords(sheets, facts.document?.ids) };
}

/** Adds what only header fields state. Throws the `SourceFailure` of a response that is not the expected page. */
export function requirePage(reply: PageResponse): SourcePage<DraftRecord> {
  if (reply.pageOrFailure instanceof SourceFailure) throw reply.pageOrFailure;
  const counter = new FindingCounter();
  const facts = dropFutureDate(readPageHeaders(reply), reply.readAt, counter);
  const page = { ...facts, ...reply.pageOrFailure };
  if (counter.findings.size === 0) return page;
  counter.addAll(page.findings);
  return { ...page, findings: counter.findings };
}

/** Rejects if the body is not JSON in UTF-8 or exceeds a limit. */
export async function toPageResponse(
  reply: Pick<PageResponse, 'header' | 'bytes' | 'readAt'>,
  reading: Promise<SourcePage<DraftRecord>>,
): Promise<PageResponse> {
  try {
    return { ...reply, pageOrFailure: await reading };
  } catch (error) {
    // `requirePage` throws it later: a source with unexpected JSON works, so the circuit breaker must not count it
    // (decision record 0003).
    if (error instanceof SourceFailure && error.reason === 'schema') return { ...reply, pageOrFailure: error };
    throw error;
  }
}
