import { fragment } from 'xmlbuilder2';
import { isMap } from '../model/document.js';
import type { Node } from '../model/document.js';
import { xmlAllowed } from './characters.js';
import { isEnvelope } from './envelope.js';
import { Pending, isShort, slicesOf } from './pending.js';
import type { Style } from './rendering.js';

/**
 * XML in pieces, one or more for each item of the document's lists (decisions.md, section 3): the root is `response` with the envelope's
 * properties, or `data`; items of a list are `item`. Pretty: two spaces; else no white space. Characters that XML 1.0 does not
 * allow become U+FFFD.
 */
export function* xmlPieces(document: Node, { pretty }: Style): Generator<string, void, undefined> {
  const writer = new Writer();
  const margin = pretty ? '\n' : '';
  const root = tagOf(typeof document === 'object' && isMap(document) && isEnvelope(document) ? 'response' : 'data');
  yield '<?xml version="1.0" encoding="UTF-8"?>';
  if (typeof document !== 'object') yield* writer.whole(root, document, margin);
  else if (!isMap(document)) yield* writer.list(root, document, margin);
  else yield* writer.root(root, document, margin);
}

/** What an element begins and ends with. */
interface Tag {
  readonly open: string;
  readonly close: string;
}

/** A line feed and the indentation before an element, or nothing. */
type Margin = string;

/** Where an element is written. */
interface Place {
  readonly margin: Margin;
  readonly pending: Pending;
}

class Writer {
  /** Tags as they are written, by the name of their property: records have the same ones over and over. */
  readonly #tags = new Map<string, Tag>();

  /** The root with the properties of an envelope or of one item; lists among them item by item. */
  *root(root: Tag, document: ReadonlyMap<string, Node>, margin: Margin): Generator<string, void, undefined> {
    yield margin + root.open;
    const inner = deeper(margin);
    for (const [name, value] of document) {
      const tag = this.#property(name);
      if (typeof value === 'object' && !isMap(value)) yield* this.list(tag, value, inner);
      else yield* this.whole(tag, value, inner);
    }
    yield margin + root.close;
  }

  *list(tag: Tag, items: Iterable<Node>, margin: Margin): Generator<string, void, undefined> {
    yield margin + tag.open;
    let end = '';
    for (const item of items) {
      yield* this.whole(ITEM, item, deeper(margin));
      end = margin;
    }
    yield end + tag.close;
  }

  /** One element: one piece, or several where it is wide. */
  *whole(tag: Tag, value: Node, margin: Margin): Generator<string, void, undefined> {
    const pending = new Pending();
    yield* this.#element(tag, value, { margin, pending });
    yield* pending.rest();
  }

  /** Adds an element to what is pending, and gives that out whenever it is full. */
  *#element(tag: Tag, value: Node, { margin, pending }: Place): Generator<string, void, undefined> {
    if (typeof value !== 'object') {
      pending.add(margin + tag.open);
      yield* text(String(value), pending);
      pending.add(tag.close);
      return;
    }
    pending.add(margin + tag.open);
    const inner = { margin: deeper(margin), pending };
    let end = '';
    for (const [of, node] of this.#children(value)) {
      end = margin;
      if (isShort(node)) pending.add(inner.margin + of.open + escaped(String(node)) + of.close);
      else yield* this.#element(of, node, inner);
      if (pending.isFull) yield pending.take();
    }
    pending.add(end + tag.close);
  }

  *#children(value: Iterable<Node> | ReadonlyMap<string, Node>): Generator<readonly [Tag, Node], void, undefined> {
    if (isMap(value)) for (const [name, node] of value) yield [this.#property(name), node];
    else for (const item of value) yield [ITEM, item];
  }

  #property(name: string): Tag {
    const known = this.#tags.get(name);
    if (known !== undefined) return known;
    const tag = propertyTag(name);
    if (this.#tags.size < MOST_TAGS) this.#tags.set(name, tag);
    return tag;
  }
}

/** Tags that are kept at most: names come from upstream, and one source may send a thousand. */
const MOST_TAGS = 20_000;

const ITEM: Tag = { open: '<item>', close: '</item>' };

/**
 * Names that are written as elements: those that every edition of XML 1.0 allows, without the colon, which would be a namespace. A
 * property that is called as an element of this format is would be taken for that.
 */
const ELEMENT = /^(?!xml|(?:item|property)$)[a-z_][a-z\d._-]*$/i;

function propertyTag(name: string): Tag {
  return ELEMENT.test(name) ? tagOf(name) : tagOf('property', name);
}

/** The library's element with nothing in it, cut in two. It builds a tree, which for every value of every record takes too long. */
function tagOf(element: string, name?: string): Tag {
  const built = fragment().ele(element);
  if (name !== undefined) built.att('name', inAttribute(name));
  const text = built.toString({ allowEmptyTags: true });
  const at = text.lastIndexOf('</');
  return { open: text.slice(0, at), close: text.slice(at) };
}

const SPECIAL = /[&<>\r]/g;

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

function* text(value: string, pending: Pending): Generator<string, void, undefined> {
  for (const slice of slicesOf(value)) {
    pending.add(escaped(slice));
    if (pending.isFull) yield pending.take();
  }
}

/** `>` too, for `]]>` may not stand in text; a raw CR would be read as a line feed. */
function escaped(text: string): string {
  return xmlAllowed(text).replace(SPECIAL, referenceTo);
}

/** The library leaves a `&` alone that begins what looks like a reference. Raw line feeds and tabs would be read as spaces. */
function inAttribute(text: string): string {
  return xmlAllowed(text).replace(/[&\r\n\t]/g, referenceTo);
}

function referenceTo(character: string): string {
  return REFERENCES[character] ?? character;
}

function deeper(margin: Margin): Margin {
  return margin === '' ? '' : `${margin}  `;
}
