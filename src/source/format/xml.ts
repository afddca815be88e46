import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { SourceFailure } from '../client/source-failure.js';
import { MAX_MARKUP_DEPTH } from './body-limits.js';
import { decodeUnicode, decodeWindows1252 } from './text-decoding.js';
import { decodeReferences, requireBoundedXml, requirePlainXml } from './xml-syntax.js';

/**
 * Gives values of JSON (decisions 4.31). Throws a `SourceFailure`: `body` if it is not well-formed or declares
 * entities; `size` beyond a limit (decisions 8.6).
 */
export function parseXmlDocument(body: Buffer): unknown {
  const text = decodeXml(body);
  requirePlainXml(text);
  requireBoundedXml(text);
  const root = parseXmlElement(text);
  return Object.fromEntries([[root.name, readElement(root)]]);
}

/** In a body that is not UTF-16. */
const DECLARED_ENCODING = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/;

/** Bytes. */
const MAX_DECLARATION = 256;

/** Read as Windows-1252, of which they are parts. */
const WESTERN = /^(?:iso-8859-1|latin1|windows-1252|cp1252|us-ascii)$/i;

function decodeXml(body: Buffer): string {
  const beginning = body.toString('latin1', 0, MAX_DECLARATION);
  if (WESTERN.test(DECLARED_ENCODING.exec(beginning)?.[1] ?? '')) return decodeWindows1252(body);
  const text = decodeUnicode(body);
  if (text === undefined)
    throw new SourceFailure('body', 'XML that is neither UTF-8, UTF-16 nor declared as Windows-1252');
  return text;
}

const TEXT = '#text';
const CDATA = '#cdata';

/** Message of the library for elements nested deeper than `maxNestedTags`. */
const TOO_DEEP = 'Maximum nested tags exceeded';

const ATTRIBUTES = ':@';
const ATTRIBUTE = '@';

/**
 * Prefix of names in the library's result, which it may add twice: it rejects or renames some, such as `constructor`.
 * No XML name begins with it.
 */
const ELEMENT = '.';

/** Keeps all nodes in order, with texts as written. */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: ATTRIBUTE,
  textNodeName: TEXT,
  cdataPropName: CDATA,
  transformTagName: (name) => (name.startsWith(ELEMENT) ? name : ELEMENT + name),
  parseTagValue: false,
  trimValues: false,
  processEntities: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  jPath: false,
  maxNestedTags: MAX_MARKUP_DEPTH,
});

/** The parser bounds the depth, but accepts elements not closed or closed by another name; so validation follows it. */
function parseNodes(text: string, depthReason: 'body' | 'size'): unknown {
  try {
    const nodes: unknown = parser.parse(text);
    const validity = XMLValidator.validate(text);
    if (validity === true) return nodes;
    throw new SourceFailure('body', `not well-formed XML (${validity.err.code} in line ${validity.err.line})`);
  } catch (error) {
    if (error instanceof SourceFailure) throw error;
    const isTooDeep = error instanceof Error && error.message === TOO_DEEP;
    throw isTooDeep
      ? new SourceFailure(depthReason, `elements nested more than ${MAX_MARKUP_DEPTH} deep`, { cause: error })
      : new SourceFailure('body', 'not well-formed XML', { cause: error });
  }
}

/** An element with its texts and attributes decoded, in the order in which they are written. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly children: readonly (XmlElement | string)[];
}

/** Of text that `requirePlainXml` and `requireBoundedXml` accept. Throws a `SourceFailure`: `body` or `depthReason`. */
export function parseXmlElement(text: string, depthReason: 'body' | 'size' = 'body'): XmlElement {
  const content = readNodes(parseNodes(text, depthReason));
  const roots = content.filter((node) => typeof node !== 'string');
  const [root] = roots;
  if (root === undefined || roots.length > 1 || content.some((node) => typeof node === 'string' && !BLANK.test(node)))
    throw new SourceFailure('body', 'not well-formed XML (not one root element)');
  return root;
}

function readNodes(nodes: unknown): readonly (XmlElement | string)[] {
  return asList(nodes).map((node) => {
    const { [ATTRIBUTES]: attributes, ...named } = asObject(node);
    const [name = '', content] = Object.entries(named)[0] ?? [];
    if (name === TEXT) return decodeReferences(String(content));
    if (name === CDATA)
      return asList(content)
        .map((text) => String(asObject(text)[TEXT]))
        .join('');
    const written = Object.entries(asObject(attributes)).map(([key, value]): readonly [string, string] => [
      key.slice(ATTRIBUTE.length),
      decodeAttribute(String(value)),
    ]);
    return { name: name.slice(ELEMENT.length), attributes: written, children: readNodes(content) };
  });
}

const BLANK = /^[\t\n\r ]*$/;

/**
 * The text of an element with nothing else; otherwise an object of attributes, child elements (a list where several have
 * one name) and text. White space between elements is no text.
 */
function readElement({ attributes, children }: XmlElement): unknown {
  const members = new Map<string, unknown[]>();
  let text = '';
  for (const child of children) {
    if (typeof child === 'string') text += child;
    else {
      const same = members.get(child.name) ?? [];
      members.set(child.name, same);
      same.push(readElement(child));
    }
  }
  if (members.size === 0 && attributes.length === 0) return text;
  const hasText = members.size === 0 ? text !== '' : !BLANK.test(text);
  return Object.fromEntries([
    ...attributes.map(([name, value]): [string, unknown] => [ATTRIBUTE + name, value]),
    ...Array.from(members, ([name, all]): [string, unknown] => [name, all.length === 1 ? all[0] : all]),
    ...(hasText ? [[TEXT, text] as [string, unknown]] : []),
  ]);
}

/** Literal white space becomes spaces (XML 1.0, section 3.3.3); referenced white space stays. */
function decodeAttribute(value: string): string {
  return decodeReferences(value.replace(/[\t\n\r]/g, ' '));
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
