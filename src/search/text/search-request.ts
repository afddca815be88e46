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

/** What a searched text may be. A text may be several of these at once: eight digits are a telephone number or a key id. */
export interface SearchRequest {
  /** The words that are searched, without those that nearly every text has. Empty where the text has no letter or digit. */
  readonly words: readonly Spellings[];
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
  const meaningful = words.filter(([word]) => !FILLER_WORDS.has(word));
  return {
    words: meaningful.length > 0 ? meaningful : words,
    joinedSpellings: listJoinedSpellings(trimmed),
    host: isOneToken ? findHostName(identifier) : undefined,
    email: isOneToken ? findEmailAddresses(identifier, 1)[0] : undefined,
    phone: parsePhoneNumber(identifier),
    key: parseKeyId(identifier),
    asNumber: parseAsNumber(identifier),
    ipRange: findIpRange(identifier),
  };
}

/** Articles, conjunctions and prepositions, which distinguish no team. A search for nothing else searches for them. */
const FILLER_WORDS: ReadonlySet<string> = new Set([
  ...['a', 'an', 'and', 'at', 'by', 'for', 'from', 'in', 'of', 'on', 'or', 'the', 'to', 'with'],
  ...['da', 'das', 'de', 'del', 'den', 'der', 'des', 'di', 'die', 'do', 'dos', 'du', 'e', 'el', 'en', 'et'],
  ...['fur', 'i', 'la', 'las', 'le', 'les', 'los', 'og', 'och', 'pour', 'und', 'van', 'von', 'y', 'za'],
]);
