import { parseSearchText } from '../search/text/search-request.js';
import type { Query, TeamScope } from '../model/query.js';

export function showsPgpKeys(scope: TeamScope): boolean {
  return scope === 'pgp' || scope === 'members';
}

const ENCKEYS = 'enckeys';

/** A key id, a fingerprint or a part of one: begins with `0x`, or is at least as long as a short key id. */
const KEY_ID = /^0x[0-9a-f]+$|^[0-9a-f]{8,64}$/;

/** One group of a printed fingerprint. Fewer than `MIN_FINGERPRINT_GROUPS` are ordinary words or years. */
const FINGERPRINT_GROUP = /^[0-9a-f]{4}$/;
const MIN_FINGERPRINT_GROUPS = 4;

/**
 * Whether PGP keys that a source did not deliver make the response partial: it shows, filters, sorts or searches them
 * (decisions 4.16, 4.20, 4.25).
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
