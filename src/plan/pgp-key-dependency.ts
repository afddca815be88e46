import type { Query } from '../model/query.js';

/** The property of the directory interface that shows the PGP keys of data sources (decisions.md, section 4). */
const ENCKEYS = 'enckeys';

/** A word that can be a key id or fingerprint, or a part of one: marked by `0x`, or at least as long as a short key id. */
const KEY_ID = /^0x[0-9a-f]+$|^[0-9a-f]{8,64}$/;

/** A fingerprint as people print it. Fewer groups are words, or years. */
const FINGERPRINT_GROUP = /^[0-9a-f]{4}$/;
const MIN_FINGERPRINT_GROUPS = 4;

/**
 * Whether the answer to a query depends on the PGP keys of teams: scope `pgp`, `enckeys` in `fields`, in a filter or in `sort`, or a search of whole
 * records for a key id (decisions.md, section 4, "Scopes"). Keys that a source failed to give make only such an answer partial.
 */
export function dependsOnPgpKeys({ scope, fields, predicates: where, order }: Query): boolean {
  if (scope === 'pgp' || fields?.includes(ENCKEYS) === true) return true;
  if (order.some(({ property }) => property === ENCKEYS)) return true;
  return where.some((predicate) => {
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
