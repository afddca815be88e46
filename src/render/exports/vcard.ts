import type { DocumentNode } from '../../model/document-node.js';
import { isMapNode } from '../../model/document-node.js';
import { getCountryNames } from '../../region/country-names.js';
import { formatIsoTimestamp, parseDate } from '../../text/date.js';
import { splitLongText } from '../chunked-text-output.js';
import type { RecordItem, RenderInput } from '../render-input.js';
import { summarizeSourcesInWords } from '../source-summary.js';
import { foldLine } from './line-folding.js';
import { extractPublicKeys } from './public-key-armor.js';
import { concat } from './concat.js';
import { findWebAddress } from './web-address.js';

/**
 * Renders vCards 4.0 (RFC 6350; decisions 3.16), one for each team. Every card states its source and, where the list is
 * incomplete, which sources are missing or stale: a further card would be an organisation that does not exist.
 */
export function* renderVcards({
  items,
  facts,
}: Pick<RenderInput, 'items' | 'facts'>): Generator<string, void, undefined> {
  const { shortfall } = summarizeSourcesInWords(facts);
  for (const item of items) {
    for (const line of listCardLines(item, shortfall)) yield* foldLine(concat([`${line.name}:`], line.value));
  }
}

/** A property of a vCard: its name with parameters, and its value in the syntax of the format, in pieces. */
interface CardProperty {
  readonly name: string;
  readonly value: Iterable<string>;
}

/** How a property of a record is written. Items that no property of a card can hold go to the note. */
interface CardMapping {
  /** Names that the property has on the interfaces and in the scopes of data teams. */
  readonly names: readonly string[];
  /** Label of the property in the note. */
  readonly label: string;
  /** Whether one text may list several items. Absent: no. */
  readonly isList?: true;
  /** Absent or undefined: the note has it. */
  readonly write?: (text: string) => CardProperty | undefined;
  /** What the note has in place of a text that must not be shown. Absent: the text. */
  readonly substitute?: string;
}

const CARD_MAPPINGS: readonly CardMapping[] = [
  { names: ['email'], label: 'E-mail', write: (text) => ({ name: 'EMAIL', value: escapeText(text) }) },
  { names: ['phone-numbers', 'phone'], label: 'Phone', write: (text) => writeTelephone(text, 'voice') },
  { names: ['fax'], label: 'Fax', write: (text) => writeTelephone(text, 'fax') },
  { names: ['phone-emergency'], label: 'Emergency phone', write: (text) => writeTelephone(text, 'voice') },
  { names: ['website', 'url', 'u'], label: 'Website', write: writeUrl },
  { names: ['timezone'], label: 'Time zone', write: (text) => ({ name: 'TZ', value: escapeText(text) }) },
  { names: ['enckeys', 'pgp-fingerprint'], label: 'Key id', isList: true, write: writeFingerprint },
  {
    names: ['pgp-key'],
    label: 'Key',
    write: writeArmoredKey,
    substitute: 'left out, because it cannot be read as a public key',
  },
  { names: ['pgp-id'], label: 'Key id' },
  // No type of TEL distinguishes it, so the note has it too.
  { names: ['phone-emergency'], label: 'Emergency phone' },
  { names: ['constituency'], label: 'Constituency' },
  { names: ['constituency-description'], label: 'Constituency description' },
  { names: ['operating-hours'], label: 'Operating hours' },
  { names: ['host'], label: 'Host' },
  { names: ['other-communication'], label: 'Other communication' },
  { names: ['timezone-dst'], label: 'Time zone in summer' },
  { names: ['additional-country-code', 'country-other', 'o'], label: 'Further countries' },
];

const OFFICIAL_NAMES = ['official-team-name', 'team-full', 't'];
const SHORT_NAMES = ['short-team-name', 'team', 's'];
const ADDRESSES = ['postal-address', 'address'];
const COUNTRIES = ['country-code', 'country', 'c'];
const DATES = ['last-modified'];

function* listCardLines(item: RecordItem, shortfall: string | undefined): Generator<CardProperty, void, undefined> {
  const { id, title, sourceName, address, properties } = item;
  const official = findText(properties, OFFICIAL_NAMES);
  const short = findText(properties, SHORT_NAMES);
  const name = official ?? short ?? title;
  yield { name: 'BEGIN', value: ['VCARD'] };
  yield { name: 'VERSION', value: ['4.0'] };
  yield { name: 'KIND', value: ['org'] };
  yield { name: 'UID;VALUE=text', value: escapeText(id) };
  yield { name: 'FN', value: escapeText(name) };
  yield { name: 'ORG', value: escapeComponent(name) };
  if (short !== undefined) yield { name: 'NICKNAME', value: escapeText(short) };
  yield* listAddressLines(properties);
  const notes: string[] = [];
  for (const { names, label, isList, write, substitute } of CARD_MAPPINGS) {
    const rest: string[] = [];
    const texts = names.flatMap((property) => listTexts(properties.get(property)));
    for (const text of isList === true ? texts.flatMap(splitList) : texts) {
      const written = write?.(text);
      if (written === undefined) rest.push(substitute ?? text);
      else yield written;
    }
    if (rest.length > 0) notes.push(`${label}: ${rest.join(', ')}`);
  }
  const revision = parseDate(findText(properties, DATES) ?? '');
  if (revision?.precision === 'second') yield { name: 'REV', value: [formatBasicTimestamp(revision.epochMs)] };
  if (address !== undefined) yield { name: 'SOURCE', value: [address] };
  yield { name: 'X-ROLLCALL-SOURCE-NAME', value: escapeText(sourceName) };
  const closing = [`Source: ${sourceName}.`, ...(shortfall === undefined ? [] : [shortfall])].join(' ');
  yield { name: 'NOTE', value: escapeText([...notes, closing].join('\n')) };
  yield { name: 'END', value: ['VCARD'] };
}

function* listAddressLines(properties: RecordItem['properties']): Generator<CardProperty, void, undefined> {
  const address = findText(properties, ADDRESSES) ?? '';
  const code = findText(properties, COUNTRIES) ?? '';
  const country = getCountryNames(code)[0] ?? code;
  if (address !== '' || country !== '')
    yield { name: 'ADR', value: concat([';;'], escapeComponent(address), [';;;;'], escapeComponent(country)) };
}

/** Maximum length of a text that is split into items, or read as a telephone number or address, in characters. */
const MAX_PARSED_LENGTH = 4_096;

/** The items of a text that may list several. */
function splitList(text: string): readonly string[] {
  return text.length > MAX_PARSED_LENGTH ? [text] : text.split(/[,;]/);
}

function findText(properties: RecordItem['properties'], names: readonly string[]): string | undefined {
  return names.flatMap((name) => listTexts(properties.get(name)))[0];
}

/** The texts of a value: none for an absent one. No record has a map as a value. */
function listTexts(value: DocumentNode | undefined): readonly string[] {
  if (value === undefined) return [];
  if (typeof value !== 'object') return [String(value)];
  return isMapNode(value) ? [] : [...value].flatMap(listTexts);
}

/** The mark by which the directory interface denotes a fax among the telephone numbers (decisions 4.15). */
const FAX_MARK = /\(fax\)\s*$/i;

/**
 * A telephone number in international form, of 4 to 15 digits (E.164), with separators that a reader may drop. A trunk
 * prefix, `(0)`, would be dialled as a digit.
 */
const GLOBAL_NUMBER = /^(?!.*\(0\))\+(?:[ ().-]*\d){4,15}[ ().-]*$/;

/** Writes a telephone number as a URI (RFC 3966) if it is an international one, otherwise as text. */
function writeTelephone(text: string, type: 'voice' | 'fax'): CardProperty {
  if (text.length > MAX_PARSED_LENGTH) return { name: `TEL;VALUE=text;TYPE=${type}`, value: escapeText(text) };
  const number = FAX_MARK.test(text) ? text.replace(FAX_MARK, '').trimEnd() : text;
  const shownType = number === text ? type : 'fax';
  return GLOBAL_NUMBER.test(number)
    ? { name: `TEL;VALUE=uri;TYPE=${shownType}`, value: [`tel:+${number.replace(/\D/g, '')}`] }
    : { name: `TEL;VALUE=text;TYPE=${shownType}`, value: escapeText(number) };
}

function writeUrl(text: string): CardProperty | undefined {
  const address = findWebAddress(text);
  return address === undefined ? undefined : { name: 'URL', value: [address] };
}

const FINGERPRINT = /^(?:0x)?([\dA-F]{40}|[\dA-F]{64})$/i;

/** Writes a fingerprint as a URI. A key id, which several keys may share, is none. */
function writeFingerprint(text: string): CardProperty | undefined {
  if (text.length > MAX_PARSED_LENGTH) return undefined;
  const [, digits] = FINGERPRINT.exec(text.replace(/\s/g, '')) ?? [];
  return digits === undefined ? undefined : { name: 'KEY', value: [`openpgp4fpr:${digits.toUpperCase()}`] };
}

function writeArmoredKey(text: string): CardProperty | undefined {
  const keys = extractPublicKeys(text);
  return keys === undefined
    ? undefined
    : { name: 'KEY', value: [`data:application/pgp-keys;base64,${Buffer.from(keys).toString('base64')}`] };
}

function formatBasicTimestamp(at: number): string {
  return formatIsoTimestamp(at).replace('+00:00', 'Z').replace(/[-:]/g, '');
}

/** Line ends of all kinds: a reader could begin a new property after each. */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/** Characters that a vCard cannot carry (RFC 6350, section 3.3), and those at which some readers split lines. */
const FORBIDDEN = /[^\P{Cc}\t\n]|\p{Cs}/gu;

/**
 * Escapes a text value (RFC 6350, section 3.4), so that it can neither end its line nor become a list. A long text is escaped
 * in slices.
 */
function* escapeText(text: string): Generator<string, void, undefined> {
  let endsWithCr = false;
  for (const slice of splitLongText(text)) {
    // A line end of two characters may be in two slices.
    yield escapeSlice(endsWithCr && slice.startsWith('\n') ? slice.slice(1) : slice);
    endsWithCr = slice.endsWith('\r');
  }
}

function escapeSlice(slice: string): string {
  return slice.replace(LINE_END, '\n').replace(FORBIDDEN, '\ufffd').replace(/[\\,]/g, '\\$&').replaceAll('\n', '\\n');
}

/** Escapes one component of a structured value, so that it cannot become several. */
function* escapeComponent(text: string): Generator<string, void, undefined> {
  for (const slice of escapeText(text)) yield slice.replaceAll(';', '\\;');
}
