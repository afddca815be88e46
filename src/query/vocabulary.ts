import type { TeamScope } from '../model/query.js';
import { isPgpKeyProperty } from '../model/resource.js';
import type { Resource } from '../model/resource.js';
import { scopeFields } from '../model/resources/team-scopes.js';
import { foldText } from '../text/text-folding.js';
import { findNearestName } from '../text/nearest-name.js';

/** From the tables of the resources and the registrations, never from cached records (decisions 2.20). */
export interface Vocabulary {
  readonly resource: Resource;
  readonly sourceNames: readonly string[];
  /** The `<code>` of `-<code>-…` properties: registered codes and prefixes. */
  readonly codes: readonly string[];
  /** Further names from the registrations (operation 2.8.5). */
  readonly properties: readonly string[];
  /** An aggregate is registered: any source-name and any `-<code>-…` property may occur. */
  readonly aggregate: boolean;
}

const CODE_PREFIX = /^-[a-z][a-z0-9-]*-./;

/**
 * For `sort`, filters and, in the public scope, `fields`. Properties with PGP keys are never known (decisions 2.25).
 */
export function isKnownProperty(vocabulary: Vocabulary, name: string): boolean {
  if (isPgpKeyProperty(vocabulary.resource, name)) return false;
  return isRegisteredProperty(vocabulary, name) || (vocabulary.aggregate && CODE_PREFIX.test(name));
}

/** Known from its table or a registration, and not merely possible behind an aggregate. */
export function isRegisteredProperty(vocabulary: Vocabulary, name: string): boolean {
  const { codes, resource } = vocabulary;
  if (name === resource.idProperty || listProperties(vocabulary).includes(name)) return true;
  return codes.some((code) => name.startsWith(`-${code}-`) && name.length > code.length + 2);
}

/** Decisions 2.21. */
export function isKnownField(vocabulary: Vocabulary, scope: TeamScope, name: string): boolean {
  return (
    listFields(vocabulary, scope).includes(name) || (showsWholeRecords(scope) && isKnownProperty(vocabulary, name))
  );
}

/** Other scopes have properties of their own (decisions 4.20). */
export function showsWholeRecords(scope: TeamScope): scope is 'public' | 'members' {
  return scope === 'public' || scope === 'members';
}

/** A registered source-name, compared as folded text, or any one where an aggregate is registered. */
export function isKnownSourceName(vocabulary: Vocabulary, name: string): boolean {
  return vocabulary.aggregate || vocabulary.sourceNames.some((known) => foldText(known) === foldText(name));
}

/** For suggestions in error messages. */
export function listProperties({ resource, properties }: Vocabulary): readonly string[] {
  const { properties: table, trailingProperty: trailing, knownExtraProperties: extra } = resource;
  const names = [...table, ...extra, ...(trailing === undefined ? [] : [trailing])].map(({ name }) => name);
  // A property in the table of one interface may be registered as a further property of the other, hence the
  // deduplication.
  return [...new Set([...names, ...properties])].filter((name) => !isPgpKeyProperty(resource, name));
}

/** Suggestions `-<code>-…` with each registered code that resembles the code of the name. */
export function suggestCodePrefixes(name: string, { codes }: Vocabulary): readonly string[] {
  const [before, ...parts] = name.split('-');
  return codes.flatMap((code) => {
    const end = code.split('-').length;
    const rest = parts.slice(end).join('-');
    const isNear = before === '' && rest !== '' && findNearestName(parts.slice(0, end).join('-'), [code]) !== undefined;
    return isNear ? [`-${code}-${rest}`] : [];
  });
}

export function hasCodePrefix(name: string): boolean {
  return CODE_PREFIX.test(name);
}

/** As far as they can be listed, for suggestions. */
export function listFields(vocabulary: Vocabulary, scope: TeamScope): readonly string[] {
  if (!showsWholeRecords(scope)) return scopeFields[scope].map(({ name }) => name);
  const keys = scope === 'members' ? vocabulary.resource.pgpKeyProperties : [];
  return [...listProperties(vocabulary), ...keys];
}
