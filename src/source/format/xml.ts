import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { SourceFailure } from '../client/source-failure.js';
import { MAX_MARKUP_DEPTH } from './body-limits.js';
import { decodeUnicode, decodeWindows1252 } from './text-decoding.js';
import { decodeReferences, requireBoundedXml, requirePlainXml } from './xml-syntax.js';

/**
 * Parses XML into the values of JSON (decisions 4.31). Throws a `SourceFailure`: `body` if it is not well-formed or
 * declares entities; `size` beyond the limits of (decisions 8.6).
 */
export function parseXmlDocument(body: Buffer): unknown {
  const text = decodeXml(body);
  requirePlainXml(text);
  requireBoundedXml(text);
  return readDocument(parseNodes(text));
}

/** The encoding that the declaration names, in a body that is not UTF-16. */
const DECLARED_ENCODING = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/;

/** Length of the beginning in which the declaration is, in bytes. */
const MAX_DECLARATION = 256;

/** Encodings that are read as Windows-1252, of which they are parts. */
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
const ATTRIBUTES = ':@';

/**
 * Begins the names of elements in the result of the library, which rejects or renames some names such as `constructor`.
 * The library may apply it twice to a name. No name of XML begins with it.
 */
const ELEMENT = '.';

/** The result keeps all nodes in their order, with their texts as they are written. */
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
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

/**
 * The parser accepts elements that are not closed or closed by another name, so the text is validated as well: after
 * parsing, which bounds the depth.
 */
function parseNodes(text: string): unknown {
  try {
    const nodes: unknown = parser.parse(text);
    const validity = XMLValidator.validate(text);
    if (validity === true) return nodes;
    throw new SourceFailure('body', `not well-formed XML (${validity.err.code} in line ${validity.err.line})`);
  } catch (error) {
    if (error instanceof SourceFailure) throw error;
    const message = `not well-formed XML, or nested more than ${MAX_MARKUP_DEPTH} deep`;
    throw new SourceFailure('body', message, { cause: error });
  }
}

/** The value of the root element, under its name. */
function readDocument(nodes: unknown): unknown {
  const { members } = readContent(nodes);
  if (members.size !== 1) throw new SourceFailure('body', 'not well-formed XML (not one root element)');
  return Object.fromEntries(members);
}

/** The children of an element. */
interface Content {
  /** Values of the child elements by their names; a list where there are several. */
  readonly members: Map<string, unknown>;
  readonly text: string;
}

/** `hasReferences`: whether references are decoded in the text, as everywhere except in CDATA. */
function readContent(nodes: unknown, hasReferences = true): Content {
  const values = new Map<string, unknown[]>();
  let text = '';
  for (const node of asList(nodes)) {
    const { [ATTRIBUTES]: attributes, ...named } = asObject(node);
    const [name = '', content] = Object.entries(named)[0] ?? [];
    if (name === TEXT) text += hasReferences ? decodeReferences(String(content)) : String(content);
    else if (name === CDATA) text += readContent(content, false).text;
    else {
      const value = readElement(content, asObject(attributes));
      const element = name.slice(ELEMENT.length);
      const same = values.get(element);
      if (same === undefined) values.set(element, [value]);
      else same.push(value);
    }
  }
  return { members: new Map([...values].map(([name, all]) => [name, all.length === 1 ? all[0] : all])), text };
}

const BLANK = /^[\t\n\r ]*$/;

/**
 * The text of an element that has nothing else, as it is; otherwise an object of the attributes, the child elements and
 * the text. White space between elements is no text.
 */
function readElement(nodes: unknown, attributes: Readonly<Record<string, unknown>>): unknown {
  const { members, text } = readContent(nodes);
  const written = Object.entries(attributes);
  if (members.size === 0 && written.length === 0) return text;
  const hasText = members.size === 0 ? text !== '' : !BLANK.test(text);
  return Object.fromEntries([
    ...written.map(([name, value]): [string, string] => [name, decodeAttribute(String(value))]),
    ...members,
    ...(hasText ? [[TEXT, text]] : []),
  ] as const);
}

/** Literal white space in an attribute is a space each (XML 1.0, section 3.3.3); referenced white space stays. */
function decodeAttribute(value: string): string {
  return decodeReferences(value.replace(/[\t\n\r]/g, ' '));
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
