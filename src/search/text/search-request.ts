import { parseAsNumber } from '../../identifiers/as-number.js';
import { findEmailAddresses } from '../../identifiers/email-address.js';
import { findHostName } from '../../identifiers/host-name.js';
import { findIpRange } from '../../identifiers/ip-range.js';
import type { IpRange } from '../../identifiers/ip-range.js';
import { parseKeyId } from '../../identifiers/key-id.js';
import { readPastedIdentifier } from '../../identifiers/pasted-identifier.js';
import { parsePhoneNumber } from '../../identifiers/phone-number.js';
import { listJoinedSpellings, listWords } from './words.js';
import type { Spellings } from './words.js';

/** A searched word. */
export interface SearchedWord {
  readonly spellings: Spellings;
  /** Whether a record without the word may be a hit: articles and the like distinguish no team. */
  readonly isOptional: boolean;
}

/**
 * `none`: a number that no record has is no word. `exact-names`: a host name that no record has may be the name of a company,
 * as `booking.com`, but words that are like its labels are no hint of anything.
 */
export type WordSearchMode = 'all' | 'exact-names' | 'none';

/** What a searched text may be. A text may be several of these at once: eight digits are a telephone number or a key id. */
export interface SearchRequest {
  /** Empty where the text has no letter or digit. */
  readonly words: readonly SearchedWord[];
  /** How the words are searched where no record has the text as an identifier. */
  readonly wordSearch: WordSearchMode;
  /** The letters and digits of the text, with which complete names are compared. */
  readonly joinedSpellings: readonly string[];
  /** Host name of the text, if it is a host name, URL or e-mail address. */
  readonly host?: string | undefined;
  readonly email?: string | undefined;
  /** Digits of a telephone number. */
  readonly phone?: string | undefined;
  /** Digits of a key id or fingerprint. */
  readonly key?: string | undefined;
  readonly asNumber?: number | undefined;
  readonly ipRange?: IpRange | undefined;
}

/** Reads a searched text (decisions 2.40). */
export function parseSearchText(text: string): SearchRequest {
  const trimmed = text.trim();
  const identifier = readPastedIdentifier(trimmed);
  const isOneToken = !/\s/.test(identifier);
  const words = listWords(trimmed);
  const hasOthers = words.some(([word]) => !STOP_WORDS.has(word));
  const ipRange = findIpRange(identifier);
  const identifiers = {
    host: isOneToken ? findHostName(identifier) : undefined,
    email: isOneToken ? findEmailAddresses(identifier, 1)[0] : undefined,
    phone: ipRange === undefined && !DATE.test(identifier) ? parsePhoneNumber(identifier) : undefined,
    key: parseKeyId(identifier),
    asNumber: parseAsNumber(identifier),
    ipRange,
  };
  return {
    ...identifiers,
    words: words.map((spellings) => ({ spellings, isOptional: hasOthers && STOP_WORDS.has(spellings[0]) })),
    wordSearch: chooseWordSearch(identifiers, identifier),
    joinedSpellings: listJoinedSpellings(trimmed),
  };
}

/** Whether a text is an identifier of any kind, which may consist of any number of words. */
export function isIdentifier({ host, email, phone, key, asNumber, ipRange }: SearchRequest): boolean {
  return [host, email, phone, key, asNumber, ipRange].some((identifier) => identifier !== undefined);
}

/** Eight letters of a key id may be a word, and digits alone may be a postal code. */
function chooseWordSearch(
  { host, phone, key, asNumber, ipRange }: Pick<SearchRequest, 'host' | 'phone' | 'key' | 'asNumber' | 'ipRange'>,
  text: string,
): WordSearchMode {
  if (asNumber !== undefined || ipRange !== undefined) return 'none';
  if (key !== undefined && /\d/.test(key)) return 'none';
  if (phone !== undefined && !/^\d+$/.test(text)) return 'none';
  return host === undefined ? 'all' : 'exact-names';
}

/** A date or a range of years, which has the digits of a telephone number. */
const DATE = /^\d{4}(?:-\d{2}){1,2}$|^\d{4} ?- ?\d{4}$/;

/** Articles, conjunctions and prepositions. A search for nothing else searches for them. */
const STOP_WORDS: ReadonlySet<string> = new Set([
  ...['a', 'an', 'and', 'at', 'by', 'for', 'from', 'in', 'of', 'on', 'or', 'the', 'to', 'with'],
  ...['da', 'das', 'de', 'del', 'den', 'der', 'des', 'di', 'die', 'do', 'dos', 'du', 'e', 'el', 'en', 'et'],
  ...['fur', 'i', 'la', 'las', 'le', 'les', 'los', 'og', 'och', 'pour', 'und', 'van', 'von', 'y', 'za'],
]);
