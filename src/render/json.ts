import { isLasting, isMap } from '../model/document.js';
import type { LastingList, Node } from '../model/document.js';
import type { Scalar } from '../model/value.js';
import { Pending, isShort, slicesOf } from './pending.js';

/**
 * JSON in pieces, one or more for each item of the document's lists, so that a long answer can be written with turns of the event loop
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
  if (typeof node !== 'object' || isMap(node)) yield* itemPieces('', node, level);
  else yield* write(node, level);
}

function* listPieces(list: Iterable<Node>, level: Level): Generator<string, void, undefined> {
  let before = '[';
  for (const item of list) {
    yield* itemPieces(before + level.inner, item, level.deeper);
    before = ',';
  }
  yield before === '[' ? '[]' : `${level.margin}]`;
}

/** A node with what stands before it: one piece, or several where it is wide. */
function* itemPieces(before: string, item: Node, level: Level): Generator<string, void, undefined> {
  const pending = new Pending();
  pending.add(before);
  yield* write(item, level, pending);
  yield* pending.rest();
}

/** Pieces of items that become one chunk at most: a turn of the event loop has room for more, and a page of an answer has no more. */
const AT_ONCE = 100;

/** Bytes from which on pieces become a chunk, however few they are. */
const CHUNK = 128 * 1024;

const [OPENING = 0] = Buffer.from('[');

/** Each item is kept with the comma that stands before it. */
function* lastingChunks(list: LastingList, level: Level): Generator<string | Uint8Array, void, undefined> {
  const way = `json ${level.inner.length}`;
  const written = list.written(way, (item) => itemPieces(`,${level.inner}`, item, level.deeper));
  let together: Uint8Array[] = [];
  let [bytes, begun] = [0, false];
  for (const piece of written) {
    if (together.length === AT_ONCE || bytes >= CHUNK) {
      yield chunk(together, begun);
      [together, bytes, begun] = [[], 0, true];
    }
    together.push(piece);
    bytes += piece.length;
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

/** Names that are kept at most: they come from upstream, and one source may send a thousand. */
const MOST_NAMES = 20_000;

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

/** Adds a node to what is pending, and gives that out whenever it is full. */
function* write(node: Node, level: Level, pending: Pending): Generator<string, void, undefined> {
  if (typeof node !== 'object') yield* scalarPieces(node, pending);
  else if (isMap(node)) yield* mapPieces(node, level, pending);
  else yield* itemsPieces(node, level, pending);
}

function* mapPieces(
  map: ReadonlyMap<string, Node>,
  level: Level,
  pending: Pending,
): Generator<string, void, undefined> {
  const { margin, deeper } = level;
  let before = '{';
  for (const [name, value] of map) {
    pending.add(before + level.head(name));
    before = ',';
    if (isShort(value)) pending.add(scalarText(value));
    else yield* write(value, deeper, pending);
    if (pending.isFull) yield pending.take();
  }
  pending.add(before === '{' ? '{}' : `${margin}}`);
}

function* itemsPieces(list: Iterable<Node>, level: Level, pending: Pending): Generator<string, void, undefined> {
  const { inner, margin, deeper } = level;
  let before = '[';
  for (const item of list) {
    pending.add(before + inner);
    before = ',';
    if (isShort(item)) pending.add(scalarText(item));
    else yield* write(item, deeper, pending);
    if (pending.isFull) yield pending.take();
  }
  pending.add(before === '[' ? '[]' : `${margin}]`);
}

function* scalarPieces(value: Scalar, pending: Pending): Generator<string, void, undefined> {
  if (typeof value !== 'string' || isShort(value)) {
    pending.add(scalarText(value));
    return;
  }
  pending.add('"');
  for (const slice of slicesOf(value)) {
    pending.add(scalarText(slice).slice(1, -1));
    if (pending.isFull) yield pending.take();
  }
  pending.add('"');
}

/** Holds nothing that JSON escapes: quotes, backslashes, controls, lone surrogates; nor pairs of these, which would have to be told from them. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

function scalarText(value: Scalar): string {
  return typeof value === 'string' && PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);
}
