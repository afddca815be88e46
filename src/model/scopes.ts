import type { Scope } from './query.js';

/** What a property of a scope shows of a data team: a property of it, or something made of one. */
export type Shown = { readonly property: string } | { readonly first: string } | { readonly continentOf: string };

/** One property of an abbreviated scope. */
export interface ScopeField {
  readonly name: string;
  readonly shows: Shown;
}

const SOURCE: ScopeField = { name: 'source-name', shows: { property: 'source-name' } };

function abbreviated(names: readonly [string, string, string, string, string, string]): readonly ScopeField[] {
  const [url, short, full, country, others, region] = names;
  return [
    { name: url, shows: { first: 'website' } },
    { name: short, shows: { property: 'team' } },
    { name: full, shows: { property: 'team-full' } },
    { name: country, shows: { property: 'country' } },
    { name: others, shows: { property: 'country-other' } },
    { name: region, shows: { continentOf: 'country' } },
    SOURCE,
  ];
}

/**
 * The scopes of a data teams query that show something else than the public profile (decisions.md, section 4, "Scopes"), their
 * properties in order. Every record keeps its source, in every scope.
 */
export const scopeFields: Readonly<Record<Exclude<Scope, 'public'>, readonly ScopeField[]>> = {
  minimal: abbreviated(['u', 's', 't', 'c', 'o', 'r']),
  country: abbreviated(['url', 'team', 'team-full', 'country', 'country-other', 'region']),
  pgp: ['id', 'team', 'source-name', 'pgp-id', 'pgp-fingerprint', 'pgp-key'].map((name) => ({
    name,
    shows: { property: name },
  })),
};
