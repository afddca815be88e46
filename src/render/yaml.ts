import { isMap } from '../model/document.js';
import type { Node } from '../model/document.js';
import type { Scalar } from '../model/value.js';
import { WIDTH, isResolved, yamlKey, yamlPlain, yamlText } from '../text/yaml.js';
import { wellFormed } from './characters.js';

/** Columns of one level. */
const STEP = 2;

/**
 * YAML in pieces, one for each item of the document's lists: two spaces, width 80, no anchors, read alike by YAML 1.1 and 1.2
 * (decisions.md, section 3). Lone surrogates become U+FFFD.
 */
export function yamlPieces(document: Node): Generator<string, void, undefined> {
  return new Writer().pieces(document);
}

class Writer {
  /** Keys as they are written, by name: records have the same ones over and over. */
  readonly #keys = new Map<string, string>();

  *pieces(document: Node): Generator<string, void, undefined> {
    if (typeof document !== 'object') yield `${scalarText(document, 0, 0)}\n`;
    else if (!isMap(document)) yield* this.#items(document, 0, '', '[]\n');
    else if (document.size === 0) yield '{}\n';
    else yield* this.#entries(document);
  }

  *#entries(document: ReadonlyMap<string, Node>): Generator<string, void, undefined> {
    for (const [name, value] of distinct(document)) {
      const key = this.#key(name, 0);
      if (typeof value === 'object' && !isMap(value)) yield* this.#items(value, STEP, `${key}\n`, `${key} []\n`);
      else yield key + this.#value(value, 0, key.length + 1);
    }
  }

  /** A list, with what stands before its first item, or for all of it when it has none. */
  *#items(list: Iterable<Node>, indent: number, before: string, empty: string): Generator<string, void, undefined> {
    let head = before;
    let none = true;
    for (const item of list) {
      none = false;
      yield head + this.#item(item, indent);
      head = '';
    }
    if (none) yield empty;
  }

  #item(item: Node, indent: number): string {
    const dash = `${pad(indent)}-`;
    if (typeof item !== 'object') return `${dash} ${scalarText(item, indent, indent + STEP)}\n`;
    const block = this.#block(item, indent + STEP);
    return block === '' ? `${dash} ${nothing(item)}\n` : `${dash} ${block.slice(indent + STEP)}`;
  }

  /** What stands behind a key: `indent` is the key's, `column` where a scalar would begin. */
  #value(value: Node, indent: number, column: number): string {
    if (typeof value !== 'object') return ` ${scalarText(value, indent, column)}\n`;
    const block = this.#block(value, indent + STEP);
    return block === '' ? ` ${nothing(value)}\n` : `\n${block}`;
  }

  /** Lines of a collection; none when it is empty. */
  #block(node: Exclude<Node, Scalar>, indent: number): string {
    let text = '';
    if (!isMap(node)) {
      for (const item of node) text += this.#item(item, indent);
      return text;
    }
    for (const [name, value] of distinct(node)) {
      const key = this.#key(name, indent);
      text += key + this.#value(value, indent, key.length + 1);
    }
    return text;
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

/** Keys that are kept at most: names come from upstream. */
const MOST_KEYS = 1_000;

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
