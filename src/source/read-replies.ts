import type { Draft } from '../model/record.js';
import { recordsOn } from '../records/packed.js';
import type { Beside } from './beside.js';
import { headed } from './dialect.js';
import { SourceFailure } from './failure.js';
import type { BodyReply, Fetch, NotModified, PageReply, SourceFetch, SourceReply } from './fetch.js';
import type { Page } from './page.js';
import { readBody } from './read-body.js';
import type { PackedPage, Reading } from './read-body.js';

/** Reads every body as its request asks: beside this thread where there is one that does, and has room. */
export function readReplies(next: Fetch<BodyReply | NotModified>, beside?: Beside): SourceFetch {
  return (request, signal) =>
    next(request, signal).then((reply): SourceReply | Promise<SourceReply> =>
      'notModified' in reply ? reply : read(reply, request.as, beside),
    );
}

function read(reply: BodyReply, as: Reading, beside?: Beside): Promise<PageReply> {
  const { body } = reply;
  const replied = { header: (name: string) => reply.header(name), bytes: body.length };
  return readReply(replied, beside?.read(body, as) ?? readBody(body, as));
}

/** The page of a reply, with what its headers tell and its body does not. Throws where it is none. */
export function pageOf(reply: PageReply): Page<Draft> {
  if (reply.read instanceof SourceFailure) throw reply.read;
  return { ...headed(reply), ...reply.read };
}

/** The reply that a body makes. Rejects where that could not be read as JSON. */
export async function readReply(
  reply: Pick<PageReply, 'header' | 'bytes'>,
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
