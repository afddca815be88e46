import { isMapNode } from '../model/document-node.js';
import type { DocumentNode } from '../model/document-node.js';
import { renderJsonText } from './json.js';

/** Empty text, a text, or the texts of a list's items. A map, which no record contains, becomes compact JSON. */
export function toCellItems(value: DocumentNode | undefined): string | readonly string[] {
  if (value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  return isMapNode(value)
    ? toCompactJson(value)
    : [...value].map((item) => (typeof item === 'object' ? toCompactJson(item) : String(item)));
}

function toCompactJson(node: DocumentNode): string {
  return [...renderJsonText(node, false)].join('');
}
