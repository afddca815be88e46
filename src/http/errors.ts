import { errorCatalogue } from '../model/error.js';
import type { Problem } from '../model/error.js';
import type { Interface } from '../model/interface.js';
import type { Node } from '../model/document.js';
import { errorEnvelope } from '../render/envelope.js';
import { json, jsonpMediaType, jsonpPieces } from '../render/formats.js';
import type { Form } from '../query/parse.js';
import type { Reply } from './reply.js';

/** What an error may say beside itself. */
export interface ErrorContext {
  readonly form?: Form;
  readonly headers?: Readonly<Record<string, string>>;
  readonly sources?: readonly ReadonlyMap<string, Node>[];
}

/** An error in the interface's shape (decisions.md, section 6). */
export function errorReply(face: Interface, problem: Problem, context: ErrorContext = {}): Reply {
  const { form = { pretty: true }, headers, sources } = context;
  const document = errorEnvelope(face, problem, sources);
  const { callback } = form;
  const common = { ...headers, 'Cache-Control': 'no-store', 'X-Version': face.version };
  if (callback === undefined) {
    const type = `${json.mediaType}; charset=utf-8`;
    const { status } = errorCatalogue[problem.kind];
    return { status, headers: { ...common, 'Content-Type': type }, body: json.render(document, form) };
  }
  // A script element drops what is not 200; the real status is in the envelope (decisions.md, section 2).
  const type = `${jsonpMediaType}; charset=utf-8`;
  return { status: 200, headers: { ...common, 'Content-Type': type }, body: jsonpPieces(document, form, callback) };
}
