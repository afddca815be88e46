import type { AccessLevel } from '../access-level.js';
import type { TeamScope } from '../query.js';

/** A property as it is, the first item of a list, or the continent of a country. */
export type ScopeFieldValue =
  { readonly property: string } | { readonly firstItemOf: string } | { readonly continentOf: string };

export interface ScopeField {
  readonly name: string;
  readonly value: ScopeFieldValue;
}

/** Where the configuration does not say otherwise (operation 2.6.1). */
export const defaultScopeAccess: Readonly<Record<TeamScope, AccessLevel>> = {
  public: 'public',
  pgp: 'public',
  minimal: 'public',
  country: 'public',
  members: 'members',
};

/** Meaning of each scope (decisions 4.20, 8.2), for the description of the interfaces. */
export const scopeDescriptions: Readonly<Record<TeamScope, string>> = {
  public: 'the public profile, without PGP keys',
  pgp: 'the PGP keys of the teams that have some; teams without keys are left out of the list',
  minimal: 'names, country and region of the teams, under names of one letter',
  country: 'names, country and region of the teams',
  members: 'whole records with PGP keys, and what sources give to members only',
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

/** In order, for scopes that do not show whole records. Every scope has `source-name` (decisions 4.11). */
export const scopeFields: Readonly<Record<Exclude<TeamScope, 'public' | 'members'>, readonly ScopeField[]>> = {
  minimal: buildAbbreviatedFields(['u', 's', 't', 'c', 'o', 'r']),
  country: buildAbbreviatedFields(['url', 'team', 'team-full', 'country', 'country-other', 'region']),
  pgp: ['id', 'team', 'source-name', 'pgp-id', 'pgp-fingerprint', 'pgp-key'].map((name) => ({
    name,
    value: { property: name },
  })),
};
