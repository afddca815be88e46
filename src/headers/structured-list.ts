import { DisplayString, Token, parseList, serializeItem, serializeList } from 'structured-headers';
import type { BareItem, Item } from 'structured-headers';

/** A token with parameters (RFC 9651, section 3.1). */
interface StructuredListMember {
  readonly name: string;
  /** In the order of writing. Text is a token, or a string where it is none; `true` is the name alone. */
  readonly parameters: Readonly<Record<string, string | number | true>>;
}

/** Throws if a name is not a token, or a number is not an integer or decimal of RFC 9651. */
export function serializeStructuredList(members: readonly StructuredListMember[]): string {
  return serializeList(
    members.map(({ name, parameters }): Item => [new Token(name), new Map(toBareItems(parameters))]),
  );
}

function toBareItems(parameters: StructuredListMember['parameters']): [string, BareItem][] {
  return Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'string' ? toTextItem(value) : value,
  ]);
}

/** RFC 9651, section 3.3.4. */
const TOKEN = /^[A-Za-z*][\w!#$%&'*+.^`|~:/-]*$/;

/** A string has printable ASCII characters only; others become question marks. */
function toTextItem(text: string): BareItem {
  return TOKEN.test(text) ? new Token(text) : text.replace(/[^\x20-\x7e]/gu, '?');
}

/** Empty for a member without the parameter. Throws if the field is not a structured list. */
export function parseListParameter(field: string, name: string): readonly string[] {
  return parseList(field).map(([, parameters]) => toText(parameters.get(name)));
}

/** Dates and byte sequences, which no field that is read here has, become empty. */
function toText(value: BareItem | undefined): string {
  if (value instanceof Token || value instanceof DisplayString) return value.toString();
  return typeof value === 'object' ? '' : String(value ?? '');
}

/** RFC 9651, section 4.1.11: printable ASCII, other characters percent-encoded. */
export function serializeDisplayString(text: string): string {
  return serializeItem(new DisplayString(text.toWellFormed()));
}
