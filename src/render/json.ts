import { isMap } from '../model/document.js';
import type { Node } from '../model/document.js';

/** One level of pretty JSON: exactly four spaces (decisions.md, section 2). */
const INDENT = '    ';

/** What stands before each name or item: a line feed and the indentation, or nothing in compact JSON. */
type Margin = string;

/**
 * JSON in pieces, one for each item of the document's lists, so that a long answer can be written with turns of the event loop
 * in between. Pretty: four spaces, LF, `": "`, no newline at the end; compact: no white space. Either is, byte for byte, what
 * `JSON.stringify` writes.
 */
export function* jsonPieces(document: Node, pretty: boolean): Generator<string, void, undefined> {
  const margin = pretty ? '\n' : '';
  if (!isMap(document)) {
    yield* listOrText(document, margin);
    return;
  }
  const inner = deeper(margin);
  let before = '{';
  for (const [name, value] of document) {
    yield before + inner + nameText(name, margin);
    yield* listOrText(value, inner);
    before = ',';
  }
  yield before === '{' ? '{}' : `${margin}}`;
}

function* listOrText(node: Node, margin: Margin): Generator<string, void, undefined> {
  if (typeof node !== 'object' || isMap(node)) {
    yield text(node, margin);
    return;
  }
  const inner = deeper(margin);
  let before = '[';
  for (const item of node) {
    yield before + inner + text(item, inner);
    before = ',';
  }
  yield before === '[' ? '[]' : `${margin}]`;
}

function text(node: Node, margin: Margin): string {
  if (typeof node !== 'object') return JSON.stringify(node);
  const inner = deeper(margin);
  const parts: string[] = [];
  if (isMap(node)) {
    for (const [name, value] of node) parts.push(inner + nameText(name, margin) + text(value, inner));
    return bracketed('{', parts, margin, '}');
  }
  for (const item of node) parts.push(inner + text(item, inner));
  return bracketed('[', parts, margin, ']');
}

function bracketed(open: string, parts: readonly string[], margin: Margin, close: string): string {
  return parts.length === 0 ? open + close : open + parts.join(',') + margin + close;
}

function nameText(name: string, margin: Margin): string {
  return JSON.stringify(name) + (margin === '' ? ':' : ': ');
}

function deeper(margin: Margin): Margin {
  return margin === '' ? '' : margin + INDENT;
}
