import { isMap } from '../model/document.js';
import type { Node } from '../model/document.js';
import type { Scalar } from '../model/value.js';
import { YAML_INDENT, yamlGap, yamlLines, yamlMapping, yamlQuoted, yamlScalar, yamlSequence } from '../text/yaml.js';
import type { YamlNode } from '../text/yaml.js';
import { LONG, Pending, weightOf } from './pending.js';
import { filled, isQuoted, quotedPieces } from './yaml-quoted.js';
import type { Place } from './yaml-quoted.js';

/**
 * YAML in pieces, one or more for each item of the document's lists: two spaces, width 80, no anchors, read alike by YAML 1.1 and 1.2
 * (decisions.md, section 3). Lone surrogates become U+FFFD.
 */
export function yamlPieces(document: Node): Generator<string, void, undefined> {
  return new Writer().pieces(document);
}

/** Characters that the library writes in one go: about a millisecond of work. */
const PIECE = 4 * 1024;

/** Where a collection is written. */
interface Block {
  /** Levels of indentation. */
  readonly depth: number;
  /** What is written instead of the indentation of its first line. */
  readonly first: string;
  /** What is written of it when it has no entries. */
  readonly empty: string;
}

type Collection = Exclude<Node, Scalar>;

/** Lets the library write small entries of a collection together, and splits those that are wide. */
class Writer {
  readonly #pending = new Pending(PIECE);

  *pieces(document: Node): Generator<string, void, undefined> {
    if (typeof document === 'object') {
      yield* this.#collection(document, { depth: 0, first: '', empty: `${emptyOf(document)}\n` });
    } else yield* this.#scalar(document, { column: 0, indent: YAML_INDENT });
    yield* this.#pending.rest();
  }

  /** Adds a list or named values to what is pending, and gives that out whenever it is full. */
  *#collection(node: Collection, block: Block): Generator<string, void, undefined> {
    const pending = this.#pending;
    const chunk = new Chunk(isMap(node), block);
    for (const [name, value] of entriesOf(node)) {
      const weight = weightOf(value, PIECE);
      if (name.length <= LONG && weight < Infinity) chunk.add(name, value, weight);
      else {
        pending.add(chunk.takeBefore(name));
        yield* this.#value(value, block.depth + 1, isMap(node));
      }
      if (chunk.weight >= PIECE) pending.add(chunk.take());
      if (pending.isFull) yield pending.take();
    }
    pending.add(chunk.isEmpty ? block.empty : chunk.take());
  }

  /** Adds what stands behind a colon, or else behind a dash. */
  *#value(value: Node, depth: number, isNamed: boolean): Generator<string, void, undefined> {
    const indent = YAML_INDENT * depth;
    if (typeof value === 'object') {
      const first = isNamed ? `\n${' '.repeat(indent)}` : ' ';
      yield* this.#collection(value, { depth, first, empty: ` ${emptyOf(value)}\n` });
      return;
    }
    this.#pending.add(' ');
    yield* this.#scalar(value, { column: this.#pending.column, indent });
  }

  *#scalar(value: Scalar, place: Place): Generator<string, void, undefined> {
    const pending = this.#pending;
    if (typeof value !== 'string') {
      pending.add(yamlLines(yamlScalar(value), 0));
      return;
    }
    for (const piece of quotedPieces(value, place)) {
      pending.add(piece);
      if (pending.isFull) yield pending.take();
    }
    pending.add('\n');
  }
}

/** Entries of one collection that the library writes together. */
class Chunk {
  /** Of the entries, in characters. */
  weight = 0;
  /** Whether nothing of the collection was written or added. */
  isEmpty = true;
  readonly #indentation: string;
  #before: string;
  #entries: [name: string, value: YamlNode][] = [];
  /** Texts of the entries that the library does not write, in their order. */
  #quoted: string[] = [];

  constructor(
    private readonly isNamed: boolean,
    private readonly block: Block,
  ) {
    this.#indentation = ' '.repeat(YAML_INDENT * block.depth);
    this.#before = block.first;
  }

  /** Adds an entry with a finite weight; the name of an item is not looked at. */
  add(name: string, value: Node, weight: number): void {
    this.#entries.push([name, this.#nodeOf(value)]);
    this.weight += weight;
    this.isEmpty = false;
  }

  /** The lines of the entries, which are none from here on. */
  take(): string {
    if (this.#entries.length === 0) return '';
    const node = this.isNamed ? yamlMapping(this.#entries) : yamlSequence(this.#entries.map(([, value]) => value));
    const lines = filled(yamlLines(node, this.block.depth), this.#quoted);
    [this.#entries, this.#quoted, this.weight] = [[], [], 0];
    return this.#begin() + lines.slice(this.#indentation.length);
  }

  /** The same with a further entry, up to its colon or dash. */
  takeBefore(name: string): string {
    this.isEmpty = false;
    if (!this.isNamed) return `${this.take()}${this.#begin()}-`;
    if (name.length > LONG) return `${this.take()}${this.#begin()}? ${yamlQuoted(name)}\n${this.#indentation}:`;
    this.add(name, PLACEHOLDER, 0);
    return this.take().slice(0, -` ${PLACEHOLDER}\n`.length);
  }

  #nodeOf(value: Node): YamlNode {
    if (typeof value === 'string' && isQuoted(value)) {
      this.#quoted.push(value);
      return yamlGap();
    }
    if (typeof value !== 'object') return yamlScalar(value);
    if (!isMap(value)) return yamlSequence([...value].map((item) => this.#nodeOf(item)));
    return yamlMapping([...distinct(value)].map(([name, inner]) => [name, this.#nodeOf(inner)]));
  }

  #begin(): string {
    const before = this.#before;
    this.#before = this.#indentation;
    return before;
  }
}

/** A plain scalar. */
const PLACEHOLDER = 'v';

/** Named values, no two names alike when UTF-8 writes them; items have no name. */
function* entriesOf(node: Collection): Generator<readonly [string, Node], void, undefined> {
  if (isMap(node)) yield* distinct(node);
  else for (const item of node) yield ['', item];
}

/** The same with names that UTF-8 can write, no two alike: a reader may refuse a whole text in which a key is there twice. */
function distinct(node: ReadonlyMap<string, Node>): ReadonlyMap<string, Node> {
  if ([...node.keys()].every((name) => name.isWellFormed())) return node;
  const renamed = new Map<string, Node>();
  for (const [name, value] of node) {
    let free = name.toWellFormed();
    while (renamed.has(free) || (free !== name && node.has(free))) free += '\ufffd';
    renamed.set(free, value);
  }
  return renamed;
}

function emptyOf(node: Collection): string {
  return isMap(node) ? '{}' : '[]';
}
