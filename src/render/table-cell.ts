import { isMapNode } from '../model/document.js';
import type { DocumentNode } from '../model/document.js';
import { renderJsonText } from './json.js';

/** What a cell holds: nothing, one text, or the items of a list. Named values, which no record has, are shown as compact JSON. */
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
