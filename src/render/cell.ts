import { isMap } from '../model/document.js';
import type { Node } from '../model/document.js';
import { jsonPieces } from './json.js';

/** What a cell holds: nothing, one text, or the items of a list. Named values, which no record has, are shown as compact JSON. */
export function cellItems(value: Node | undefined): string | readonly string[] {
  if (value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  return isMap(value) ? json(value) : [...value].map((item) => (typeof item === 'object' ? json(item) : String(item)));
}

function json(node: Node): string {
  return [...jsonPieces(node, false)].join('');
}
