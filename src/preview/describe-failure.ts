import type { SourceFailure } from '../source/client/source-failure.js';
import { describeDocument } from './document-shape.js';
import type { DocumentShape, FailedResourceReport } from './preview-report.js';
import type { ListRecording, PreviewSession } from './preview-session.js';

const MAX_EXCERPT = 200;

/** Credentials, or their absence, are refused. */
const REFUSED_CREDENTIALS: readonly (number | undefined)[] = [401, 403];

export function describeFailure(
  failure: SourceFailure,
  { sanitizer, options: { credential } }: PreviewSession,
  recordings: readonly ListRecording[],
): FailedResourceReport {
  const { reason, message, status } = failure;
  const recording = recordings.findLast(({ body }) => body !== undefined);
  const isUnreadable = reason === 'body' || reason === 'schema';
  const document = reason === 'schema' ? recording?.document : undefined;
  const hint = REFUSED_CREDENTIALS.includes(status)
    ? credential === undefined
      ? 'the source has no credentials.public in the configuration'
      : 'the source refuses the credential under credentials.public'
    : suggestFeed(failure);
  return {
    failure: {
      reason,
      message: sanitizer.redact(message),
      ...(hint !== undefined && { hint: sanitizer.redact(hint) }),
      ...(isUnreadable &&
        document === undefined &&
        recording?.body && { body: excerpt(recording.body, sanitizer.redact) }),
      ...(document && { document: redactShape(describeDocument(document.value), sanitizer.redact) }),
    },
  };
}

/** As `readFeed` names it in the failure of a page that links feeds. */
const LINKED_FEED = /it links these feeds: (https?:[^\s]+?),?(?=\s|$)/;

/** In place of the address of a page that links feeds (operation 1.7.2). */
function suggestFeed({ message }: SourceFailure): string | undefined {
  const [, address] = LINKED_FEED.exec(message) ?? [];
  return address && `write the address of a feed into the configuration instead, such as feed: ${address}`;
}

/** A credential at the end of the excerpt is redacted even where it is cut off. */
function excerpt(body: Buffer, redact: (text: string) => string): string {
  // A character of UTF-8 has at most four bytes.
  const text = body.toString('utf8', 0, MAX_EXCERPT * 4);
  return redact(Array.from(text).slice(0, MAX_EXCERPT).join(''));
}

function redactShape({ type, properties, candidates }: DocumentShape, redact: (text: string) => string): DocumentShape {
  return {
    type,
    properties: properties.map((property) => ({ ...property, path: redact(property.path) })),
    candidates: candidates.map((candidate) => ({ ...candidate, expression: redact(candidate.expression) })),
  };
}
