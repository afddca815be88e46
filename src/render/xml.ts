import { create, fragment } from 'xmlbuilder2';
import { isMap } from '../model/document.js';
import type { Node } from '../model/document.js';
import type { Scalar } from '../model/value.js';
import { xmlAllowed } from './characters.js';
import { isEnvelope } from './envelope.js';
import { slicesOf, weightOf } from './pending.js';
import type { Style } from './rendering.js';

/**
 * XML in pieces (decisions.md, section 3): the root is `response` with the envelope's properties, or `data`; items of a list are `item`.
 * Pretty: two spaces; else no white space. Characters that XML 1.0 does not allow become U+FFFD.
 */
export function* xmlPieces(document: Node, { pretty }: Style): Generator<string, void, undefined> {
  const root = typeof document === 'object' && isMap(document) && isEnvelope(document) ? 'response' : 'data';
  yield create({ encoding: 'UTF-8' }).end();
  yield* new Writer(pretty).element(fragment().ele(root), document, 0);
}

/** Characters that the library writes in one go: about a millisecond of work. */
const PIECE = 4 * 1024;

type Builder = ReturnType<typeof fragment>;
type DomNode = Builder['node'];

type Collection = Exclude<Node, Scalar>;

/** The name of a property; an item of a list has none. */
type Name = string | undefined;

/** An element that is used for many values. */
interface Element {
  readonly name: Name;
  readonly node: DomNode;
  /** Its first child, which is empty where it has further ones. */
  readonly text: DomNode;
}

/**
 * Lets the library write small elements together, and splits those that are wide. Elements are filled, written, emptied and filled again: to build one
 * costs the library ten times as much as to write it.
 */
class Writer {
  /** What is written in one go. */
  readonly #chunk = fragment();
  #weight = 0;
  /** The elements of the chunk, parents before their children. */
  #used: Element[] = [];
  readonly #free = new Map<Name, Element[]>();
  #freeCount = 0;

  constructor(private readonly pretty: boolean) {}

  /** An element in pieces: its tags, and its children as far as they are small in chunks. */
  *element(builder: Builder, value: Node, depth: number): Generator<string, void, undefined> {
    const [open, close] = tagsOf(builder);
    yield this.#margin(depth) + open;
    if (typeof value === 'object') yield* this.#children(value, depth);
    else for (const slice of slicesOf(String(value))) yield textOf(slice);
    yield close;
  }

  *#children(value: Collection, depth: number): Generator<string, void, undefined> {
    let isEmpty = true;
    for (const [name, child] of childrenOf(value)) {
      isEmpty = false;
      const weight = weightOf(child, PIECE);
      if (weight === Infinity) {
        yield this.#take(depth + 1);
        yield* this.element(built(fragment(), name), child, depth + 1);
      } else {
        this.#fill(this.#chunk.node, name, child);
        this.#weight += weight;
        if (this.#weight >= PIECE) yield this.#take(depth + 1);
      }
    }
    yield this.#take(depth + 1);
    if (!isEmpty) yield this.#margin(depth);
  }

  /** Adds an element to its parent. */
  #fill(parent: DomNode, name: Name, value: Node): void {
    const element = this.#reused(name) ?? this.#built(name);
    parent.appendChild(element.node);
    this.#used.push(element);
    element.text.nodeValue = typeof value === 'object' ? '' : escaped(String(value));
    if (typeof value !== 'object') return;
    for (const [inner, child] of childrenOf(value)) this.#fill(element.node, inner, child);
  }

  /** The chunk as text, which is empty from here on. */
  #take(depth: number): string {
    if (this.#used.length === 0) return '';
    const style = { prettyPrint: this.pretty, allowEmptyTags: true, offset: depth };
    const text = (this.pretty ? '\n' : '') + this.#chunk.toString(style);
    for (const element of this.#used) {
      element.node.parentNode?.removeChild(element.node);
      this.#keep(element);
    }
    [this.#used, this.#weight] = [[], 0];
    return text;
  }

  #keep(element: Element): void {
    if (this.#freeCount >= MOST_ELEMENTS) return;
    this.#freeCount += 1;
    const free = this.#free.get(element.name);
    if (free === undefined) this.#free.set(element.name, [element]);
    else free.push(element);
  }

  #reused(name: Name): Element | undefined {
    const element = this.#free.get(name)?.pop();
    if (element !== undefined) this.#freeCount -= 1;
    return element;
  }

  #built(name: Name): Element {
    const { node } = built(this.#chunk, name).txt('');
    if (node.firstChild === null) throw new Error('xmlbuilder2 built an element without its text');
    return { name, node, text: node.firstChild };
  }

  /** The line feed and the indentation before a tag. */
  #margin(depth: number): string {
    return this.pretty ? `\n${'  '.repeat(depth)}` : '';
  }
}

/** Elements that are kept at most: names come from upstream, and one source may send a thousand. */
const MOST_ELEMENTS = 1_000;

/**
 * Names that are written as elements: those that every edition of XML 1.0 allows, without the colon, which would be a namespace. A
 * property that is called as an element of this format is would be taken for that.
 */
const ELEMENT = /^(?!xml|(?:item|property)$)[a-z_][a-z\d._-]*$/i;

function built(parent: Builder, name: Name): Builder {
  if (name === undefined) return parent.ele('item');
  return ELEMENT.test(name) ? parent.ele(name) : parent.ele('property').att('name', inAttribute(name));
}

function tagsOf(builder: Builder): readonly [open: string, close: string] {
  const text = builder.toString({ allowEmptyTags: true });
  const at = text.lastIndexOf('</');
  return [text.slice(0, at), text.slice(at)];
}

function textOf(slice: string): string {
  return fragment().txt(escaped(slice)).toString();
}

function* childrenOf(value: Collection): Generator<readonly [Name, Node], void, undefined> {
  if (isMap(value)) yield* value;
  else for (const item of value) yield [undefined, item];
}

const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '\r': '&#13;', '\n': '&#10;', '\t': '&#9;' };

/** The library leaves a `&` alone that begins what looks like a reference, and a raw CR would be read as a line feed; it escapes the rest. */
function escaped(text: string): string {
  return xmlAllowed(text).replace(/[&\r]/g, referenceTo);
}

/** Raw line feeds and tabs would be read as spaces. */
function inAttribute(text: string): string {
  return xmlAllowed(text).replace(/[&\r\n\t]/g, referenceTo);
}

function referenceTo(character: string): string {
  return REFERENCES[character] ?? character;
}
