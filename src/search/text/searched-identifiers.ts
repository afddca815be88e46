import { findAsNumbers, parseAsNumber } from '../../identifiers/as-number.js';
import { findEmailAddresses } from '../../identifiers/email-address.js';
import { findHostName } from '../../identifiers/host-name.js';
import { findIpRange, findIpRanges } from '../../identifiers/ip-range.js';
import type { IpRange } from '../../identifiers/ip-range.js';
import { findKeyId, parseKeyId } from '../../identifiers/key-id.js';
import { readPastedIdentifier } from '../../identifiers/pasted-identifier.js';
import { findPhoneNumber, parsePhoneNumber } from '../../identifiers/phone-number.js';

/** The identifiers of a searched text. It may be several at once: eight digits are a telephone number or a key id. */
export interface SearchedIdentifiers {
  /** Host name of a host name, URL or e-mail address. */
  readonly host?: string | undefined;
  readonly email?: string | undefined;
  /** Digits of a telephone number. */
  readonly phone?: string | undefined;
  /** Digits of a key id or fingerprint. */
  readonly key?: string | undefined;
  readonly asNumber?: number | undefined;
  readonly ipRange?: IpRange | undefined;
}

/**
 * `none`: a number that no record has is no word. `exact-names`: a host name that no record has may be the name of a company,
 * as `booking.com`, but words that are like its labels are no hint of anything.
 */
export type WordSearchMode = 'all' | 'exact-names' | 'none';

/** What a searched text is besides words. */
export interface IdentifierReading {
  readonly identifiers: SearchedIdentifiers;
  /** Whether the text is an identifier, with a label in front of it or without. Otherwise it may contain some. */
  readonly isIdentifier: boolean;
  /** How the words are searched where no record has one of the identifiers. */
  readonly wordSearch: WordSearchMode;
}

/**
 * Reads the identifiers of a searched text (decisions 2.40): a text that is an identifier, or has one behind a label
 * (`Tel.: …`). Of any other text, such as a line of a report, the first one of each kind.
 */
export function readSearchedIdentifiers(text: string): IdentifierReading {
  const pasted = readPastedIdentifier(text);
  const unlabelled = readPastedIdentifier(LABEL.exec(pasted)?.[1] ?? '');
  for (const candidate of [pasted, unlabelled]) {
    const identifiers = readIdentifier(candidate);
    if (hasIdentifier(identifiers))
      return { identifiers, isIdentifier: true, wordSearch: chooseWordSearch(identifiers, candidate) };
  }
  return { identifiers: findIdentifiers(pasted), isIdentifier: false, wordSearch: 'all' };
}

/** Words before an identifier: `PGP Key ID:`, `Schl.-Fingerabdruck =`. */
const LABEL = /^[^\d:=]{1,40}[:=]\s*(.+)$/s;

function hasIdentifier(identifiers: SearchedIdentifiers): boolean {
  return Object.values(identifiers).some((identifier) => identifier !== undefined);
}

/** Reads a text that is one identifier. */
function readIdentifier(text: string): SearchedIdentifiers {
  const isOneToken = !/\s/.test(text);
  const ipRange = findIpRange(text);
  const mayBeNumber = ipRange === undefined && !DATE.test(text);
  return {
    host: isOneToken ? findHostName(text) : undefined,
    email: isOneToken ? findEmailAddresses(text, 1)[0] : undefined,
    phone: mayBeNumber ? parsePhoneNumber(text) : undefined,
    key: mayBeNumber ? parseKeyId(text) : undefined,
    asNumber: parseAsNumber(text),
    ipRange,
  };
}

/** A date or a range of years, which has the digits of a telephone number or a key id. */
const DATE = /^\d{4}(?:-\d{2}){1,2}$|^(?:19|20)\d{2} ?- ?(?:19|20)\d{2}$/;

/** Finds the first identifier of each kind that cannot be anything else. */
function findIdentifiers(text: string): SearchedIdentifiers {
  const tokens = text.split(SEPARATORS).map(readPastedIdentifier);
  const email = tokens.flatMap((token) => findEmailAddresses(token, 1))[0];
  const host = email ?? tokens.find((token) => URL_START.test(token) && findHostName(token) !== undefined);
  return {
    host: host === undefined ? undefined : findHostName(host),
    email,
    phone: findPhoneNumber(text),
    key: findKeyId(text),
    asNumber: findAsNumbers(text)[0],
    ipRange: findIpRanges(text)[0],
  };
}

const SEPARATORS = /[\s,;<>()'"`|]+/;
const URL_START = /^(?:[a-z][a-z\d+.-]{0,20}:\/\/|www\.)/i;

/** Eight letters of a key id may be a word, and digits alone may be a postal code. */
function chooseWordSearch({ host, phone, key, asNumber, ipRange }: SearchedIdentifiers, text: string): WordSearchMode {
  if (asNumber !== undefined || ipRange !== undefined) return 'none';
  if (key !== undefined && /\d/.test(key)) return 'none';
  if (phone !== undefined && !/^\d+$/.test(text)) return 'none';
  return host === undefined ? 'all' : 'exact-names';
}
