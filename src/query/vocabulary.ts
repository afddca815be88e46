import type { TeamScope } from '../model/query.js';
import { isPgpKeyProperty } from '../model/resource.js';
import type { Resource } from '../model/resource.js';
import { scopeFields } from '../model/resources/team-scopes.js';
import { foldText } from '../text/text-folding.js';
import { findNearestName } from '../text/nearest-name.js';

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

const CODE_PREFIX = /^-[a-z][a-z0-9-]*-./;

/** Whether sort and filters know the property, and `fields` in the public scope: all but what holds PGP keys. */
export function isKnownProperty(vocabulary: Vocabulary, name: string): boolean {
  if (isPgpKeyProperty(vocabulary.resource, name)) return false;
  return isRegisteredProperty(vocabulary, name) || (vocabulary.aggregate && CODE_PREFIX.test(name));
}

/** Whether the property is known by its table or a registration, and not only as one that may be behind an aggregate. */
export function isRegisteredProperty(vocabulary: Vocabulary, name: string): boolean {
  const { codes } = vocabulary;
  if (listProperties(vocabulary).includes(name)) return true;
  return codes.some((code) => name.startsWith(`-${code}-`) && name.length > code.length + 2);
}

/** Whether `fields` may name the property: it names those of the scope (decisions.md, section 2). */
export function isKnownField(vocabulary: Vocabulary, scope: TeamScope, name: string): boolean {
  return scope === 'public' ? isKnownProperty(vocabulary, name) : listFields(vocabulary, scope).includes(name);
}

/** Whether records can carry the source-name: one of the registered ones, in any case, or any where an aggregate is registered. */
export function isKnownSourceName(vocabulary: Vocabulary, name: string): boolean {
  return vocabulary.aggregate || vocabulary.sourceNames.some((known) => foldText(known) === foldText(name));
}

/** Names of properties that can be listed, for hints in errors. */
export function listProperties({ resource, properties }: Vocabulary): readonly string[] {
  const { properties: table, trailingProperty: trailing, knownExtraProperties: extra } = resource;
  const names = [...table, ...extra, ...(trailing === undefined ? [] : [trailing])].map(({ name }) => name);
  // What one interface's table has may be a source's own on the other.
  return [...new Set([...names, ...properties])].filter((name) => !isPgpKeyProperty(resource, name));
}

/** The name as `-<code>-…` of registered codes that are spelled almost like its own, for hints in errors. */
export function suggestCodePrefixes(name: string, { codes }: Vocabulary): readonly string[] {
  const [before, ...parts] = name.split('-');
  return codes.flatMap((code) => {
    const end = code.split('-').length;
    const rest = parts.slice(end).join('-');
    const isNear = before === '' && rest !== '' && findNearestName(parts.slice(0, end).join('-'), [code]) !== undefined;
    return isNear ? [`-${code}-${rest}`] : [];
  });
}

/** Whether a name has the form of one source's own. */
export function hasCodePrefix(name: string): boolean {
  return CODE_PREFIX.test(name);
}

/** Names that `fields` can use in a scope, for hints in errors. */
export function listFields(vocabulary: Vocabulary, scope: TeamScope): readonly string[] {
  return scope === 'public' ? listProperties(vocabulary) : scopeFields[scope].map(({ name }) => name);
}
