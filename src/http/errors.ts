import type { Node } from '../model/document.js';
import { errorCatalogue } from '../model/error.js';
import type { Problem } from '../model/error.js';
import type { Interface } from '../model/interface.js';
import type { Form } from '../query/parse.js';
import { errorEnvelope, errorTable } from '../render/envelope.js';
import { json, jsonpMediaType, jsonpPieces } from '../render/formats.js';
import { VARY } from './asked.js';
import type { Asked } from './asked.js';
import type { Body, Reply } from './reply.js';

/** What every method gets but those that are answered. */
export const READ_ONLY: Problem = { kind: 'method-not-allowed', message: 'this interface is read-only: GET and HEAD' };

/** How an error is to be written, and what it may say beside itself. */
export interface ErrorContext {
  readonly form: Form;
  readonly asked: Asked;
  readonly headers?: Readonly<Record<string, string>>;
  readonly sources?: readonly ReadonlyMap<string, Node>[];
}

/** An error in the interface's shape and the format asked for (decisions.md, sections 3 and 6); what is no text gets JSON. */
export function errorReply(face: Interface, problem: Problem, context: ErrorContext): Reply {
  const { form, asked, headers, sources } = context;
  const document = errorEnvelope(face, problem, sources);
  const common = { ...headers, ...errorHeaders(face), Vary: VARY };
  const { status } = errorCatalogue[problem.kind];
  const { callback } = form;
  if (callback !== undefined && asked.format.name === 'json') {
    // A script element drops what is not 200; the real status is in the envelope (decisions.md, section 2).
    const type = `${jsonpMediaType}; charset=utf-8`;
    const body = (): Body => jsonpPieces(document, form, callback);
    return { status: 200, told: status, headers: { ...common, 'Content-Type': type }, body };
  }
  const { format, mediaType } = asked.format.text ? asked : { format: json, mediaType: 'application/json' };
  const body = (): Body => format.render({ document, table: errorTable(face, document) }, form);
  return { status, headers: { ...common, 'Content-Type': `${mediaType}; charset=utf-8` }, body };
}

/** Headers of every error: it is told at once and kept by nobody. */
export function errorHeaders(face: Interface): Readonly<Record<string, string>> {
  return { 'Cache-Control': 'no-store', 'X-Version': face.version };
}
