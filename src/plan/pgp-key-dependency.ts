import { parseSearchText } from '../search/text/search-request.js';
import type { Query, TeamScope } from '../model/query.js';

/** Whether a scope of data teams shows their PGP keys (decisions 4.20). */
export function showsPgpKeys(scope: TeamScope): boolean {
  return scope === 'pgp' || scope === 'members';
}

/** Property of the directory interface that shows the PGP keys of data sources (decisions 4.16). */
const ENCKEYS = 'enckeys';

/**
 * A word that may be a key id, a fingerprint or a part of one: it begins with `0x`, or is at least as long as a short
 * key id (decisions 4.25).
 */
const KEY_ID = /^0x[0-9a-f]+$|^[0-9a-f]{8,64}$/;

/** One group of a printed fingerprint. Fewer than `MIN_FINGERPRINT_GROUPS` such groups are ordinary words or years. */
const FINGERPRINT_GROUP = /^[0-9a-f]{4}$/;
const MIN_FINGERPRINT_GROUPS = 4;

/**
 * Whether the result of a query depends on the PGP keys of teams: scope `pgp` or `members`; `enckeys` in `fields`, in a
 * filter or in `sort`; a file that shows `enckeys`; a search of complete records for a key id; or a search by relevance
 * for one. PGP keys that could not be fetched from a source make only these responses partial.
 */
export function dependsOnPgpKeys({ resource, scope, fields, isFile, predicates, order, search }: Query): boolean {
  if (isFile === true && fields === undefined && resource.derivedKeyProperty === ENCKEYS) return true;
  if (search?.includesKeys === true && parseSearchText(search.text).key !== undefined) return true;
  if (showsPgpKeys(scope) || fields?.includes(ENCKEYS) === true) return true;
  if (order.some(({ property }) => property === ENCKEYS)) return true;
  return predicates.some((predicate) => {
    if (predicate.kind === 'equals') return predicate.properties.includes(ENCKEYS);
    return predicate.kind === 'words' && predicate.properties === undefined && containsKeyId(predicate.words);
  });
}

function containsKeyId(words: readonly string[]): boolean {
  return (
    words.some((word) => KEY_ID.test(word)) ||
    words.filter((word) => FINGERPRINT_GROUP.test(word)).length >= MIN_FINGERPRINT_GROUPS
  );
}
