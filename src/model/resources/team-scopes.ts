import type { AccessLevel } from '../access-level.js';
import type { TeamScope } from '../query.js';

/**
 * How a scope computes one property of a data team: a property as it is, the first item of a list, or the continent of
 * a country.
 */
export type ScopeFieldValue =
  { readonly property: string } | { readonly firstItemOf: string } | { readonly continentOf: string };

/** One property of a scope. */
export interface ScopeField {
  readonly name: string;
  readonly value: ScopeFieldValue;
}

/** Access level that each scope needs where the configuration does not say otherwise (operation 2.6.1). */
export const defaultScopeAccess: Readonly<Record<TeamScope, AccessLevel>> = {
  public: 'public',
  pgp: 'public',
  minimal: 'public',
  country: 'public',
  members: 'members',
};

const SOURCE_NAME_FIELD: ScopeField = { name: 'source-name', value: { property: 'source-name' } };

function buildAbbreviatedFields(
  names: readonly [string, string, string, string, string, string],
): readonly ScopeField[] {
  const [url, short, full, country, others, region] = names;
  return [
    { name: url, value: { firstItemOf: 'website' } },
    { name: short, value: { property: 'team' } },
    { name: full, value: { property: 'team-full' } },
    { name: country, value: { property: 'country' } },
    { name: others, value: { property: 'country-other' } },
    { name: region, value: { continentOf: 'country' } },
    SOURCE_NAME_FIELD,
  ];
}

/**
 * Properties, in order, of the scopes that do not show whole records (decisions 4.20). Every scope has
 * `source-name` (decisions 4.11).
 */
export const scopeFields: Readonly<Record<Exclude<TeamScope, 'public' | 'members'>, readonly ScopeField[]>> = {
  minimal: buildAbbreviatedFields(['u', 's', 't', 'c', 'o', 'r']),
  country: buildAbbreviatedFields(['url', 'team', 'team-full', 'country', 'country-other', 'region']),
  pgp: ['id', 'team', 'source-name', 'pgp-id', 'pgp-fingerprint', 'pgp-key'].map((name) => ({
    name,
    value: { property: name },
  })),
};
