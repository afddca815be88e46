import type { DocumentMapping } from '../../model/registration/document-mapping.js';
import { compileExpression } from '../../text/jmespath-adapter.js';
import type { Expression } from '../../text/jmespath-adapter.js';
import { SourceFailure } from '../client/source-failure.js';
import type { FindingSink } from '../record/findings.js';
import type { RawPage } from './envelope.js';

/** Field of findings about the expression that selects records. */
const SELECTION_FIELD = '(only)';

/**
 * Reads a published document as one page with all its records, in the property names of this gateway (decisions 4.27).
 * An expression that fails for a record leaves the property out, which is counted in `sink`. Throws a `SourceFailure`
 * (`schema`) where the document has no list of records.
 */
export function parseDocument(json: unknown, mapping: DocumentMapping, sink: FindingSink): RawPage {
  const list = evaluate(compile(mapping.records), json);
  if (!list.isDefined || !Array.isArray(list.value))
    throw new SourceFailure('schema', 'the expression for records gives no list');
  const entries: readonly unknown[] = list.value;
  const only = mapping.only === undefined ? undefined : compile(mapping.only);
  const properties = Object.entries(mapping.map).map(([name, text]) => ({ name, expression: compile(text) }));
  const defaults = Object.entries(mapping.defaults);
  const selected = entries.filter((entry) => only === undefined || isSelected(only, entry, sink));
  const records = selected.map((entry) => mapRecord(entry, properties, defaults, sink));
  return { records, total: records.length };
}

function isSelected(only: Expression, entry: unknown, sink: FindingSink): boolean {
  const result = evaluate(only, entry);
  if (!result.isDefined) sink.add(SELECTION_FIELD, 'expression-failed');
  // A record about which nothing is known stays: it must not disappear because of a fault in the expression.
  return !result.isDefined || Boolean(result.value);
}

interface MappedProperty {
  readonly name: string;
  readonly expression: Expression;
}

/** An entry that is not an object stays as it is; reading it counts it as no record. */
function mapRecord(
  entry: unknown,
  properties: readonly MappedProperty[],
  defaults: readonly (readonly [name: string, value: string])[],
  sink: FindingSink,
): unknown {
  if (typeof entry !== 'object' || entry === null) return entry;
  const record = new Map<string, unknown>(defaults);
  for (const { name, expression } of properties) {
    const result = evaluate(expression, entry);
    if (!result.isDefined) sink.add(name, 'expression-failed');
    else if (hasContent(result.value)) record.set(name, result.value);
  }
  return Object.fromEntries(record);
}

/** Lists such as `[phone, fax]` have null for what the record lacks. */
function hasContent(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}

type Evaluation = { readonly isDefined: true; readonly value: unknown } | { readonly isDefined: false };

function evaluate(expression: Expression, value: unknown): Evaluation {
  try {
    return { isDefined: true, value: expression.evaluate(value) };
  } catch {
    return { isDefined: false };
  }
}

/** The configuration was checked, so that every expression compiles. */
function compile(text: string): Expression {
  const compiled = compileExpression(text);
  if ('problem' in compiled) throw new Error(compiled.problem);
  return compiled;
}
