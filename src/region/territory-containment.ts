import { createRequire } from 'node:module';
import type territories from 'cldr-core/supplemental/territoryContainment.json';

// An import of JSON writes a warning to standard error on Node 20; so only the file's type is imported.
const require = createRequire(import.meta.url);
const file = require('cldr-core/supplemental/territoryContainment.json') as typeof territories;

const containment: Readonly<Record<string, { readonly _contains: readonly string[] }>> =
  file.supplemental.territoryContainment;

/** Below CLDR's regions, but neither M49 regions nor ISO 3166-1 countries: Outlying Oceania, Sark, Ceuta and Melilla, Canary Islands. */
const cldrOnlyCodes = new Set(['QO', 'CQ', 'EA', 'IC']);

/** M49 areas that CLDR does not have: Antarctica belongs to no region, the Channel Islands are an intermediate one. */
const areasMissingFromCldr: Readonly<Record<string, readonly string[]>> = { '010': ['AQ'], '830': ['GG', 'JE'] };

/**
 * The alpha-2 codes of the countries in the M49 region with this code, at any depth; those that M49 does not list (TW, XK)
 * where CLDR places them. A code that is no region stands for itself.
 */
export function listCountriesInRegion(code: string): string[] {
  const parts = areasMissingFromCldr[code] ?? containment[code]?._contains;
  return parts ? parts.filter((part) => !cldrOnlyCodes.has(part)).flatMap(listCountriesInRegion) : [code];
}
