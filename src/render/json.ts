import { isImmutableList, isMapNode } from '../model/document-node.js';
import type { ImmutableList, DocumentNode } from '../model/document-node.js';
import type { Scalar } from '../model/property-value.js';
import { OutputBuffer, isShortScalar, splitLongText } from './chunked-text-output.js';

/**
 * At least one piece for each item of the document's lists, so that the event loop can run between them (decisions
 * 3.14). Pretty JSON has four spaces, LF, `": "` and no newline at the end; compact JSON has no white space (decisions
 * 2.6). The output equals that of `JSON.stringify` byte for byte.
 */
export function renderJsonText(document: DocumentNode, pretty: boolean): Generator<string, void, undefined> {
  return renderDocument(document, pretty, renderList);
}

/** Items of immutable lists are cached bytes. */
export function renderJson(document: DocumentNode, pretty: boolean): Generator<string | Uint8Array, void, undefined> {
  return renderDocument<string | Uint8Array>(document, pretty, (list, level) =>
    isImmutableList(list) ? renderImmutableList(list, level) : renderList(list, level),
  );
}

/** A line of compact JSON for each item, in pieces (decisions 3.15). */
export function* renderJsonLines(items: Iterable<DocumentNode>): Generator<string, void, undefined> {
  const level = new JsonLevel('');
  for (const item of items) {
    yield* renderItem('', item, level);
    yield '\n';
  }
}

/** In pieces. */
type ListWriter<Piece> = (list: Iterable<DocumentNode>, level: JsonLevel) => Iterable<Piece>;

function* renderDocument<Piece>(
  document: DocumentNode,
  pretty: boolean,
  write: ListWriter<Piece>,
): Generator<Piece | string, void, undefined> {
  const level = new JsonLevel(pretty ? '\n' : '');
  if (typeof document !== 'object' || !isMapNode(document)) {
    yield* renderNode(document, level, write);
    return;
  }
  let before = '{';
  for (const [name, value] of document) {
    yield before + level.formatName(name);
    yield* renderNode(value, level.deeper, write);
    before = ',';
  }
  yield before === '{' ? '{}' : `${level.margin}}`;
}

function* renderNode<Piece>(
  node: DocumentNode,
  level: JsonLevel,
  write: ListWriter<Piece>,
): Generator<Piece | string, void, undefined> {
  if (typeof node !== 'object' || isMapNode(node)) yield* renderItem('', node, level);
  else yield* write(node, level);
}

function* renderList(list: Iterable<DocumentNode>, level: JsonLevel): Generator<string, void, undefined> {
  let before = '[';
  for (const item of list) {
    yield* renderItem(before + level.innerMargin, item, level.deeper);
    before = ',';
  }
  yield before === '[' ? '[]' : `${level.margin}]`;
}

/** In one piece or, if the item is wide, in several. */
function* renderItem(before: string, item: DocumentNode, level: JsonLevel): Generator<string, void, undefined> {
  const pending = new OutputBuffer();
  pending.add(before);
  yield* writeNode(item, level, pending);
  yield* pending.flushRest();
}

/** The default page size, which takes less than a turn of the event loop. */
const MAX_ITEMS_PER_CHUNK = 100;

/** A chunk of so many bytes is complete, however few its items are. */
const CHUNK_BYTES = 128 * 1024;

const [OPENING = 0] = Buffer.from('[');

/** In chunks. Each item is cached together with the comma before it. */
function* renderImmutableList(list: ImmutableList, level: JsonLevel): Generator<string | Uint8Array, void, undefined> {
  const serialization = `json ${level.innerMargin.length}`;
  const items = list.serializeItems(serialization, (item) => renderItem(`,${level.innerMargin}`, item, level.deeper));
  let chunk: Uint8Array[] = [];
  let [bytes, hasStarted] = [0, false];
  for (const piece of items) {
    if (chunk.length === MAX_ITEMS_PER_CHUNK || bytes >= CHUNK_BYTES) {
      yield joinItems(chunk, hasStarted);
      [chunk, bytes, hasStarted] = [[], 0, true];
    }
    chunk.push(piece);
    bytes += piece.length;
  }
  if (chunk.length === 0) {
    yield '[]';
    return;
  }
  chunk.push(Buffer.from(`${level.margin}]`));
  yield joinItems(chunk, hasStarted);
}

/** The comma of the first item of a list becomes its bracket. */
function joinItems(items: readonly Uint8Array[], hasStarted: boolean): Uint8Array {
  const chunk = Buffer.concat(items);
  if (!hasStarted) chunk[0] = OPENING;
  return chunk;
}

const INDENT = '    ';

/** For each depth. Names come from sources, and one source may send a thousand. */
const MAX_CACHED_NAMES = 20_000;

/** White space and names of one depth of the document. */
class JsonLevel {
  /** Before a name or an item: line feed and indentation, or nothing in compact JSON. */
  readonly innerMargin: string;
  /** Records repeat the same names. */
  readonly #formattedNames = new Map<string, string>();
  #deeper: JsonLevel | undefined;

  /** `margin` precedes the closing bracket. */
  constructor(readonly margin: string) {
    this.innerMargin = margin === '' ? '' : margin + INDENT;
  }

  get deeper(): JsonLevel {
    return (this.#deeper ??= new JsonLevel(this.innerMargin));
  }

  /** White space, name and colon, without the comma. */
  formatName(name: string): string {
    const known = this.#formattedNames.get(name);
    if (known !== undefined) return known;
    const head = this.innerMargin + JSON.stringify(name) + (this.innerMargin === '' ? ':' : ': ');
    if (this.#formattedNames.size < MAX_CACHED_NAMES) this.#formattedNames.set(name, head);
    return head;
  }
}

/** Yields the buffer whenever it is full. */
function* writeNode(node: DocumentNode, level: JsonLevel, pending: OutputBuffer): Generator<string, void, undefined> {
  if (typeof node !== 'object') yield* writeScalar(node, pending);
  else if (isMapNode(node)) yield* writeMap(node, level, pending);
  else yield* writeItems(node, level, pending);
}

function* writeMap(
  map: ReadonlyMap<string, DocumentNode>,
  level: JsonLevel,
  pending: OutputBuffer,
): Generator<string, void, undefined> {
  const { margin, deeper } = level;
  let before = '{';
  for (const [name, value] of map) {
    pending.add(before + level.formatName(name));
    before = ',';
    if (isShortScalar(value)) pending.add(formatScalar(value));
    else yield* writeNode(value, deeper, pending);
    if (pending.isFull) yield pending.flush();
  }
  pending.add(before === '{' ? '{}' : `${margin}}`);
}

function* writeItems(
  list: Iterable<DocumentNode>,
  level: JsonLevel,
  pending: OutputBuffer,
): Generator<string, void, undefined> {
  const { innerMargin: inner, margin, deeper } = level;
  let before = '[';
  for (const item of list) {
    pending.add(before + inner);
    before = ',';
    if (isShortScalar(item)) pending.add(formatScalar(item));
    else yield* writeNode(item, deeper, pending);
    if (pending.isFull) yield pending.flush();
  }
  pending.add(before === '[' ? '[]' : `${margin}]`);
}

function* writeScalar(value: Scalar, pending: OutputBuffer): Generator<string, void, undefined> {
  if (typeof value !== 'string' || isShortScalar(value)) {
    pending.add(formatScalar(value));
    return;
  }
  pending.add('"');
  for (const slice of splitLongText(value)) {
    pending.add(formatScalar(slice).slice(1, -1));
    if (pending.isFull) yield pending.flush();
  }
  pending.add('"');
}

/** Surrogate pairs are excluded too, because they would have to be distinguished from lone ones. */
const NEEDS_NO_ESCAPE = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

function formatScalar(value: Scalar): string {
  return typeof value === 'string' && NEEDS_NO_ESCAPE.test(value) ? `"${value}"` : JSON.stringify(value);
}
