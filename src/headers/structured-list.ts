import { Token, parseList, serializeList } from 'structured-headers';
import type { BareItem, Item } from 'structured-headers';

/** One member of a structured list of RFC 9651: a token with parameters. */
export interface StructuredListMember {
  readonly name: string;
  /** In the order in which they are written. Text is written as a token, `true` as the bare name. */
  readonly parameters: Readonly<Record<string, string | number | true>>;
}

/** Writes a structured list. Throws where a name or a text is no token, or a number no integer or decimal of RFC 9651. */
export function serializeStructuredList(members: readonly StructuredListMember[]): string {
  return serializeList(
    members.map(({ name, parameters }): Item => [new Token(name), new Map(toBareItems(parameters))]),
  );
}

function toBareItems(parameters: StructuredListMember['parameters']): [string, BareItem][] {
  return Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'string' ? new Token(value) : value,
  ]);
}

/** What one parameter of each member says, as text; empty where a member has none. Throws where the field is no such list. */
export function parseListParameter(field: string, name: string): readonly string[] {
  return parseList(field).map(([, parameters]) => String(parameters.get(name) ?? ''));
}
