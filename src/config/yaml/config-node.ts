/** Keys and list indices from the root of the file. */
export type ConfigPath = readonly (string | number)[];

/** Offsets are in UTF-16 code units. Scalars are text, which the schema of their key converts. */
export type ConfigNode = ScalarNode | ListNode | MapNode | UnusableNode;

/** `value` is null for an unquoted empty value, `~` or `null`. */
export interface ScalarNode {
  readonly kind: 'scalar';
  readonly offset: number;
  readonly value: string | null;
}

export interface ListNode {
  readonly kind: 'list';
  readonly offset: number;
  readonly items: readonly ConfigNode[];
}

export interface MapNode {
  readonly kind: 'map';
  readonly offset: number;
  readonly entries: ReadonlyMap<string, MapEntry>;
}

export interface MapEntry {
  readonly keyOffset: number;
  readonly value: ConfigNode;
}

/** Has an error already, and cannot be read further. */
export interface UnusableNode {
  readonly kind: 'unusable';
  readonly offset: number;
}

export function nodeAt(root: ConfigNode, path: ConfigPath): ConfigNode | undefined {
  return path.reduce<ConfigNode | undefined>((node, step) => node && childOf(node, step)?.value, root);
}

/** Paths of the values; empty if there is no mapping. */
export function entryPathsAt(root: ConfigNode, path: ConfigPath): ConfigPath[] {
  const node = nodeAt(root, path);
  return node?.kind === 'map' ? Array.from(node.entries.keys(), (key) => [...path, key]) : [];
}

export function itemPathsAt(root: ConfigNode, path: ConfigPath): ConfigPath[] {
  const node = nodeAt(root, path);
  return node?.kind === 'list' ? node.items.map((_, index) => [...path, index]) : [];
}

/** Paths of the given keys that the mapping has. */
export function presentKeysAt(root: ConfigNode, path: ConfigPath, keys: readonly string[]): readonly ConfigPath[] {
  return keys.map((key) => [...path, key]).filter((child) => nodeAt(root, child) !== undefined);
}

/** Of the root if there is no such key. */
export function keyOffsetOf(root: ConfigNode, path: ConfigPath): number {
  const parent = nodeAt(root, path.slice(0, -1));
  const last = path.at(-1);
  return (parent && last !== undefined ? childOf(parent, last)?.keyOffset : undefined) ?? root.offset;
}

/** Of the key of the nearest enclosing mapping if there is no value. */
export function offsetOf(root: ConfigNode, path: ConfigPath): number {
  let entry: MapEntry = { keyOffset: root.offset, value: root };
  for (const step of path) {
    const child = childOf(entry.value, step);
    if (child === undefined) return entry.keyOffset;
    entry = child;
  }
  return entry.value.offset;
}

function childOf(node: ConfigNode, step: string | number): MapEntry | undefined {
  if (node.kind === 'map') return node.entries.get(String(step));
  const item = node.kind === 'list' ? node.items[Number(step)] : undefined;
  return item && { keyOffset: item.offset, value: item };
}

/**
 * Text, null, arrays, and objects without a prototype, in which `__proto__` is an ordinary key. An unusable node
 * becomes `false`, which no setting accepts.
 */
export function toPlainValue(node: ConfigNode | undefined): unknown {
  if (node === undefined) return undefined;
  if (node.kind === 'unusable') return false;
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(toPlainValue);
  const plain: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [key, { value }] of node.entries) plain[key] = toPlainValue(value);
  return plain;
}
