import { SourceFailure } from '../client/source-failure.js';
import { requireFewValues } from './body-limits.js';
import type { ValueLimit } from './body-limits.js';

/** Of markup that may contain any text. */
const ENDS: ReadonlyMap<string, string> = new Map([
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
]);

/** Of such markup, or of a declaration. */
const MARKUP = /<(?:!--|!\[CDATA\[|\?|!)/g;

/** Without an internal subset, the part that can declare entities. */
const DOCUMENT_TYPE = /^<!DOCTYPE\s[^<>[\]]*>/;

/** By XML 1.0 (production 2). */
const NOT_ALLOWED = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** Unpaired surrogates included. */
export function removeNotAllowed(text: string): string {
  return NOT_ALLOWED.test(text) ? text.replace(new RegExp(NOT_ALLOWED, 'gu'), '') : text;
}

/**
 * Throws a `SourceFailure` (`body`) for characters or declarations that are not read: above all of entities, which can
 * expand a small text enormously or name other documents (decisions 4.31).
 */
export function requirePlainXml(text: string): void {
  if (NOT_ALLOWED.test(text)) throw new SourceFailure('body', 'XML with characters that XML does not allow');
  for (let from = 0; ;) {
    MARKUP.lastIndex = from;
    const found = MARKUP.exec(text);
    if (found === null) return;
    from = found.index + requireEnd(text, found.index, found[0]);
  }
}

/** Returns the markup's length. */
function requireEnd(text: string, at: number, beginning: string): number {
  const end = ENDS.get(beginning);
  if (end === undefined) return requireDocumentType(text.slice(at, at + MAX_DOCUMENT_TYPE));
  const index = text.indexOf(end, at + beginning.length);
  if (index < 0) throw new SourceFailure('body', `not well-formed XML (${beginning} without its end)`);
  return index + end.length - at;
}

/** In characters: a name and two addresses. */
const MAX_DOCUMENT_TYPE = 4096;

/** Returns its length. Throws a `SourceFailure` (`body`) for an internal subset, or another declaration. */
function requireDocumentType(text: string): number {
  const declaration = DOCUMENT_TYPE.exec(text);
  if (declaration !== null) return declaration[0].length;
  if (/^<!(?:DOCTYPE\s[^>]*\[|ENTITY)/.test(text))
    throw new SourceFailure('body', 'XML with entity declarations is not read');
  throw new SourceFailure('body', 'not well-formed XML (a declaration)');
}

const PREDEFINED: ReadonlyMap<string, string> = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
  ['&apos;', "'"],
  ['&quot;', '"'],
]);

/** Decodes predefined entities and character references. Throws a `SourceFailure` (`body`) for others. */
export function decodeReferences(text: string): string {
  return text.includes('&') ? text.replace(REFERENCE, decodeReference) : text;
}

/** Or an ampersand that begins none. */
const REFERENCE = /&(?:#(?:\d{1,10}|x[\da-f]{1,8})|[a-z]{1,10});|&/gi;

function decodeReference(reference: string): string {
  const decoded = PREDEFINED.get(reference) ?? decodeCharacter(/^&#(x?)(.+);$/.exec(reference));
  if (decoded === undefined)
    throw new SourceFailure('body', 'XML with a reference to an entity that is not predefined');
  return decoded;
}

function decodeCharacter(reference: RegExpExecArray | null): string | undefined {
  const [, hexadecimal = '', digits = ''] = reference ?? [];
  const code = parseInt(digits, hexadecimal === 'x' ? 16 : 10);
  if (!(code <= 0x10ffff)) return undefined;
  const character = String.fromCodePoint(code);
  return NOT_ALLOWED.test(character) ? undefined : character;
}

/** Up to 550 bytes of memory each. */
const XML_VALUES: ValueLimit = { least: 500_000, bytes: 24 };

const LESS_THAN = 0x3c;
const SLASH = 0x2f;
const EQUALS = 0x3d;

/** Of a tag or a text without markup: fast-xml-parser appends each character to a string, at 32 bytes each. */
const MAX_RUN = 2 ** 20;

/** Throws a `SourceFailure` (`size`) for more nodes, or longer runs, than a JavaScript parser takes (decisions 8.6). */
export function requireBoundedXml(text: string): void {
  requireFewValues(countNodes(text), text.length, XML_VALUES);
}

/** Upper bound of elements and attributes. Throws a `SourceFailure` (`size`) for too long a text or tag. */
function countNodes(text: string): number {
  let count = 0;
  let runFrom = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === LESS_THAN) {
      runFrom = at;
      if (text.charCodeAt(at + 1) !== SLASH) count += 1;
    } else if (code === EQUALS) count += 1;
    if (at - runFrom > MAX_RUN)
      throw new SourceFailure('size', `XML with more than ${MAX_RUN} characters in one text or tag`);
  }
  return count;
}
