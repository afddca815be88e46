import type { TeamScope } from '../query.js';

/** What a property of a scope shows of a data team: a property of it, or something made of one. */
export type ScopeFieldValue =
  { readonly property: string } | { readonly firstItemOf: string } | { readonly continentOf: string };

/** One property of an abbreviated scope. */
export interface ScopeField {
  readonly name: string;
  readonly value: ScopeFieldValue;
}

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
 * The scopes of a data teams query that show something else than the public profile (decisions.md, section 4, "Scopes"), their
 * properties in order. Every record keeps its source, in every scope.
 */
export const scopeFields: Readonly<Record<Exclude<TeamScope, 'public'>, readonly ScopeField[]>> = {
  minimal: buildAbbreviatedFields(['u', 's', 't', 'c', 'o', 'r']),
  country: buildAbbreviatedFields(['url', 'team', 'team-full', 'country', 'country-other', 'region']),
  pgp: ['id', 'team', 'source-name', 'pgp-id', 'pgp-fingerprint', 'pgp-key'].map((name) => ({
    name,
    value: { property: name },
  })),
};
