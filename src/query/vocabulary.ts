import type { Resource } from '../model/resource.js';
import { fold } from '../text/fold.js';

/**
 * The names that a query may use. They come from the resource's table and from the registrations, never from what happens to
 * be in the records of the moment (decisions.md, section 2).
 */
export interface Vocabulary {
  readonly resource: Resource;
  /** Source-names of the registered sources. */
  readonly sourceNames: readonly string[];
  /** Registered codes and prefixes: the `<code>` of `-<code>-…` properties. */
  readonly codes: readonly string[];
  /** Further property names that registrations name. */
  readonly properties: readonly string[];
  /** Whether an aggregate is registered: then any source-name and any `-<code>-…` may be behind it. */
  readonly aggregate: boolean;
}

const ANY_CODE = /^-[a-z][a-z0-9-]*-./;

/** Whether `fields`, `sort` and filters know the property. */
export function knowsProperty(vocabulary: Vocabulary, name: string): boolean {
  return namesProperty(vocabulary, name) || (vocabulary.aggregate && ANY_CODE.test(name));
}

/** Whether the property is known by its table or a registration, and not only as one that may be behind an aggregate. */
export function namesProperty({ resource, properties, codes }: Vocabulary, name: string): boolean {
  if (resource.properties.some((property) => property.name === name) || properties.includes(name)) return true;
  return codes.some((code) => name.startsWith(`-${code}-`) && name.length > code.length + 2);
}

/** Whether records can carry the source-name: one of the registered ones, in any case, or any where an aggregate is registered. */
export function knowsSourceName(vocabulary: Vocabulary, name: string): boolean {
  return vocabulary.aggregate || vocabulary.sourceNames.some((known) => fold(known) === fold(name));
}

/** Property names that can be listed, for hints in errors. */
export function listedProperties(vocabulary: Vocabulary): readonly string[] {
  return [...vocabulary.resource.properties.map(({ name }) => name), ...vocabulary.properties];
}
