import { isMap } from '../model/document.js';
import type { Node } from '../model/document.js';
import type { Scalar } from '../model/value.js';
import { WIDTH, doubleQuoted, isResolved, yamlKey, yamlPlain, yamlText } from '../text/yaml.js';
import { wellFormed } from './characters.js';
import { Pending, isShort, slicesOf } from './pending.js';

/** Columns of one level. */
const STEP = 2;

/** Characters of a piece: the library takes some 50 µs for a scalar, however short. */
const PIECE = 2 * 1024;

/**
 * YAML in pieces, one or more for each item of the document's lists: two spaces, width 80, no anchors, read alike by YAML 1.1 and 1.2
 * (decisions.md, section 3). Lone surrogates become U+FFFD.
 */
export function yamlPieces(document: Node): Generator<string, void, undefined> {
  return new Writer().pieces(document);
}

/** Where a collection is written. */
interface Block {
  /** Columns before each of its lines. */
  readonly indent: number;
  /** What stands before its first entry instead of these: the end of its key's line, or the dash of the item that it is. */
  readonly first: string;
  /** What is written of it when it has no entries. */
  readonly empty: string;
}

class Writer {
  /** Keys as they are written, by name: records have the same ones over and over. */
  readonly #keys = new Map<string, string>();
  readonly #pending = new Pending(PIECE);

  *pieces(document: Node): Generator<string, void, undefined> {
    if (typeof document !== 'object') {
      yield* this.#scalar(document, 0, 0);
      this.#pending.add('\n');
    } else yield* this.#collection(document, { indent: 0, first: '', empty: `${nothing(document)}\n` });
    yield* this.#pending.rest();
  }

  /** Adds a list or named values to what is pending, and gives that out whenever it is full. */
  *#collection(node: Exclude<Node, Scalar>, block: Block): Generator<string, void, undefined> {
    if (isMap(node)) yield* this.#entries(node, block);
    else yield* this.#items(node, block);
  }

  *#entries(map: ReadonlyMap<string, Node>, { indent, first, empty }: Block): Generator<string, void, undefined> {
    const pending = this.#pending;
    let before = first;
    for (const [name, value] of distinct(map)) {
      const key = this.#key(name, indent);
      pending.add(before + key.slice(indent));
      before = pad(indent);
      if (typeof value === 'object') {
        const inner = indent + STEP;
        yield* this.#collection(value, { indent: inner, first: `\n${pad(inner)}`, empty: ` ${nothing(value)}\n` });
      } else {
        pending.add(' ');
        yield* this.#scalar(value, indent, key.length + 1);
        pending.add('\n');
      }
      if (pending.isFull) yield pending.take();
    }
    if (map.size === 0) pending.add(empty);
  }

  /** Each item of the document's own lists, which are indented by one level at most, is a piece at least. */
  *#items(list: Iterable<Node>, { indent, first, empty }: Block): Generator<string, void, undefined> {
    const pending = this.#pending;
    let before: string | undefined;
    for (const item of list) {
      const dash = `${before ?? first}- `;
      before = pad(indent);
      if (typeof item === 'object') {
        yield* this.#collection(item, { indent: indent + STEP, first: dash, empty: `${dash}${nothing(item)}\n` });
      } else {
        pending.add(dash);
        yield* this.#scalar(item, indent, indent + STEP);
        pending.add('\n');
      }
      if (pending.isFull || indent <= STEP) yield pending.take();
    }
    if (before === undefined) pending.add(empty);
  }

  /** `column` is where it begins. */
  *#scalar(value: Scalar, indent: number, column: number): Generator<string, void, undefined> {
    const pending = this.#pending;
    if (typeof value !== 'string' || isShort(value)) {
      pending.add(scalarText(value, indent, column));
      return;
    }
    pending.add('"');
    for (const slice of slicesOf(value)) {
      pending.add(doubleQuoted(wellFormed(slice)).slice(1, -1));
      if (pending.isFull) yield pending.take();
    }
    pending.add('"');
  }

  #key(name: string, indent: number): string {
    const key = this.#keys.get(name) ?? this.#written(name);
    return pad(indent) + (key.includes('\n') ? key.replace('\n', `\n${pad(indent)}`) : key);
  }

  #written(name: string): string {
    const key = yamlKey(name);
    if (this.#keys.size < MOST_KEYS) this.#keys.set(name, key);
    return key;
  }
}

/** The same with names that UTF-8 can write, no two alike: a reader may refuse a whole text in which a key is there twice. */
function distinct(node: ReadonlyMap<string, Node>): ReadonlyMap<string, Node> {
  if ([...node.keys()].every((name) => wellFormed(name) === name)) return node;
  const renamed = new Map<string, Node>();
  for (const [name, value] of node) {
    let free = wellFormed(name);
    while (renamed.has(free) || (free !== name && node.has(free))) free += '\ufffd';
    renamed.set(free, value);
  }
  return renamed;
}

/** Keys that are kept at most: names come from upstream, and one source may send a thousand. */
const MOST_KEYS = 20_000;

function nothing(node: Exclude<Node, Scalar>): string {
  return isMap(node) ? '{}' : '[]';
}

/**
 * Three forms that most text has, and in which the library would write it too; it needs ten times as long to find that out. Plain:
 * begins with what is no sign, holds no `: ` and no ` #`, ends with no space and no colon. Only what is printed alike everywhere.
 */
const PLAIN =
  /^[A-Za-z\d+(\u00c0-\u024f\u0370-\u03ff\u0400-\u04ff\u3041-\u9fff\uac00-\ud7a3](?:[!-"$-9;-~\u00a1-\u1fff\u3041-\ud7a3]| (?![ #]|$)|:(?! |$)|(?<! )#)*$/;

/** Nothing that is escaped between single quotes. */
const SINGLE = /^[!-&(-~]*$/;

/** With a CR nothing but double quotes will do, and for these characters they are those of JSON. */
const DOUBLE = /^(?=[^\r]*\r)[ -~\r\n\u00a1-\u1fff\u3041-\ud7a3]*$/;

function scalarText(value: Scalar, indent: number, column: number): string {
  if (typeof value !== 'string') return Number.isSafeInteger(value) && value !== 0 ? String(value) : yamlPlain(value);
  const resolved = isResolved(value);
  if (resolved && column + value.length + 2 <= WIDTH && SINGLE.test(value)) return `'${value}'`;
  if (!resolved && column + value.length <= WIDTH && PLAIN.test(value)) return value;
  if (DOUBLE.test(value)) return JSON.stringify(value);
  return yamlText(wellFormed(value), { indent, column });
}

const SPACES = ' '.repeat(64);

function pad(width: number): string {
  return width <= SPACES.length ? SPACES.slice(0, width) : ' '.repeat(width);
}
