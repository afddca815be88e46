import { findAsNumbers, parseAsNumber } from '../../identifiers/as-number.js';
import { findEmailAddresses } from '../../identifiers/email-address.js';
import { findHostName, toReadableHostName } from '../../identifiers/host-name.js';
import { findIpRange, findIpRanges } from '../../identifiers/ip-range.js';
import type { IpRange } from '../../identifiers/ip-range.js';
import { findKeyIds, hasUuid, parseKeyId } from '../../identifiers/key-id.js';
import { readPastedIdentifier, removeMarksAround } from '../../identifiers/pasted-identifier.js';
import { findPhoneNumbers, parsePhoneNumber, readPhoneDigits } from '../../identifiers/phone-number.js';

/** There may be several at once: eight digits are a telephone number or a key id. */
export interface SearchedIdentifiers {
  /** Of a host name, URL or e-mail address. */
  readonly host?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  /** Of a key id or fingerprint. */
  readonly key?: string | undefined;
  readonly asNumber?: number | undefined;
  readonly ipRange?: IpRange | undefined;
}

/**
 * `none`: an IP address or AS number that no record has is no word. `whole-words`: any other number may be in a text, as an
 * organization's number is, but not a part of it. `exact-names`: a host name that no record has may be the name of a company,
 * as `booking.com`, but words that are like its labels are no hint of anything.
 */
export type WordSearchMode = 'all' | 'whole-words' | 'exact-names' | 'none';

interface IdentifierReading {
  readonly identifiers: SearchedIdentifiers;
  /** With or without a label in front. Otherwise the text may contain identifiers. */
  readonly isIdentifier: boolean;
  /** Where no record has one of the identifiers. */
  readonly wordSearch: WordSearchMode;
  /** Words are searched in this: the host name of a URL or e-mail address, a number without its label. */
  readonly wordText: string;
}

/**
 * Reads a text that is an identifier, or has one behind a label (`Tel.: …`); of any other text, such as a line of a
 * report, the first one of each kind (decisions 2.40).
 */
export function readSearchedIdentifiers(text: string): IdentifierReading {
  const pasted = readPastedIdentifier(text);
  const unlabelled = readPastedIdentifier(LABEL.exec(pasted)?.[1] ?? '');
  for (const candidate of [pasted, unlabelled]) {
    const identifiers = readIdentifier(candidate);
    if (!hasIdentifier(identifiers)) continue;
    const wordSearch = chooseWordSearch(identifiers, candidate);
    const { host } = identifiers;
    const searched = host === undefined ? candidate : toReadableHostName(host);
    return { identifiers, isIdentifier: true, wordSearch, wordText: wordSearch === 'all' ? text : searched };
  }
  return { identifiers: findIdentifiers(pasted), isIdentifier: false, wordSearch: 'all', wordText: text };
}

/** Words before an identifier: `PGP Key ID:`, `Schl.-Fingerabdruck =`. */
const LABEL = /^[^\d:=]{1,40}[:=]\s*(.+)$/s;

function hasIdentifier(identifiers: SearchedIdentifiers): boolean {
  return Object.values(identifiers).some((identifier) => identifier !== undefined);
}

/** A URL or the name of a file may have a key, and a URL an AS number. */
function readIdentifier(text: string): SearchedIdentifiers {
  const isOneToken = !/\s/.test(text);
  const host = isOneToken ? findHostName(text) : undefined;
  const isNumber = host === undefined && findIpRanges(text).length === 0 && !isDate(text);
  return {
    host,
    email: isOneToken ? findEmailAddresses(text, 1)[0] : undefined,
    phone: isNumber ? parsePhoneNumber(text) : undefined,
    key: host === undefined ? (isNumber ? parseKeyId(text) : undefined) : findKeyIds(text)[0],
    asNumber: host === undefined ? parseAsNumber(text) : findAsNumbers(PATH.exec(text)?.[0] ?? '')[0],
    ipRange: findIpRange(text),
  };
}

const PATH = /(?<=[^:/])\/.*$/;

/** Only identifiers that cannot be anything else. */
function findIdentifiers(text: string): SearchedIdentifiers {
  const tokens = text.split(SEPARATORS).map(removeMarksAround);
  const email = tokens.flatMap((token) => findEmailAddresses(token, 1))[0];
  const host = email ?? tokens.find((token) => URL_START.test(token) && findHostName(token) !== undefined);
  const others = {
    host: host === undefined ? undefined : findHostName(host),
    email,
    key: findKeyIds(text)[0],
    asNumber: findAsNumbers(text)[0],
    ipRange: findIpRanges(text)[0],
  };
  return { ...others, phone: findPhoneNumber(text, !hasIdentifier(others) && !hasUuid(text)) };
}

/**
 * The first number with a country code, or the first one where `isAlone` says that its digits are part of no other
 * identifier.
 */
function findPhoneNumber(text: string, isAlone: boolean): string | undefined {
  const numbers = findPhoneNumbers(text);
  const number =
    numbers.find((one) => one.startsWith('+')) ?? (isAlone ? numbers.find((one) => !isDate(one)) : undefined);
  return number === undefined ? undefined : readPhoneDigits(number);
}

/** A date or a range of years has the digits of a telephone number. */
function isDate(text: string): boolean {
  return !text.startsWith('+') && DATE.test(text);
}

const DATE =
  /(?<!\d)(?:(?:19|20)\d{2}([-./])\d{1,2}(?:\1\d{1,2})?|\d{1,2}([-./])\d{1,2}\2(?:19|20)\d{2})(?!\d)|^(?:19|20)\d{2} ?- ?(?:19|20)\d{2}$/;

const SEPARATORS = /[\s,;<>()'"`|]+/;
const URL_START = /^(?:[a-z][a-z\d+.-]{0,20}:\/\/|www\.)/i;

/** Eight letters of a key id may be a word, and the digits of a number may begin a longer one. */
function chooseWordSearch({ host, phone, key, asNumber, ipRange }: SearchedIdentifiers, text: string): WordSearchMode {
  if (host !== undefined) return 'exact-names';
  if (asNumber !== undefined || ipRange !== undefined) return 'none';
  const isNumber = phone !== undefined || (key !== undefined && /\d/.test(key));
  return isNumber && !/^\d+$/.test(text) ? 'whole-words' : 'all';
}
