import type { Scope } from '../model/query.js';
import { isKey } from '../model/resource.js';
import type { Resource } from '../model/resource.js';
import { scopeFields } from '../model/scopes.js';
import { fold } from '../text/fold.js';
import { nearest } from '../text/nearest.js';

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

/** Whether sort and filters know the property, and `fields` in the public scope: all but what holds PGP keys. */
export function knowsProperty(vocabulary: Vocabulary, name: string): boolean {
  if (isKey(vocabulary.resource, name)) return false;
  return namesProperty(vocabulary, name) || (vocabulary.aggregate && ANY_CODE.test(name));
}

/** Whether the property is known by its table or a registration, and not only as one that may be behind an aggregate. */
export function namesProperty(vocabulary: Vocabulary, name: string): boolean {
  const { codes } = vocabulary;
  if (listedProperties(vocabulary).includes(name)) return true;
  return codes.some((code) => name.startsWith(`-${code}-`) && name.length > code.length + 2);
}

/** Whether `fields` may name the property: it names those of the scope (decisions.md, section 2). */
export function knowsField(vocabulary: Vocabulary, scope: Scope, name: string): boolean {
  return scope === 'public' ? knowsProperty(vocabulary, name) : listedFields(vocabulary, scope).includes(name);
}

/** Whether records can carry the source-name: one of the registered ones, in any case, or any where an aggregate is registered. */
export function knowsSourceName(vocabulary: Vocabulary, name: string): boolean {
  return vocabulary.aggregate || vocabulary.sourceNames.some((known) => fold(known) === fold(name));
}

/** Names of properties that can be listed, for hints in errors. */
export function listedProperties({ resource, properties }: Vocabulary): readonly string[] {
  const { properties: table, trailing, extra } = resource;
  const names = [...table, ...extra, ...(trailing === undefined ? [] : [trailing])].map(({ name }) => name);
  // What one interface's table has may be a source's own on the other.
  return [...new Set([...names, ...properties])].filter((name) => !isKey(resource, name));
}

/** The name as `-<code>-…` of registered codes that are spelled almost like its own, for hints in errors. */
export function respelled(name: string, { codes }: Vocabulary): readonly string[] {
  const [before, ...parts] = name.split('-');
  return codes.flatMap((code) => {
    const end = code.split('-').length;
    const rest = parts.slice(end).join('-');
    const isNear = before === '' && rest !== '' && nearest(parts.slice(0, end).join('-'), [code]) !== undefined;
    return isNear ? [`-${code}-${rest}`] : [];
  });
}

/** Whether a name has the form of one source's own. */
export function isOfCode(name: string): boolean {
  return ANY_CODE.test(name);
}

/** Names that `fields` can use in a scope, for hints in errors. */
export function listedFields(vocabulary: Vocabulary, scope: Scope): readonly string[] {
  return scope === 'public' ? listedProperties(vocabulary) : scopeFields[scope].map(({ name }) => name);
}
