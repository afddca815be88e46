import type { RawRecord } from '../../support/upstream/paged-responses.js';
import { EvaluationError, evaluateExpression, isTrue, writeExpression } from './document-expression.js';
import type { DocumentExpression } from './document-expression.js';
import type { OracleResource } from './oracle-resources.js';
import { SHARED_PROPERTIES } from './translate-teams.js';

/** Expressions by property, in the order of the registration. */
export type PropertyExpressions = readonly (readonly [property: string, expression: DocumentExpression])[];

/** A published document with its registration, as the oracle defines it (decisions 4.27). */
export interface OracleDocument {
  /** Whose properties the registration names. */
  readonly resource: Exclude<OracleResource['name'], 'channels'>;
  readonly entries: readonly RawRecord[];
  readonly map: PropertyExpressions;
  /** Of teams: the expression for their identity. */
  readonly identity?: DocumentExpression | undefined;
  readonly defaults: readonly (readonly [property: string, value: string])[];
  readonly only?: DocumentExpression | undefined;
  readonly second?: SecondDocument | undefined;
}

/** A second document, whose entries are added to those of the first with the same key (decisions 4.27.4). */
export interface SecondDocument {
  readonly entries: readonly RawRecord[];
  /** The keys of an entry of the first and of the second document. */
  readonly on: readonly [DocumentExpression, DocumentExpression];
  readonly as: string;
}

/** A record with the property names of this gateway. */
export interface MappedRecord {
  readonly record: RawRecord;
  /** Identity of a team; empty if it has none. */
  readonly identity: string;
}

/** The records of a document, one for each entry that `only` selects (decisions 4.27.3). */
export function mapDocument(document: OracleDocument): readonly MappedRecord[] {
  return selectedEntries(document).map((entry) => mapEntry(entry, document));
}

function selectedEntries(document: OracleDocument): readonly RawRecord[] {
  const entries = document.entries.map((entry) => withSecond(entry, document));
  return entries.filter((entry) => isSelected(entry, document));
}

/** An entry that cannot be judged stays. */
function isSelected(entry: RawRecord, { only }: OracleDocument): boolean {
  if (only === undefined) return true;
  const result = evaluate(only, entry);
  return result === 'failed' || isTrue(result.value);
}

function mapEntry(entry: RawRecord, document: OracleDocument): MappedRecord {
  const record: Record<string, unknown> = {};
  const set = (property: string, value: unknown): void => {
    record[nameIn(document.resource, property)] = value;
  };
  for (const [property, value] of document.defaults) set(property, value);
  for (const [property, expression] of document.map) {
    const value = valueOf(expression, entry);
    if (value !== undefined) set(property, value);
  }
  const [identity = ''] = document.identity === undefined ? [] : keysOf(document.identity, entry);
  return { record, identity: identity.trim() };
}

/** The value that an expression gives for an entry; undefined if it gives nothing or fails. */
function valueOf(expression: DocumentExpression, entry: RawRecord): unknown {
  const result = evaluate(expression, entry);
  return result === 'failed' || !hasContent(result.value) ? undefined : result.value;
}

/** The properties whose expressions fail for an entry that has some of the values that they read (decisions 4.27.3). */
export function unevaluatedProperties(document: OracleDocument): readonly string[] {
  const entries = selectedEntries(document);
  const failed = document.map.filter(([, expression]) =>
    entries.some(
      (entry) =>
        evaluate(expression, entry) === 'failed' &&
        pathsOf(expression).some((path) => valueOf(path, entry) !== undefined),
    ),
  );
  return failed.map(([property]) => nameIn(document.resource, property));
}

/** Null, the empty text, and lists and objects without anything else are no value. */
function hasContent(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasContent);
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : value !== null && value !== '';
}

/** Names of the directory interface stand for their counterparts where the properties are those of the data interface. */
function nameIn(resource: OracleDocument['resource'], property: string): string {
  if (resource !== 'teams') return property;
  if (property === 'phone-numbers') return 'phone';
  return SHARED_PROPERTIES.find(([name]) => name === property)?.[1] ?? property;
}

function withSecond(entry: RawRecord, { second }: OracleDocument): RawRecord {
  if (second === undefined) return entry;
  const [own, other] = second.on;
  const found = keysOf(own, entry).flatMap((key) => second.entries.filter((one) => keysOf(other, one).includes(key)));
  return { ...entry, [second.as]: found };
}

/** The texts and numbers that an expression gives. */
function keysOf(expression: DocumentExpression, entry: RawRecord): readonly string[] {
  const value = valueOf(expression, entry);
  const keys: readonly unknown[] = Array.isArray(value) ? value : [value];
  return keys.filter((key) => (typeof key === 'string' && key !== '') || typeof key === 'number').map(String);
}

function evaluate(expression: DocumentExpression, entry: RawRecord): { readonly value: unknown } | 'failed' {
  try {
    return { value: evaluateExpression(expression, entry) };
  } catch (error) {
    if (error instanceof EvaluationError) return 'failed';
    throw error;
  }
}

/** Number of selected entries for which each expression of the registration gives a value (decisions 4.27.5). */
export function valueCountsOf(document: OracleDocument): ReadonlyMap<string, number> {
  const entries = selectedEntries(document);
  const counts = document.map.map(([property, expression]): [string, number] => [
    property,
    entries.filter((entry) => valueOf(expression, entry) !== undefined).length,
  ]);
  const identified = mapDocument(document).filter(({ identity }) => identity !== '').length;
  return new Map([...counts, ...(document.identity ? [['id', identified] as const] : [])]);
}

/**
 * Number of entries, including those that are left out, which have each value that `only` reads, and which have a
 * counterpart in the second document (decisions 4.27.5).
 */
export function entryCountsOf(document: OracleDocument): ReadonlyMap<string, number> {
  const entries = document.entries.map((entry) => withSecond(entry, document));
  const { only, second } = document;
  const counts = new Map<string, number>();
  if (second !== undefined) counts.set('second', entries.filter((entry) => hasContent(entry[second.as])).length);
  for (const path of only === undefined ? [] : pathsOf(only))
    counts.set(`only ${writeExpression(path)}`, entries.filter((entry) => valueOf(path, entry) !== undefined).length);
  return counts;
}

/** The paths that an expression reads. */
function pathsOf(expression: DocumentExpression): readonly DocumentExpression[] {
  switch (expression.kind) {
    case 'path':
      return [expression];
    case 'upper':
    case 'lower':
    case 'not':
      return pathsOf(expression.of);
    case 'either':
    case 'equal':
    case 'unequal':
      return [...pathsOf(expression.of), ...pathsOf(expression.other)];
    case 'list':
    case 'joined':
      return expression.items.flatMap(pathsOf);
    case 'each':
    case 'first':
      return [{ kind: 'path', names: [expression.list] }];
    case 'text':
      return [];
  }
}
