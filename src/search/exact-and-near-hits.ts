import { findRegistrableDomain } from '../identifiers/host-name.js';
import { isAtOrBelow } from './hit-reasons.js';
import type { HitKind, HitReason } from './hit-reasons.js';
import { parseSearchText } from './text/search-request.js';
import type { SearchedWord } from './text/search-request.js';

/** A hit of a search, and how far it is what was searched. */
export interface JudgedHit {
  readonly reasons: readonly HitReason[];
  /** It has the identifier, the complete name or all words; of a host name, the nearest domain that contains it. */
  readonly isExact: boolean;
  /** Searched words that it does not have, as they are compared. */
  readonly missing: readonly string[];
}

export type HitsById = ReadonlyMap<string, JudgedHit>;

const EXACT_KINDS: ReadonlySet<HitKind> = new Set(['name', 'e-mail', 'telephone', 'key', 'as-number', 'ip-range']);

/** `text` is what was searched, `reasons` those of each hit of a page. */
export function judgeHits(text: string, reasons: ReadonlyMap<string, readonly HitReason[]>): HitsById {
  const { words, host, email, phone, key, asNumber, ipRange } = parseSearchText(text);
  const hasIdentifier = [host, email, phone, key, asNumber, ipRange].some((one) => one !== undefined);
  // Anybody may have a mailbox at the domain of a provider, which is not registrable.
  const isContaining = ({ kind, text: domain }: HitReason): boolean =>
    kind === 'host' &&
    host !== undefined &&
    (host === domain || (isAtOrBelow(host, domain) && findRegistrableDomain(domain) !== undefined));
  const containing = [...reasons.values()].flat().filter(isContaining);
  const nearest = Math.max(...containing.map(({ text: domain }) => domain.length));
  return new Map(
    [...reasons].map(([id, ofHit]) => {
      const missing = hasIdentifier ? [] : listMissingWords(words, ofHit);
      const isExact =
        ofHit.some((one) => EXACT_KINDS.has(one.kind) || (isContaining(one) && one.text.length === nearest)) ||
        (!hasIdentifier && missing.length === 0 && ofHit.every(({ kind }) => kind !== 'spelling'));
      return [id, { reasons: ofHit, isExact, missing }];
    }),
  );
}

/** Words that distinguish no team are never missing. Neighbouring words may have matched as one. */
function listMissingWords(words: readonly SearchedWord[], reasons: readonly HitReason[]): readonly string[] {
  if (reasons.some(({ kind }) => kind === 'name')) return [];
  const found = reasons.filter(({ kind }) => kind !== 'spelling').map(({ text }) => text);
  const similar = reasons.length - found.length;
  const missing = words
    .filter(({ isOptional, isCode }) => !isOptional || isCode)
    .filter(({ spellings }) => !found.some((text) => spellings.some((spelling) => text.includes(spelling))))
    .map(({ spellings: [spelling] }) => spelling);
  // Which of them is which similar word is not known.
  return missing.length <= similar ? [] : missing;
}
