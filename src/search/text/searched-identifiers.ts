import { findAsNumbers, parseAsNumber } from '../../identifiers/as-number.js';
import { findEmailAddresses } from '../../identifiers/email-address.js';
import { findHostName, toReadableHostName } from '../../identifiers/host-name.js';
import { findIpRange, findIpRanges } from '../../identifiers/ip-range.js';
import type { IpRange } from '../../identifiers/ip-range.js';
import { findKeyIds, hasUuid, parseKeyId } from '../../identifiers/key-id.js';
import { readPastedIdentifier, removeMarksAround } from '../../identifiers/pasted-identifier.js';
import { findPhoneNumbers, parsePhoneNumber, readPhoneDigits } from '../../identifiers/phone-number.js';

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
 * `none`: an IP address or AS number that no record has is no word. `whole-words`: any other number may be in a text, as an
 * organization's number is, but not a part of it. `exact-names`: a host name that no record has may be the name of a company,
 * as `booking.com`, but words that are like its labels are no hint of anything.
 */
export type WordSearchMode = 'all' | 'whole-words' | 'exact-names' | 'none';

/** What a searched text is besides words. */
export interface IdentifierReading {
  readonly identifiers: SearchedIdentifiers;
  /** Whether the text is an identifier, with a label in front of it or without. Otherwise it may contain some. */
  readonly isIdentifier: boolean;
  /** How the words are searched where no record has one of the identifiers. */
  readonly wordSearch: WordSearchMode;
  /** The text whose words are searched: of a URL or e-mail address its host name, and a number without its label. */
  readonly wordText: string;
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

/** Reads a text that is one identifier. A URL or the name of a file may have a key, and a URL an AS number. */
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

/** The path of a URL. */
const PATH = /(?<=[^:/])\/.*$/;

/** Finds the first identifier of each kind that cannot be anything else. */
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
 * Returns the digits of the first telephone number in a text with a country code, or the first one where `isAlone` says that
 * its digits are part of no other identifier.
 */
function findPhoneNumber(text: string, isAlone: boolean): string | undefined {
  const numbers = findPhoneNumbers(text);
  const number =
    numbers.find((one) => one.startsWith('+')) ?? (isAlone ? numbers.find((one) => !isDate(one)) : undefined);
  return number === undefined ? undefined : readPhoneDigits(number);
}

/** Whether a text has a date, or is a range of years: these have the digits of a telephone number. */
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
