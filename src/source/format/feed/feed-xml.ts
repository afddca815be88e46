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
  const scope = readScope(root, new Map());
  const format = requireFormat(root, scope);
  const own = findPrefix(splitName(root.name).prefix, scope);
  return { format, root: nameElement(root, { own, scope: new Map(), base: addresses.address, addresses }) };
}

/** Markup whose text has no references, a reference to an entity, or an ampersand that begins no reference. */
const REFERENCE = /<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\?[^]*?\?>|&(?:#(?:\d+|x[\da-f]+)|[a-z][a-z\d]{0,30});|&/gi;
const LEFT_OUT = /^<(?:!--|\?)/;
const KEPT = /^(?:<|&(?:#|(?:amp|lt|gt|quot|apos);))/;

/**
 * Replaces entities of HTML by the characters that they mean, and any other `&` that begins no reference by `&amp;`. Leaves
 * out comments and processing instructions.
 */
function repairReferences(text: string): string {
  const decoded = new Map<string, string>();
  return text.replace(REFERENCE, (found) => {
    if (LEFT_OUT.test(found)) return '';
    if (KEPT.test(found)) return found;
    const known = decoded.get(found) ?? replaceReference(found);
    decoded.set(found, known);
    return known;
  });
}

function replaceReference(reference: string): string {
  const characters = reference === '&' ? reference : decodeReferencesOfHtml(reference);
  if (characters === reference) return `&amp;${reference.slice(1)}`;
  return Array.from(characters, (character) => `&#${character.codePointAt(0) ?? 0};`).join('');
}

/** Prefixes under which elements are looked up, by namespaces without `s` of `https` and slash at the end, in lower case. */
const NAMESPACES: ReadonlyMap<string, string> = new Map([
  ['http://www.w3.org/2005/atom', 'atom'],
  ['http://purl.org/atom/ns#', 'atom'],
  ['http://www.w3.org/1999/02/22-rdf-syntax-ns#', 'rdf'],
  ['http://purl.org/rss/1.0', ''],
  ['http://my.netscape.com/rdf/simple/0.9', ''],
  ['http://purl.org/dc/elements/1.1', 'dc'],
  ['http://dublincore.org/documents/dcmi-namespace', 'dc'],
  ['http://purl.org/dc/terms', 'dcterms'],
  ['http://dublincore.org/documents/dcmi-terms', 'dcterms'],
  ['http://purl.org/rss/1.0/modules/content', 'content'],
  ['http://purl.org/rss/1.0/modules/syndication', 'sy'],
]);

/** Prefix of elements in any other namespace. */
const OTHER = '?';

/** Declared namespaces by their prefixes. */
type Scope = ReadonlyMap<string, string>;

const DECLARATION = /^xmlns(?::|$)/;

function readScope({ attributes }: XmlElement, outer: Scope): Scope {
  const declared = attributes.filter(([name]) => DECLARATION.test(name));
  if (declared.length === 0) return outer;
  return new Map([...outer, ...declared.map(([name, uri]) => [name.replace(DECLARATION, ''), uri] as const)]);
}

/** A prefix without a declaration means what it usually does, and no prefix the format of the feed. */
function findPrefix(prefix: string, scope: Scope): string {
  const uri = scope.get(prefix);
  if (uri === undefined) return prefix.toLowerCase();
  const normal = uri
    .trim()
    .toLowerCase()
    .replace(/^https:/, 'http:')
    .replace(/\/$/, '');
  return NAMESPACES.get(normal) ?? (prefix === '' ? '' : OTHER);
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

function requireFormat({ name }: XmlElement, scope: Scope): XmlFeedFormat {
  const { prefix, local } = splitName(name);
  const format = FORMATS.get(local);
  const isOther = format === 'atom' && scope.has(prefix) && findPrefix(prefix, scope) !== 'atom';
  if (format === undefined || isOther)
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
  readonly scope: Scope;
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
