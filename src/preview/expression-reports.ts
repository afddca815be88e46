import type { DocumentMapping } from '../model/registration/document-mapping.js';
import type { Resource } from '../model/resource.js';
import { SELECTION_FIELD } from '../source/record/drain-result.js';
import { JOIN_FIELD } from '../source/dialect/document/document-observer.js';
import type { ExpressionReport } from './preview-report.js';
import type { ListRecording } from './preview-session.js';
import { nameRecord } from './read-records.js';
import type { Sanitizer } from './sanitizer.js';

/** Reports what each expression over entries gave, in the order in which they are evaluated. */
export function reportExpressions(
  { join, only, identity, map }: DocumentMapping,
  list: ListRecording,
  { resource, sanitizer }: { readonly resource: Resource; readonly sanitizer: Sanitizer },
): readonly ExpressionReport[] {
  const conditions = { [JOIN_FIELD]: join?.key, [SELECTION_FIELD]: only, id: identity };
  const { statistics } = list.document;
  return Object.entries({ ...conditions, ...map }).flatMap(([property, expression]) => {
    if (expression === undefined) return [];
    const { values = 0, failures = 0, firstFailure } = statistics.get(property) ?? {};
    return [
      {
        property,
        expression,
        values,
        failures,
        ...(firstFailure && { firstFailure: describeFirstFailure(firstFailure, list, { resource, sanitizer }) }),
      },
    ];
  });
}

function describeFirstFailure(
  { entry, message }: { readonly entry: unknown; readonly message: string },
  { document: { entries }, reader: { readings } }: ListRecording,
  { resource, sanitizer }: { readonly resource: Resource; readonly sanitizer: Sanitizer },
): NonNullable<ExpressionReport['firstFailure']> {
  // The key of a join is evaluated over the entry as sent.
  const at = Math.max(entries.joined.indexOf(entry), entries.sent.indexOf(entry));
  const name = nameRecord(readings[entries.selected.indexOf(entries.joined[at])]?.raw, resource);
  return {
    entry: at + 1,
    ...(name !== undefined && { name: sanitizer.redact(name) }),
    message: sanitizer.redact(message),
  };
}
