import { findNearestName } from '../text/nearest-name.js';
import type { ConfigPath, ConfigNode } from './yaml/config-node.js';
import type { ConfigIssue } from './yaml/config-error.js';
import { describeRemovedKey } from './removed-keys.js';
import { anyKey, childSchemas, type Schema } from './schema/schema-builders.js';

/** Keys of earlier versions, and others with the nearest known key or the known keys (operation 2.1.3). */
export function findUnknownKeys(node: ConfigNode, schema: Schema, path: ConfigPath = []): ConfigIssue[] {
  if (node.kind === 'list') return node.items.flatMap((item, index) => findUnknownKeys(item, schema, [...path, index]));
  const known = childSchemas(schema);
  if (node.kind !== 'map' || known.size === 0) return [];
  return Array.from(node.entries).flatMap(([key, { keyOffset: keyAt, value }]) => {
    const child = known.get(key) ?? known.get(anyKey);
    const childPath = [...path, key];
    if (child !== undefined) return findUnknownKeys(value, child, childPath);
    const message = describeRemovedKey(childPath) ?? unknownKeyMessage(key, [...known.keys()]);
    return [{ path: childPath, offset: keyAt, message }];
  });
}

function unknownKeyMessage(key: string, known: readonly string[]): string {
  const suggestion = findNearestName(key, known);
  return suggestion === undefined
    ? `unknown key; known keys: ${known.join(', ')}`
    : `unknown key; did you mean ${suggestion}?`;
}
