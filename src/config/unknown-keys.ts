import { nearest } from '../text/nearest.js';
import type { Path, YamlNode } from './node.js';
import type { Finding } from './positions.js';
import { anyKey, childrenOf, type Schema } from './schema.js';

/** The keys that the schema does not know where they stand, each with the nearest one that it does (operation.md). */
export function findUnknownKeys(node: YamlNode, schema: Schema, path: Path = []): Finding[] {
  const known = childrenOf(schema);
  if (node.kind !== 'map' || known.size === 0) return [];
  return Array.from(node.entries).flatMap(([key, { keyAt, value }]) => {
    const child = known.get(key) ?? known.get(anyKey);
    const here = [...path, key];
    if (child === undefined) return [{ path: here, at: keyAt, message: describe(key, [...known.keys()]) }];
    return findUnknownKeys(value, child, here);
  });
}

function describe(key: string, known: readonly string[]): string {
  const meant = nearest(key, known);
  return meant === undefined ? `unknown key; known here: ${known.join(', ')}` : `unknown key; did you mean ${meant}?`;
}
