import { isLasting, isMap } from '../model/document.js';
import type { LastingList, Node } from '../model/document.js';
import type { Scalar } from '../model/value.js';

/**
 * JSON in pieces, one for each item of the document's lists, so that a long answer can be written with turns of the event loop
 * in between. Pretty: four spaces, LF, `": "`, no newline at the end; compact: no white space. Either is, byte for byte, what
 * `JSON.stringify` writes.
 */
export function jsonPieces(document: Node, pretty: boolean): Generator<string, void, undefined> {
  return documentPieces(document, pretty, listPieces);
}

/** The same as text and bytes in turn: items that never change, and were written so before, are not written again. */
export function jsonChunks(document: Node, pretty: boolean): Generator<string | Uint8Array, void, undefined> {
  return documentPieces<string | Uint8Array>(document, pretty, (list, level) =>
    isLasting(list) ? lastingChunks(list, level) : listPieces(list, level),
  );
}

/** Writes a list of the document in pieces. */
type ListWriter<Piece> = (list: Iterable<Node>, level: Level) => Iterable<Piece>;

function* documentPieces<Piece>(
  document: Node,
  pretty: boolean,
  write: ListWriter<Piece>,
): Generator<Piece | string, void, undefined> {
  const level = new Level(pretty ? '\n' : '');
  if (typeof document !== 'object' || !isMap(document)) {
    yield* pieces(document, level, write);
    return;
  }
  let before = '{';
  for (const [name, value] of document) {
    yield before + level.head(name);
    yield* pieces(value, level.deeper, write);
    before = ',';
  }
  yield before === '{' ? '{}' : `${level.margin}}`;
}

function* pieces<Piece>(
  node: Node,
  level: Level,
  write: ListWriter<Piece>,
): Generator<Piece | string, void, undefined> {
  if (typeof node !== 'object' || isMap(node)) yield text(node, level);
  else yield* write(node, level);
}

function* listPieces(list: Iterable<Node>, level: Level): Generator<string, void, undefined> {
  let before = '[';
  for (const item of list) {
    yield before + level.inner + text(item, level.deeper);
    before = ',';
  }
  yield before === '[' ? '[]' : `${level.margin}]`;
}

/** Items that become one chunk: a turn of the event loop has room for more, and a page of an answer has no more. */
const AT_ONCE = 100;

const [OPENING = 0] = Buffer.from('[');

/** Each item is kept with the comma that stands before it. */
function* lastingChunks(list: LastingList, level: Level): Generator<string | Uint8Array, void, undefined> {
  const way = `json ${level.inner.length}`;
  const items = list.written(way, (item) => Buffer.from(`,${level.inner}${text(item, level.deeper)}`));
  let together: Uint8Array[] = [];
  let begun = false;
  for (const item of items) {
    if (together.length === AT_ONCE) {
      yield chunk(together, begun);
      [together, begun] = [[], true];
    }
    together.push(item);
  }
  if (together.length === 0) {
    yield '[]';
    return;
  }
  together.push(Buffer.from(`${level.margin}]`));
  yield chunk(together, begun);
}

/** Items with their commas, the first one of a list with its bracket. */
function chunk(items: readonly Uint8Array[], begun: boolean): Uint8Array {
  const together = Buffer.concat(items);
  if (!begun) together[0] = OPENING;
  return together;
}

/** One level of pretty JSON: exactly four spaces (decisions.md, section 2). */
const INDENT = '    ';

/** Names that are kept at most: they come from upstream. */
const MOST_NAMES = 1_000;

/** What is written around the values of one depth of the document. */
class Level {
  /** What stands before a name or an item: a line feed and the indentation, or nothing in compact JSON. */
  readonly inner: string;
  /** Names as they are written here: records have the same ones over and over. */
  readonly #heads = new Map<string, string>();
  #deeper: Level | undefined;

  /** `margin` is what stands before the closing bracket. */
  constructor(readonly margin: string) {
    this.inner = margin === '' ? '' : margin + INDENT;
  }

  get deeper(): Level {
    return (this.#deeper ??= new Level(this.inner));
  }

  /** All that stands before the value of a name, but for the comma. */
  head(name: string): string {
    const known = this.#heads.get(name);
    if (known !== undefined) return known;
    const head = this.inner + JSON.stringify(name) + (this.inner === '' ? ':' : ': ');
    if (this.#heads.size < MOST_NAMES) this.#heads.set(name, head);
    return head;
  }
}

function text(node: Node, level: Level): string {
  if (typeof node !== 'object') return scalarText(node);
  return isMap(node) ? mapText(node, level) : listText(node, level);
}

function mapText(map: ReadonlyMap<string, Node>, level: Level): string {
  const { margin, deeper } = level;
  let written = '';
  for (const [name, value] of map) written += (written === '' ? '{' : ',') + level.head(name) + text(value, deeper);
  return written === '' ? '{}' : `${written}${margin}}`;
}

function listText(list: Iterable<Node>, { inner, margin, deeper }: Level): string {
  let written = '';
  for (const item of list) written += (written === '' ? '[' : ',') + inner + text(item, deeper);
  return written === '' ? '[]' : `${written}${margin}]`;
}

/** Holds nothing that JSON escapes: quotes, backslashes, controls, lone surrogates; nor pairs of these, which would have to be told from them. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

function scalarText(value: Scalar): string {
  return typeof value === 'string' && PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);
}
