import { hasWebProtocol } from '../../../text/url.js';
import { cutText, showHiddenCharacters } from '../../../text/visible-text.js';
import { SourceFailure } from '../../client/source-failure.js';
import { MAX_MARKUP_DEPTH } from '../body-limits.js';
import { MAX_DOCUMENT_TYPE, removeNotAllowed, requireBoundedXml, requireDocumentType } from '../xml-syntax.js';
import type { AddressResolver } from './address-resolver.js';

/** The kinds of feeds in XML: RSS 0.9x and 2.0, RSS 0.90 and 1.0 (RDF), Atom. */
export type XmlFeedFormat = 'rss' | 'rdf' | 'atom';

/** A feed as well-formed XML without comments, processing instructions and a document type. */
export interface NormalFeedXml {
  readonly format: XmlFeedFormat;
  /** Each item and each element with `xml:base` has it as an absolute URL. */
  readonly text: string;
  /** Number of items or entries, including those without anything in them. */
  readonly itemCount: number;
}

/**
 * Checks that a feed is well-formed and complete, and repairs what many feeds have: ampersands that begin no reference,
 * characters that XML does not allow, attributes without white space between them, white space before the declaration
 * (decisions 4.32.1). Throws a `SourceFailure`: `body` if it is not well-formed, declares entities or has another root
 * element; `size` beyond the limits of (decisions 8.6). feedsmith itself accepts feeds whose end is missing.
 */
export function normalizeFeedXml(text: string, addresses: AddressResolver): NormalFeedXml {
  requireBoundedXml(text);
  const normal = new FeedNormalizer(removeNotAllowed(text), addresses).normalize();
  // Without the comments between them, texts may have become longer.
  requireBoundedXml(normal.text);
  return normal;
}

/** An open element. */
interface OpenElement {
  readonly name: string;
  /** Local name in lower case. */
  readonly local: string;
  readonly prefix: string;
  readonly base: URL;
}

/** The attribute of a start tag, with its value as written. */
type Attribute = readonly [name: string, value: string];

/**
 * Ampersands that begin no reference but would be read as one: `&copy=1`. Names of entities of HTML have at most 31
 * letters.
 */
const BARE_AMPERSAND = /&(?=[a-z#])(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{0,30});)/gi;

const NAME = /[\p{L}_:][\p{L}\p{N}\p{M}_:.\u00b7-]*/uy;
const ATTRIBUTE = /\s*([^\s=<>"'/&]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
const TAG_END = /\s*(\/?)>/y;
const BLANK = /^\s*$/;

const FORMATS: ReadonlyMap<string, XmlFeedFormat> = new Map([
  ['rss', 'rss'],
  ['rdf', 'rdf'],
  ['feed', 'atom'],
]);

/** Namespaces of Atom 1.0 and 0.3. */
const ATOM_NAMESPACE = /^\s*https?:\/\/(?:www\.w3\.org\/2005\/atom|purl\.org\/atom\/ns)/i;
const RDF_NAMESPACE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

class FeedNormalizer {
  private readonly output: string[] = [];
  private readonly open: OpenElement[] = [];
  private format: XmlFeedFormat | undefined;
  private itemCount = 0;
  private at = 0;
  /** Number of open elements within which nothing is written; undefined outside of a left-out element. */
  private leftOutFrom: number | undefined;

  constructor(
    private readonly text: string,
    private readonly addresses: AddressResolver,
  ) {}

  normalize(): NormalFeedXml {
    while (this.at < this.text.length) this.readNext();
    const missing = this.open.at(-1);
    if (missing !== undefined) throw malformed(`<${quote(missing.name)}> is not closed: the feed is incomplete`);
    if (this.format === undefined) throw malformed('no root element');
    return { format: this.format, text: this.output.join(''), itemCount: this.itemCount };
  }

  private readNext(): void {
    const { text, at } = this;
    if (text.charAt(at) !== '<') this.readText();
    else if (text.startsWith('<!--', at)) this.skipTo('<!--', '-->');
    else if (text.startsWith('<![CDATA[', at)) this.readCdata();
    else if (text.startsWith('<?', at)) this.skipTo('<?', '?>');
    else if (text.startsWith('<!', at)) this.skipDeclaration();
    else if (text.startsWith('</', at)) this.readEndTag();
    else this.readStartTag();
  }

  private write(text: string): void {
    if (this.leftOutFrom === undefined) this.output.push(text);
  }

  private readText(): void {
    const end = this.text.indexOf('<', this.at);
    const text = this.text.slice(this.at, end < 0 ? undefined : end);
    this.at += text.length;
    if (this.open.length > 0) this.write(text.replace(BARE_AMPERSAND, '&amp;'));
    else if (!BLANK.test(text)) throw malformed('text outside of the root element');
  }

  private readCdata(): void {
    if (this.open.length === 0) throw malformed('text outside of the root element');
    const from = this.at;
    this.skipTo('<![CDATA[', ']]>');
    this.write(this.text.slice(from, this.at));
  }

  private skipTo(beginning: string, end: string): void {
    const index = this.text.indexOf(end, this.at + beginning.length);
    if (index < 0) throw malformed(`no ${end}: the feed is incomplete`);
    this.at = index + end.length;
  }

  private skipDeclaration(): void {
    if (this.open.length > 0 || this.format !== undefined) throw malformed('a declaration within the feed');
    this.at += requireDocumentType(this.text.slice(this.at, this.at + MAX_DOCUMENT_TYPE));
  }

  private readEndTag(): void {
    this.at += 2;
    const name = this.match(NAME)?.[0] ?? '';
    const element = this.open.pop();
    if (element?.name !== name || this.match(TAG_END)?.[1] !== '')
      throw malformed(`</${quote(name)}> does not close the element that is open`);
    this.write(`</${safeName(name)}>`);
    if (this.leftOutFrom === this.open.length) this.leftOutFrom = undefined;
  }

  private readStartTag(): void {
    this.at += 1;
    const name = this.match(NAME)?.[0];
    if (name === undefined) throw malformed('a < that begins no tag');
    const attributes = this.readAttributes();
    const end = this.match(TAG_END);
    if (end === undefined) throw malformed(`in the tag <${quote(name)}>`);
    this.begin(name, attributes, end[1] === '/');
  }

  private readAttributes(): readonly Attribute[] {
    const attributes: Attribute[] = [];
    for (let found = this.match(ATTRIBUTE); found !== undefined; found = this.match(ATTRIBUTE))
      attributes.push([found[1] ?? '', found[2] ?? found[3] ?? '']);
    return attributes;
  }

  private begin(name: string, attributes: readonly Attribute[], isEmpty: boolean): void {
    const element = this.createElement(name, attributes);
    const isItem = this.isItem(element);
    if (isItem) this.itemCount += 1;
    const leavesOut = this.leftOutFrom === undefined && this.isTableOfContents(element);
    if (leavesOut) this.leftOutFrom = this.open.length;
    this.write(`<${safeName(name)}${this.formatAttributes(element, attributes, isItem)}${isEmpty ? '/>' : '>'}`);
    if (!isEmpty) this.open.push(element);
    else if (leavesOut) this.leftOutFrom = undefined;
    if (this.open.length > MAX_MARKUP_DEPTH)
      throw new SourceFailure('size', `elements nested more than ${MAX_MARKUP_DEPTH} deep`);
  }

  private createElement(name: string, attributes: readonly Attribute[]): OpenElement {
    const parent = this.open.at(-1);
    const colon = name.indexOf(':');
    const element = {
      name,
      local: name.slice(colon + 1).toLowerCase(),
      prefix: name.slice(0, Math.max(0, colon)),
      base: this.resolveBase(attributes, parent?.base ?? this.addresses.address),
    };
    if (parent === undefined) this.format = this.requireFormat(element, attributes);
    return element;
  }

  private resolveBase(attributes: readonly Attribute[], base: URL): URL {
    const written = attributes.find(([name]) => name === BASE)?.[1];
    if (written === undefined) return base;
    const resolved = this.addresses.resolve(written.replaceAll('&amp;', '&'), base);
    return resolved !== undefined && hasWebProtocol(resolved) ? resolved : base;
  }

  private requireFormat(root: OpenElement, attributes: readonly Attribute[]): XmlFeedFormat {
    if (this.format !== undefined) throw malformed('more than one root element');
    const format = FORMATS.get(root.local);
    const namespace = findNamespace(root, attributes);
    const isOther = format === 'atom' && namespace !== undefined && !ATOM_NAMESPACE.test(namespace);
    if (format === undefined || isOther)
      throw new SourceFailure('body', `XML with the root element <${quote(root.name)}>, which is no feed`);
    return format;
  }

  private isItem({ local, prefix }: OpenElement): boolean {
    const parent = this.open.at(-1);
    if (parent === undefined) return false;
    if (this.format === 'rss')
      return local === 'item' && prefix === parent.prefix && isRssParent(parent, this.open.length);
    if (this.open.length > 1) return false;
    return this.format === 'rdf' ? local === 'item' : local === 'entry' && prefix === parent.prefix;
  }

  /**
   * The list of the items' addresses in the channel of RSS 1.0. feedsmith would leave out items that are not in it, and
   * look each of its addresses up in the list of all items.
   */
  private isTableOfContents({ local }: OpenElement): boolean {
    return this.format === 'rdf' && local === 'items' && this.open.length === 2;
  }

  private formatAttributes(element: OpenElement, attributes: readonly Attribute[], isItem: boolean): string {
    const hasBase = attributes.some(([name]) => name === BASE);
    const others = attributes.filter(([name]) => name !== BASE);
    const added: Attribute[] = [];
    if (hasBase || isItem) {
      this.addresses.count(element.base);
      added.push([BASE, element.base.href.replaceAll('&', '&amp;')]);
    }
    if (this.format === 'rdf' && this.open.length === 0 && findNamespace(element, attributes) === undefined)
      added.push([`xmlns:${element.prefix || 'rdf'}`, RDF_NAMESPACE]);
    return [...others, ...added].map(([name, value]) => ` ${safeName(name)}="${escapeAttribute(value)}"`).join('');
  }

  private match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text) ?? undefined;
    if (found !== undefined) this.at = pattern.lastIndex;
    return found;
  }
}

/** Items of RSS are in the channel, or beside it in some of RSS 0.9. */
function isRssParent(parent: OpenElement, depth: number): boolean {
  return depth === 1 || (depth === 2 && parent.local === 'channel');
}

/** Names that the parser refuses, because objects have properties with these names. No format of feeds has them. */
const REFUSED_NAME = /^(?:.*:)?(?:__proto__|constructor|prototype)$/;

function safeName(name: string): string {
  return REFUSED_NAME.test(name) ? `${name}-` : name;
}

const BASE = 'xml:base';

function findNamespace({ prefix }: OpenElement, attributes: readonly Attribute[]): string | undefined {
  const declaration = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
  return attributes.find(([name]) => name === declaration)?.[1];
}

function escapeAttribute(value: string): string {
  return value.replace(BARE_AMPERSAND, '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function malformed(what: string): SourceFailure {
  return new SourceFailure('body', `not well-formed XML (${what})`);
}

/** Maximum length of a name in a message, in characters. */
const MAX_QUOTED = 50;

function quote(name: string): string {
  return showHiddenCharacters(cutText(name, MAX_QUOTED) ?? name);
}
