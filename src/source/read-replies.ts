import type { Clock } from '../model/clock.js';
import type { Draft } from '../model/record.js';
import { recordsOn } from '../records/packed.js';
import type { Beside } from './beside.js';
import { headed, withoutFutureDate } from './dialect.js';
import { SourceFailure } from './failure.js';
import type { BodyReply, Fetch, NotModified, PageReply, SourceFetch, SourceReply } from './fetch.js';
import { FindingCounter } from './findings.js';
import type { Page } from './page.js';
import { readBody } from './read-body.js';
import type { PackedPage, Reading } from './read-body.js';

/** What reads bodies. */
export interface ReadingParts {
  /** The time at which a body is read. */
  readonly clock: Clock;
  /** Reads in a second thread; absent: there is none. */
  readonly beside?: Beside | undefined;
}

/** Reads every body as its request asks: in the second thread where there is one that has room. */
export function readReplies(next: Fetch<BodyReply | NotModified>, parts: ReadingParts): SourceFetch {
  return (request, signal) =>
    next(request, signal).then((reply): SourceReply | Promise<SourceReply> =>
      'notModified' in reply ? reply : read(reply, request.as, parts),
    );
}

function read(reply: BodyReply, as: Reading, { clock, beside }: ReadingParts): Promise<PageReply> {
  const { body } = reply;
  const readAt = clock.now();
  const replied = { header: (name: string) => reply.header(name), bytes: body.length, readAt };
  return readReply(replied, beside?.read(body, as, readAt) ?? readBody(body, as, readAt));
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
  reading: Promise<PackedPage>,
): Promise<PageReply> {
  try {
    const { sheets, ...facts } = await reading;
    return { ...reply, read: { ...facts, records: recordsOn(sheets) } };
  } catch (error) {
    // It is for who asked to say so: a source that answers with something else is no source that does not answer.
    if (error instanceof SourceFailure && error.reason === 'schema') return { ...reply, read: error };
    throw error;
  }
}
