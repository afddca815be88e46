import { create, fragment } from 'xmlbuilder2';
import { isMapNode } from '../model/document-node.js';
import type { DocumentNode } from '../model/document-node.js';
import type { Scalar } from '../model/property-value.js';
import { replaceInvalidXml } from './allowed-characters.js';
import { isEnvelope } from './envelope.js';
import { splitLongText, estimateRenderedLength } from './chunked-text-output.js';
import type { RenderOptions } from './render-input.js';

/** In pieces (decisions 3.5). Characters that XML 1.0 does not allow become U+FFFD (decisions 3.11). */
export function* renderXml(document: DocumentNode, { pretty }: RenderOptions): Generator<string, void, undefined> {
  const root = typeof document === 'object' && isMapNode(document) && isEnvelope(document) ? 'response' : 'data';
  yield formatXmlDeclaration();
  yield* new XmlWriter(pretty).element(fragment().ele(root), document, 0);
}

export function formatXmlDeclaration(): string {
  return create({ encoding: 'UTF-8' }).end();
}

/** Of a fixed vocabulary. Only texts and values of attributes may be of a source. */
export interface VocabularyElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string>>;
  /** Absent: empty. */
  readonly content?: string | Iterable<VocabularyElement>;
  /** Applied to each slice of a text before it is escaped for XML. */
  readonly encode?: (slice: string) => string;
}

/**
 * Elements of a fixed vocabulary in pieces, for formats such as feeds, without white space between them. The library
 * escapes what needs it, and nothing else, because it takes long for each element.
 */
export class VocabularyWriter {
  /** Of elements without attributes, by name. */
  readonly #tags = new Map<string, readonly [open: string, close: string]>();

  *element({ name, attributes = {}, content = '', encode }: VocabularyElement): Generator<string, void, undefined> {
    const [open, close] = this.#getTags(name);
    yield open.slice(0, -1);
    for (const [attribute, value] of Object.entries(attributes)) yield* writeAttribute(attribute, value);
    yield open.slice(-1);
    if (typeof content !== 'string') for (const child of content) yield* this.element(child);
    else if (PLAIN_TEXT.test(content)) yield content;
    else for (const slice of splitLongText(content)) yield writeText(encode?.(slice) ?? slice);
    yield close;
  }

  #getTags(name: string): readonly [open: string, close: string] {
    const known = this.#tags.get(name);
    if (known !== undefined) return known;
    const tags = splitTags(fragment().ele(name));
    this.#tags.set(name, tags);
    return tags;
  }
}

/** XML does not escape such text. */
const PLAIN_TEXT = /^[ !#-%'-;=?-~]{0,4096}$/;

function* writeAttribute(name: string, value: string): Generator<string, void, undefined> {
  yield ` ${name}="`;
  if (PLAIN_TEXT.test(value)) yield value;
  else for (const slice of splitLongText(value)) yield writeAttributeText(slice);
  yield '"';
}

function writeAttributeText(slice: string): string {
  const element = fragment().ele('a').att('a', escapeAttribute(slice)).toString();
  return element.slice('<a a="'.length, -'"/>'.length);
}

/** Written by the library at once: about a millisecond of work. */
const PIECE_WEIGHT = 4 * 1024;

type Builder = ReturnType<typeof fragment>;
type DomNode = Builder['node'];

type Collection = Exclude<DocumentNode, Scalar>;

/** An item of a list has no name. */
type ElementName = string | undefined;

interface ReusableElement {
  readonly name: ElementName;
  readonly node: DomNode;
  /** First child of the element: its text, empty if the element has other children. */
  readonly text: DomNode;
}

/**
 * Writes small elements together with the library, and splits wide ones. Elements are filled, written, emptied and
 * reused, because creating one takes the library ten times as long as writing it.
 */
class XmlWriter {
  readonly #chunk = fragment();
  #weight = 0;
  /** In the chunk, parents before their children. */
  #usedElements: ReusableElement[] = [];
  readonly #freeElements = new Map<ElementName, ReusableElement[]>();
  #freeCount = 0;

  constructor(private readonly pretty: boolean) {}

  /** In pieces: the tags, and small children in chunks. */
  *element(builder: Builder, value: DocumentNode, depth: number): Generator<string, void, undefined> {
    const [open, close] = splitTags(builder);
    yield this.#formatMargin(depth) + open;
    if (typeof value === 'object') yield* this.#children(value, depth);
    else for (const slice of splitLongText(String(value))) yield writeText(slice);
    yield close;
  }

  *#children(value: Collection, depth: number): Generator<string, void, undefined> {
    let isEmpty = true;
    for (const [name, child] of iterateChildren(value)) {
      isEmpty = false;
      const weight = estimateRenderedLength(child, PIECE_WEIGHT);
      if (weight === Infinity) {
        yield this.#flushChunk(depth + 1);
        yield* this.element(addElement(fragment(), name), child, depth + 1);
      } else {
        this.#appendElement(this.#chunk.node, name, child);
        this.#weight += weight;
        if (this.#weight >= PIECE_WEIGHT) yield this.#flushChunk(depth + 1);
      }
    }
    yield this.#flushChunk(depth + 1);
    if (!isEmpty) yield this.#formatMargin(depth);
  }

  #appendElement(parent: DomNode, name: ElementName, value: DocumentNode): void {
    const element = this.#takeFreeElement(name) ?? this.#createElement(name);
    parent.appendChild(element.node);
    this.#usedElements.push(element);
    element.text.nodeValue = typeof value === 'object' ? '' : escapeText(String(value));
    if (typeof value !== 'object') return;
    for (const [inner, child] of iterateChildren(value)) this.#appendElement(element.node, inner, child);
  }

  /** Empties the chunk. */
  #flushChunk(depth: number): string {
    if (this.#usedElements.length === 0) return '';
    const style = { prettyPrint: this.pretty, allowEmptyTags: true, offset: depth };
    const text = (this.pretty ? '\n' : '') + this.#chunk.toString(style);
    for (const element of this.#usedElements) {
      element.node.parentNode?.removeChild(element.node);
      this.#releaseElement(element);
    }
    [this.#usedElements, this.#weight] = [[], 0];
    return text;
  }

  #releaseElement(element: ReusableElement): void {
    if (this.#freeCount >= MAX_FREE_ELEMENTS) return;
    this.#freeCount += 1;
    const free = this.#freeElements.get(element.name);
    if (free === undefined) this.#freeElements.set(element.name, [element]);
    else free.push(element);
  }

  #takeFreeElement(name: ElementName): ReusableElement | undefined {
    const element = this.#freeElements.get(name)?.pop();
    if (element !== undefined) this.#freeCount -= 1;
    return element;
  }

  #createElement(name: ElementName): ReusableElement {
    const { node } = addElement(this.#chunk, name).txt('');
    if (node.firstChild === null) throw new Error('xmlbuilder2 built an element without its text');
    return { name, node, text: node.firstChild };
  }

  /** Line feed and indentation before a tag. */
  #formatMargin(depth: number): string {
    return this.pretty ? `\n${'  '.repeat(depth)}` : '';
  }
}

/** Names come from sources, and one source may send a thousand. */
const MAX_FREE_ELEMENTS = 1_000;

/**
 * Allowed by every edition of XML 1.0, without a colon, which would denote a namespace. `item` and `property` are
 * excluded, because they are elements of this format.
 */
const ELEMENT_NAME = /^(?!xml|(?:item|property)$)[a-z_][a-z\d._-]*$/i;

function addElement(parent: Builder, name: ElementName): Builder {
  if (name === undefined) return parent.ele('item');
  return ELEMENT_NAME.test(name) ? parent.ele(name) : parent.ele('property').att('name', escapeAttribute(name));
}

function splitTags(builder: Builder): readonly [open: string, close: string] {
  const text = builder.toString({ allowEmptyTags: true });
  const at = text.lastIndexOf('</');
  return [text.slice(0, at), text.slice(at)];
}

function writeText(slice: string): string {
  return fragment().txt(escapeText(slice)).toString();
}

function* iterateChildren(value: Collection): Generator<readonly [ElementName, DocumentNode], void, undefined> {
  if (isMapNode(value)) yield* value;
  else for (const item of value) yield [undefined, item];
}

const REFERENCES: Readonly<Record<string, string>> = { '&': '&amp;', '\r': '&#13;', '\n': '&#10;', '\t': '&#9;' };

/**
 * The library does not escape a `&` that begins what looks like a reference, nor a CR, which would be read as a line
 * feed. It escapes all other characters.
 */
function escapeText(text: string): string {
  return replaceInvalidXml(text).replace(/[&\r]/g, toReference);
}

/** Unescaped line feeds and tabs would be read as spaces. */
function escapeAttribute(text: string): string {
  return replaceInvalidXml(text).replace(/[&\r\n\t]/g, toReference);
}

function toReference(character: string): string {
  return REFERENCES[character] ?? character;
}
