/** Keys and list indices from the root of the file. */
export type ConfigPath = readonly (string | number)[];

/**
 * Offsets are in UTF-16 code units. Scalars are text, which the schema of their key converts; null for an unquoted empty
 * value, `~` or `null`. An unusable node has an error already, and cannot be read further.
 */
export type ConfigNode =
  | { readonly kind: 'scalar'; readonly offset: number; readonly value: string | null }
  | { readonly kind: 'list'; readonly offset: number; readonly items: readonly ConfigNode[] }
  | { readonly kind: 'map'; readonly offset: number; readonly entries: ReadonlyMap<string, MapEntry> }
  | { readonly kind: 'unusable'; readonly offset: number };

export interface MapEntry {
  readonly keyOffset: number;
  readonly value: ConfigNode;
}

function childOf(node: ConfigNode, step: string | number): MapEntry | undefined {
  if (node.kind === 'map') return node.entries.get(String(step));
  const item = node.kind === 'list' ? node.items[Number(step)] : undefined;
  return item && { keyOffset: item.offset, value: item };
}

export function nodeAt(root: ConfigNode, path: ConfigPath): ConfigNode | undefined {
  return path.reduce<ConfigNode | undefined>((node, step) => node && childOf(node, step)?.value, root);
}

/** Of the root if there is no such key. */
export function keyOffsetOf(root: ConfigNode, path: ConfigPath): number {
  const parent = nodeAt(root, path.slice(0, -1));
  return (parent && childOf(parent, path.at(-1) ?? '')?.keyOffset) ?? root.offset;
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

/**
 * Text, null, arrays, and objects without a prototype, in which `__proto__` is an ordinary key. An unusable node
 * becomes `false`, which no setting accepts.
 */
export function toPlainValue(node: ConfigNode): unknown {
  if (node.kind === 'unusable') return false;
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(toPlainValue);
  const plain: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [key, { value }] of node.entries) plain[key] = toPlainValue(value);
  return plain;
}

export interface ConfigIssue {
  readonly path: ConfigPath;
  readonly offset: number;
  readonly message: string;
}

/** As operators write it: `sources.first.prefixes[0]`. Keys other than `[A-Za-z0-9_-]+` are quoted. */
export function formatPath(path: ConfigPath): string {
  const steps = path.map((step) => {
    if (typeof step === 'number') return `[${step}]`;
    return /^[\w-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
  });
  return steps.join('').replace(/^\./, '');
}
