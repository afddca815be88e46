import type { PathValue, UnusedPropertyReport } from '../preview-report.js';
import { formatPropertyPath, formatPattern } from '../../source/dialect/document/property-path.js';
import type { PropertyPath } from '../../source/dialect/document/property-path.js';
import type { ReadRecorder } from './read-recorder.js';

/** Maximum number of different unused properties that are counted. Entries may have names that never repeat. */
const MAX_PROPERTIES = 1_000;

/** Maximum number of examples of a property inside of lists. */
const MAX_EXAMPLES = 3;

/** Maximum depth of an entry that is searched. A value further inside counts as part of the object around it. */
const MAX_DEPTH = 32;

/** Unused properties, and the number of those that were not counted. */
export interface UnusedProperties {
  readonly unused: readonly UnusedPropertyReport[];
  readonly beyond: number;
}

/** An entry with its counterpart before the entries of a second document were added, whose properties count as its own. */
export interface EntryPair {
  readonly entry: unknown;
  readonly sent: unknown;
}

/** A scalar of an entry. */
interface Leaf {
  readonly path: PropertyPath;
  readonly value: unknown;
  readonly isRead: boolean;
  /** The innermost object in a list that contains the scalar. Undefined: it is in no list, or in one of scalars. */
  readonly item: object | undefined;
}

/** What is known about all properties of one pattern. */
interface PropertyUse {
  isRead: boolean;
  entries: number;
  lastEntry: EntryPair | undefined;
  readonly examples: Map<string, unknown>;
}

/** Lists the values of one entry that no expression has read, as far as their properties are unused. */
export function listUnusedValues(
  pair: EntryPair,
  reads: ReadRecorder,
  unusedPatterns: ReadonlySet<string>,
): readonly PathValue[] {
  return [...listLeaves(pair, reads)]
    .filter(({ isRead, path }) => !isRead && unusedPatterns.has(formatPattern(path)))
    .map(({ path, value }) => ({ path: formatPropertyPath(path), value }));
}

/**
 * Lists the properties that no expression has read (operation 1.7.2). A property outside of lists is used if it was read
 * in any entry, because `a || b` reads `b` only where it is needed. Inside a list each item counts by itself, because a
 * list of names and values has properties of its own.
 */
export function listUnusedProperties(pairs: readonly EntryPair[], reads: ReadRecorder): UnusedProperties {
  const uses = new Map<string, PropertyUse>();
  const beyond = new Set<string>();
  for (const pair of pairs) {
    for (const leaf of listLeaves(pair, reads)) {
      const pattern = formatPattern(leaf.path);
      const use = uses.get(pattern) ?? { isRead: false, entries: 0, lastEntry: undefined, examples: new Map() };
      if (uses.has(pattern) || uses.size < MAX_PROPERTIES)
        addLeaf(uses.set(pattern, use).get(pattern) ?? use, leaf, pair);
      else if (beyond.size < MAX_PROPERTIES) beyond.add(pattern);
    }
  }
  const unused = [...uses].filter(([pattern, { isRead, entries }]) => entries > 0 && !(isRead && !isInList(pattern)));
  return {
    unused: unused.map(([path, { entries, examples }]) => ({ path, entries, examples: [...examples.values()] })),
    beyond: beyond.size,
  };
}

/** Lists the properties of an interface that its records had as sent, and do not have as shown. */
export function listDroppedProperties(
  records: readonly { readonly sent: unknown; readonly shown: ReadonlyMap<string, unknown> }[],
): UnusedProperties {
  const uses = new Map<string, { entries: number; readonly examples: readonly unknown[] }>();
  let beyond = 0;
  for (const { sent, shown } of records) {
    for (const [name, value] of Object.entries(isObject(sent) ? sent : {})) {
      if (shown.has(name) || isEmpty(value)) continue;
      const path = formatPropertyPath([name]);
      const use = uses.get(path) ?? { entries: 0, examples: [value] };
      use.entries += 1;
      if (uses.has(path) || uses.size < MAX_PROPERTIES) uses.set(path, use);
      else beyond += 1;
    }
  }
  return { unused: [...uses].map(([path, use]) => ({ path, ...use })), beyond };
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (isObject(value) && Object.keys(value).length === 0);
}

function isInList(pattern: string): boolean {
  return pattern.includes('[]');
}

function addLeaf(use: PropertyUse, { isRead, value, item }: Leaf, pair: EntryPair): void {
  if (isRead) {
    use.isRead = true;
    return;
  }
  if (use.lastEntry !== pair) use.entries += 1;
  use.lastEntry = pair;
  const example = item ?? value;
  const key = JSON.stringify(Object.entries(item ?? { value }).filter(([, one]) => isScalar(one)));
  if (use.examples.size < (item === undefined ? 1 : MAX_EXAMPLES)) use.examples.set(key, example);
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function* listLeaves({ entry, sent }: EntryPair, reads: ReadRecorder): Generator<Leaf> {
  const isReadAt = (target: object, name: string): boolean =>
    reads.isRead(target, name) || (target === entry && isObject(sent) && reads.isRead(sent, name));
  yield* walk({ path: [], value: entry, isRead: false, item: undefined });

  function* walk(place: Leaf): Generator<Leaf> {
    const { path, value } = place;
    if (!isObject(value) || path.length >= MAX_DEPTH) {
      if (path.length > 0 && value !== null && value !== '') yield place;
      return;
    }
    const isList = Array.isArray(value);
    const isWhole = place.isRead || reads.isWholeRead(value);
    for (const [name, inner] of Object.entries(value)) {
      const innerPath = [...path, isList ? Number(name) : name];
      const isInnerRead = isWhole || (!isObject(inner) && isReadAt(value, name));
      const item = isList ? (isObject(inner) && !Array.isArray(inner) ? inner : undefined) : place.item;
      yield* walk({ path: innerPath, value: inner, isRead: isInnerRead, item });
    }
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
