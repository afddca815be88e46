/** Keys, and indices of list items, from the top of the file down to one place in it. */
export type ConfigPath = readonly (string | number)[];

/** A piece of a YAML text with its offset `at` (UTF-16 units). Scalars are text, to be read by the key they belong to. */
export type ConfigNode = ScalarNode | ListNode | MapNode | UnusableNode;

/** `value` is null for an empty value, `~` and `null`, when they are not quoted. */
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

/** A value about which there is a finding already, and which nobody can read further. */
export interface UnusableNode {
  readonly kind: 'unusable';
  readonly offset: number;
}

/** The node at a path; undefined when there is none. */
export function nodeAt(root: ConfigNode, path: ConfigPath): ConfigNode | undefined {
  return path.reduce<ConfigNode | undefined>((node, step) => node && childOf(node, step)?.value, root);
}

/** The paths of the values of the mapping at a path; none when it is not a mapping. */
export function entryPathsAt(root: ConfigNode, path: ConfigPath): ConfigPath[] {
  const node = nodeAt(root, path);
  return node?.kind === 'map' ? Array.from(node.entries.keys(), (key) => [...path, key]) : [];
}

/** The paths of the items of the list at a path; none when it is not a list. */
export function itemPathsAt(root: ConfigNode, path: ConfigPath): ConfigPath[] {
  const node = nodeAt(root, path);
  return node?.kind === 'list' ? node.items.map((_, index) => [...path, index]) : [];
}

/** The offset of the key at a path. */
export function keyOffsetOf(root: ConfigNode, path: ConfigPath): number {
  const around = nodeAt(root, path.slice(0, -1));
  const last = path.at(-1);
  return (around && last !== undefined ? childOf(around, last)?.keyOffset : undefined) ?? root.offset;
}

/** The offset of the value at a path or, when there is none, of the key of the nearest mapping around it. */
export function offsetOf(root: ConfigNode, path: ConfigPath): number {
  let here: MapEntry = { keyOffset: root.offset, value: root };
  for (const step of path) {
    const child = childOf(here.value, step);
    if (child === undefined) return here.keyOffset;
    here = child;
  }
  return here.value.offset;
}

function childOf(node: ConfigNode, step: string | number): MapEntry | undefined {
  if (node.kind === 'map') return node.entries.get(String(step));
  const item = node.kind === 'list' ? node.items[Number(step)] : undefined;
  return item && { keyOffset: item.offset, value: item };
}

/**
 * The node as plain values: text, null, arrays, and objects without prototype (so that `__proto__` is a key like any
 * other). What is unusable becomes false, which no key accepts.
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
