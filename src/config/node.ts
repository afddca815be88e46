/** Keys, and indices of list items, from the top of the file down to one place in it. */
export type Path = readonly (string | number)[];

/** A piece of a YAML text with its offset `at` (UTF-16 units). Scalars are text, to be read by the key they belong to. */
export type YamlNode = ScalarNode | ListNode | MapNode | UnusableNode;

/** `value` is null for an empty value, `~` and `null`, when they are not quoted. */
export interface ScalarNode {
  readonly kind: 'scalar';
  readonly at: number;
  readonly value: string | null;
}

export interface ListNode {
  readonly kind: 'list';
  readonly at: number;
  readonly items: readonly YamlNode[];
}

export interface MapNode {
  readonly kind: 'map';
  readonly at: number;
  readonly entries: ReadonlyMap<string, Entry>;
}

export interface Entry {
  readonly keyAt: number;
  readonly value: YamlNode;
}

/** A value about which there is a finding already, and which nobody can read further. */
export interface UnusableNode {
  readonly kind: 'unusable';
  readonly at: number;
}

/** The node at a path; undefined when there is none. */
export function nodeAt(root: YamlNode, path: Path): YamlNode | undefined {
  return path.reduce<YamlNode | undefined>((node, step) => node && childOf(node, step)?.value, root);
}

/** The paths of the values of the mapping at a path; none when it is not a mapping. */
export function entriesAt(root: YamlNode, path: Path): Path[] {
  const node = nodeAt(root, path);
  return node?.kind === 'map' ? Array.from(node.entries.keys(), (key) => [...path, key]) : [];
}

/** The paths of the items of the list at a path; none when it is not a list. */
export function itemsAt(root: YamlNode, path: Path): Path[] {
  const node = nodeAt(root, path);
  return node?.kind === 'list' ? node.items.map((_, index) => [...path, index]) : [];
}

/** The offset of the key at a path. */
export function keyOffsetOf(root: YamlNode, path: Path): number {
  const around = nodeAt(root, path.slice(0, -1));
  const last = path.at(-1);
  return (around && last !== undefined ? childOf(around, last)?.keyAt : undefined) ?? root.at;
}

/** The offset of the value at a path or, when there is none, of the key of the nearest mapping around it. */
export function offsetOf(root: YamlNode, path: Path): number {
  let here: Entry = { keyAt: root.at, value: root };
  for (const step of path) {
    const child = childOf(here.value, step);
    if (child === undefined) return here.keyAt;
    here = child;
  }
  return here.value.at;
}

function childOf(node: YamlNode, step: string | number): Entry | undefined {
  if (node.kind === 'map') return node.entries.get(String(step));
  const item = node.kind === 'list' ? node.items[Number(step)] : undefined;
  return item && { keyAt: item.at, value: item };
}

/**
 * The node as plain values: text, null, arrays, and objects without prototype (so that `__proto__` is a key like any
 * other). What is unusable becomes false, which no key accepts.
 */
export function toPlain(node: YamlNode | undefined): unknown {
  if (node === undefined) return undefined;
  if (node.kind === 'unusable') return false;
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(toPlain);
  const plain: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [key, { value }] of node.entries) plain[key] = toPlain(value);
  return plain;
}
