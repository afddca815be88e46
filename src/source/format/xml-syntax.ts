import { SourceFailure } from '../client/source-failure.js';

/** Markup that may contain any text, with its end. */
const ENDS: ReadonlyMap<string, string> = new Map([
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
]);

/** The beginning of any such markup, or of a declaration. */
const MARKUP = /<(?:!--|!\[CDATA\[|\?|!)/g;

/** A document type declaration without an internal subset, which is the part that can declare entities. */
const DOCUMENT_TYPE = /^<!DOCTYPE\s[^<>[\]]*>/;

/** Characters that XML 1.0 does not allow (production 2). */
const NOT_ALLOWED = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/**
 * Throws a `SourceFailure` (`body`) if a text has characters or declarations that are not read: above all those of
 * entities, which can expand a small text enormously or name other documents (decisions 4.31).
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

/** Returns the length of the markup. */
function requireEnd(text: string, at: number, beginning: string): number {
  const end = ENDS.get(beginning);
  if (end === undefined) return requireDocumentType(text.slice(at, at + MAX_DOCUMENT_TYPE));
  const index = text.indexOf(end, at + beginning.length);
  if (index < 0) throw new SourceFailure('body', `not well-formed XML (${beginning} without its end)`);
  return index + end.length - at;
}

/** Maximum length of a document type declaration, in characters. It consists of a name and two addresses. */
const MAX_DOCUMENT_TYPE = 4096;

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

/**
 * Decodes the predefined entities and the references to characters in the text of an element or attribute. Throws a
 * `SourceFailure` (`body`) for any other reference.
 */
export function decodeReferences(text: string): string {
  return text.includes('&') ? text.replace(REFERENCE, decodeReference) : text;
}

/** A reference, or an ampersand that begins none. */
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
