import type { Clock } from '../model/clock.js';
import type { Draft } from '../model/record.js';
import { inOneTurn } from '../model/slices.js';
import { recordsOn } from '../records/packed.js';
import type { BodyParser } from './body-parser.js';
import { headed, withoutFutureDate } from './dialect.js';
import { SourceFailure } from './failure.js';
import type { BodyReply, Fetch, NotModified, PageReply, SourceFetch, SourceReply } from './fetch.js';
import { FindingCounter } from './findings.js';
import type { Page } from './page.js';
import { SMALL_BODY, readBody } from './read-body.js';
import type { PackedPage, Reading } from './read-body.js';

/** What reads bodies. */
export interface ReadingParts {
  /** The time at which a body is read. */
  readonly clock: Clock;
  /** Parses large bodies in a worker thread; absent: they are parsed on this one, as small ones are. */
  readonly bodies?: BodyParser | undefined;
}

/** Reads every body as its request asks: one of at most `SMALL_BODY` here and at once, a larger one in the worker thread. */
export function readReplies(next: Fetch<BodyReply | NotModified>, parts: ReadingParts): SourceFetch {
  return (request, signal) =>
    next(request, signal).then((reply): SourceReply | Promise<SourceReply> =>
      'notModified' in reply ? reply : read(reply, request.as, parts),
    );
}

function read(reply: BodyReply, as: Reading, { clock, bodies }: ReadingParts): Promise<PageReply> {
  const { body } = reply;
  const readAt = clock.now();
  const replied = { header: (name: string) => reply.header(name), bytes: body.length, readAt };
  if (bodies !== undefined && body.length > SMALL_BODY) return readReply(replied, bodies.parse(body, as, readAt));
  return readReply(
    replied,
    inOneTurn(() => unpacked(readBody(body, as, readAt))),
  );
}

/** The page with its records, which stay on their sheets. */
export function unpacked({ sheets, ...facts }: PackedPage): Page<Draft> {
  return { ...facts, records: recordsOn(sheets) };
}

/** The page of a reply, with what its headers tell and its body does not. Throws where it is none. */
export function pageOf(reply: PageReply): Page<Draft> {
  if (reply.read instanceof SourceFailure) throw reply.read;
  const counter = new FindingCounter();
  const facts = withoutFutureDate(headed(reply), reply.readAt, counter);
  const page = { ...facts, ...reply.read };
  if (counter.findings.size === 0) return page;
  counter.addAll(page.findings);
  return { ...page, findings: counter.findings };
}

/** The reply that a body makes. Rejects where that could not be read as JSON. */
export async function readReply(
  reply: Pick<PageReply, 'header' | 'bytes' | 'readAt'>,
  reading: Promise<Page<Draft>>,
): Promise<PageReply> {
  try {
    return { ...reply, read: await reading };
  } catch (error) {
    // It is for who asked to say so: a source that answers with something else is no source that does not answer.
    if (error instanceof SourceFailure && error.reason === 'schema') return { ...reply, read: error };
    throw error;
  }
}
