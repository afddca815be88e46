import { hasWebProtocol } from '../../../text/url.js';
import { cutText, showHiddenCharacters } from '../../../text/visible-text.js';
import { SourceFailure } from '../../client/source-failure.js';
import { parseXmlElement } from '../xml.js';
import type { XmlElement } from '../xml.js';
import { requireBoundedXml, requirePlainXml } from '../xml-syntax.js';
import type { AddressResolver } from './address-resolver.js';
import { decodeReferencesOfHtml } from './feed-html.js';

/** The kinds of feeds in XML: RSS 0.9x and 2.0, RSS 0.90 and 1.0 (RDF), Atom. */
export type XmlFeedFormat = 'rss' | 'rdf' | 'atom';

/** An element of a feed. Its names are in lower case, with a prefix of `NAMESPACES` or none for those of the format. */
export interface FeedElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** What relative URLs in it are resolved against. */
  readonly base: URL;
  readonly children: readonly (FeedElement | string)[];
}

/**
 * Parses a feed in XML (decisions 4.32.1). Throws a `SourceFailure`: `body` if it is not well-formed, declares entities or has
 * another root element; `size` beyond the limits of (decisions 8.6).
 */
export function parseFeedXml(
  text: string,
  addresses: AddressResolver,
): { readonly format: XmlFeedFormat; readonly root: FeedElement } {
  requireBoundedXml(text);
  requirePlainXml(text);
  const repaired = repairReferences(text);
  // Without the comments between them, texts may have become longer.
  requireBoundedXml(repaired);
  const root = parseXmlElement(repaired, 'size');
  const scope = readScope(root, undefined);
  const own = findPrefix(splitName(root.name).prefix, scope);
  const format = requireFormat(root, own);
  return { format, root: nameElement(root, { own, scope: undefined, base: addresses.address, addresses }) };
}

/**
 * A comment, CDATA section, processing instruction, document type or tag; `<` that begins none of them; a reference; an
 * ampersand that begins none. A tag has no `<`, so that nothing in it is taken for a comment.
 */
const MARKUP =
  /<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\?[^]*?\?>|<!doctype[^<>]*>|<(?![!?])[^<>"']*(?:(?:"[^"<]*"|'[^'<]*')[^<>"']*)*>|<|&(?:#(?:\d+|x[\da-f]+)|[a-z][a-z\d]{0,30});|&/gi;
const REFERENCE = /&(?:#(?:\d+|x[\da-f]+)|[a-z][a-z\d]{0,30});|&/gi;
const LEFT_OUT = /^<(?:!--|\?)/;
const KEPT = /^&(?:amp|lt|gt|quot|apos);/;

/**
 * Replaces entities of HTML by the characters that they mean, and any other `&` that begins no reference by `&amp;`. Leaves
 * out comments and processing instructions.
 */
function repairReferences(text: string): string {
  const decoded = new Map<string, string>();
  const repair = (reference: string): string => {
    const known = decoded.get(reference) ?? replaceReference(reference);
    decoded.set(reference, known);
    return known;
  };
  return text.replace(MARKUP, (found) => {
    if (found.startsWith('&')) return repair(found);
    if (found === '<' || (found.startsWith('<!--') && found.includes('<!--', 1)))
      throw new SourceFailure('body', 'not well-formed XML (a tag or comment that does not end)');
    if (LEFT_OUT.test(found)) return '';
    return found.startsWith('<!') ? found : found.replace(REFERENCE, repair);
  });
}

/** Of a character that XML does not allow, a replacement character. */
function replaceReference(reference: string): string {
  if (KEPT.test(reference)) return reference;
  const characters = reference === '&' ? reference : decodeReferencesOfHtml(reference);
  if (characters === reference) return `&amp;${reference.slice(1)}`;
  return Array.from(
    characters.replace(FORBIDDEN, '\u{FFFD}'),
    (character) => `&#${character.codePointAt(0) ?? 0};`,
  ).join('');
}

/** Characters outside of `Char` (XML 1.0, section 2.2). */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

/** Prefixes under which elements are looked up, by namespaces without `s` of `https`, and `#` or slash at the end, in lower case. */
const NAMESPACES: ReadonlyMap<string, string> = new Map([
  ['http://www.w3.org/2005/atom', 'atom'],
  ['http://purl.org/atom/ns', 'atom'],
  ['http://www.w3.org/1999/02/22-rdf-syntax-ns', 'rdf'],
  ['http://purl.org/rss/1.0', ''],
  ['http://my.netscape.com/rdf/simple/0.9', ''],
  ['http://purl.org/dc/elements/1.0', 'dc'],
  ['http://purl.org/dc/elements/1.1', 'dc'],
  ['http://dublincore.org/documents/dcmi-namespace', 'dc'],
  ['http://purl.org/dc/terms', 'dcterms'],
  ['http://dublincore.org/documents/dcmi-terms', 'dcterms'],
  ['http://purl.org/rss/1.0/modules/content', 'content'],
  ['http://purl.org/rss/1.0/modules/syndication', 'sy'],
]);

/** Prefix of elements in any other namespace. */
const OTHER = '?';

/** Declared prefixes, with those of `NAMESPACES` that they mean. A chain as deep as the document: copies would be quadratic. */
interface Scope {
  readonly meanings: ReadonlyMap<string, string>;
  readonly outer: Scope | undefined;
}

const DECLARATION = /^xmlns(?::|$)/;

function readScope({ attributes }: XmlElement, outer: Scope | undefined): Scope | undefined {
  const declared = attributes.filter(([name]) => DECLARATION.test(name));
  if (declared.length === 0) return outer;
  const meanings = declared.map(([name, uri]): readonly [string, string] => {
    const prefix = name.replace(DECLARATION, '');
    return [prefix, NAMESPACES.get(normalizeUri(uri)) ?? (prefix === '' ? '' : OTHER)];
  });
  return { meanings: new Map(meanings), outer };
}

function normalizeUri(uri: string): string {
  return uri
    .trim()
    .toLowerCase()
    .replace(/^https:/, 'http:')
    .replace(/[#/]$/, '');
}

/** A prefix without a declaration means what it usually does, and no prefix the format of the feed. */
function findPrefix(prefix: string, scope: Scope | undefined): string {
  if (prefix === 'xml') return prefix;
  for (let at = scope; at !== undefined; at = at.outer) {
    const meaning = at.meanings.get(prefix);
    if (meaning !== undefined) return meaning;
  }
  return prefix.toLowerCase();
}

function splitName(name: string): { readonly prefix: string; readonly local: string } {
  const colon = name.indexOf(':');
  return { prefix: name.slice(0, Math.max(0, colon)), local: name.slice(colon + 1).toLowerCase() };
}

const FORMATS: ReadonlyMap<string, XmlFeedFormat> = new Map([
  ['rss', 'rss'],
  ['rdf', 'rdf'],
  ['feed', 'atom'],
]);

function requireFormat({ name, attributes }: XmlElement, own: string): XmlFeedFormat {
  const { prefix, local } = splitName(name);
  const format = FORMATS.get(local);
  const isDeclared = attributes.some(([one]) => one === (prefix === '' ? 'xmlns' : `xmlns:${prefix}`));
  if (format === undefined || own === OTHER || (format === 'atom' && isDeclared && own !== 'atom'))
    throw new SourceFailure('body', `XML with the root element <${quote(name)}>, which is no feed`);
  return format;
}

/** Maximum length of a name in a message, in characters. */
const MAX_QUOTED = 50;

function quote(name: string): string {
  return showHiddenCharacters(cutText(name, MAX_QUOTED) ?? name);
}

interface Surroundings {
  /** Prefix of the elements of the format itself. */
  readonly own: string;
  readonly scope: Scope | undefined;
  readonly base: URL;
  readonly addresses: AddressResolver;
}

const BASE = 'xml:base';

function nameElement(element: XmlElement, outer: Surroundings): FeedElement {
  const { own, addresses } = outer;
  const scope = readScope(element, outer.scope);
  const nameOf = (name: string, isAttribute: boolean): string => {
    const { prefix, local } = splitName(name);
    const known = isAttribute && prefix === '' ? '' : findPrefix(prefix, scope);
    return known === '' || known === own ? local : `${known}:${local}`;
  };
  const attributes = new Map(element.attributes.map(([name, value]) => [nameOf(name, true), value]));
  const base = resolveBase(attributes.get(BASE), outer.base, addresses);
  const inner = { own, scope, base, addresses };
  const children = element.children.map((child) => (typeof child === 'string' ? child : nameElement(child, inner)));
  return { name: nameOf(element.name, false), attributes, base, children };
}

function resolveBase(written: string | undefined, base: URL, addresses: AddressResolver): URL {
  const resolved = written === undefined ? undefined : addresses.resolve(written, base);
  return resolved !== undefined && hasWebProtocol(resolved) ? resolved : base;
}
