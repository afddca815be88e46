import { parseFingerprint } from '../../identifiers/key-id.js';
import { FAX_MARK } from '../../identifiers/phone-number.js';
import type { DocumentNode } from '../../model/document-node.js';
import { isMapNode } from '../../model/document-node.js';
import { directoryTeams } from '../../model/resources/directory-teams.js';
import { getCountryNames } from '../../region/country-names.js';
import { formatIsoTimestamp, parseDate } from '../../text/date.js';
import { splitLongText } from '../chunked-text-output.js';
import type { RecordItem, RenderInput, ResponseFacts } from '../render-input.js';
import { summarizeSourcesInWords } from '../source-summary.js';
import { foldLine } from './line-folding.js';
import { extractPublicKeys } from './public-key-armor.js';
import { concat } from './concat.js';
import { findWebAddress } from './web-address.js';

/**
 * vCards 4.0 (RFC 6350; decisions 3.16), one for each team. Every card states its source and, where the list is
 * incomplete, which sources are missing or stale and which part of the list the cards are: a further card would be an
 * organisation that does not exist.
 */
export function* renderVcards({
  items,
  facts,
}: Pick<RenderInput, 'items' | 'facts'>): Generator<string, void, undefined> {
  const listStatements = describeList(facts);
  for (const item of items) {
    for (const line of listCardLines(item, listStatements)) yield* foldLine(concat([`${line.name}:`], line.value));
  }
}

/** Repeated in each card; none for a complete list. */
function describeList(facts: ResponseFacts): readonly string[] {
  const { shortfall } = summarizeSourcesInWords(facts);
  const { total, page } = facts;
  const isPart = page !== undefined && page.count < total;
  return [
    ...(isPart ? [`Cards ${page.offset + 1} to ${page.offset + page.count} of ${total}.`] : []),
    ...(shortfall === undefined ? [] : [shortfall]),
  ];
}

/** A property with parameters, and its value in the syntax of the format, in pieces. */
interface CardLine {
  readonly name: string;
  readonly value: Iterable<string>;
}

/** Before its value is escaped. */
interface CardProperty {
  readonly name: string;
  readonly text: string;
  /** A URI or a date, which is not escaped. */
  readonly isRaw?: true;
}

/** Items that no property of a card can hold go to the note. */
interface CardMapping {
  /** On the interfaces and in the scopes of data teams. */
  readonly names: readonly string[];
  readonly label: string;
  /** One text may list several items. */
  readonly isList?: true;
  /** Absent or undefined: the note has the property. */
  readonly write?: (text: string) => CardProperty | undefined;
  /** In the note, for a text that must not be shown. Absent: the text. */
  readonly substitute?: string;
}

const CARD_MAPPINGS: readonly CardMapping[] = [
  { names: ['email'], label: 'E-mail', write: (text) => ({ name: 'EMAIL', text }) },
  { names: ['phone-numbers', 'phone'], label: 'Phone', write: (text) => writeTelephone(text, 'voice') },
  { names: ['fax'], label: 'Fax', write: (text) => writeTelephone(text, 'fax') },
  { names: ['phone-emergency'], label: 'Emergency phone', write: (text) => writeTelephone(text, 'voice') },
  { names: ['website', 'url', 'u'], label: 'Website', write: writeUrl },
  { names: ['timezone'], label: 'Time zone', write: (text) => ({ name: 'TZ', text }) },
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
  { names: ['constituency-code'], label: 'Constituency code' },
  { names: ['constituency-description'], label: 'Constituency description' },
  { names: ['operating-hours'], label: 'Operating hours' },
  { names: ['host'], label: 'Host' },
  { names: ['establishment'], label: 'Establishment' },
  { names: ['team-type'], label: 'Team type' },
  { names: ['membership'], label: 'Membership' },
  { names: ['member-since'], label: 'Member since' },
  { names: ['other-communication'], label: 'Other communication' },
  { names: ['timezone-dst'], label: 'Time zone in summer' },
  { names: ['additional-country-code', 'country-other', 'o'], label: 'Further countries' },
  { names: ['region', 'r'], label: 'Region' },
  { names: ['last-modified'], label: 'Last modified', write: writeRevision },
];

const OFFICIAL_NAMES = ['official-team-name', 'team-full', 't'];
const SHORT_NAMES = ['short-team-name', 'team', 's'];
const ADDRESSES = ['postal-address', 'address'];
const COUNTRIES = ['country-code', 'country', 'c'];
/** UID and X-ROLLCALL-SOURCE-NAME have these. */
const IDENTITIES = [
  'id',
  ...(directoryTeams.idProperty === undefined ? [] : [directoryTeams.idProperty]),
  'source-name',
];

/** A card has a place for these. The note has all others under their own names. */
const PLACED: ReadonlySet<string> = new Set([
  ...[OFFICIAL_NAMES, SHORT_NAMES, ADDRESSES, COUNTRIES, IDENTITIES].flat(),
  ...CARD_MAPPINGS.flatMap(({ names }) => names),
]);

function* listCardLines(item: RecordItem, listStatements: readonly string[]): Generator<CardLine, void, undefined> {
  const { id, title, sourceName, address, properties, keyProblems = [] } = item;
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
  yield* writeMappedProperties(properties, notes);
  notes.push(...keyProblems);
  for (const [property, value] of properties) {
    const texts = PLACED.has(property) ? [] : listTexts(value);
    if (texts.length > 0) notes.push(`${property}: ${texts.join(', ')}`);
  }
  if (address !== undefined) yield { name: 'SOURCE', value: [address] };
  yield { name: 'X-ROLLCALL-SOURCE-NAME', value: escapeText(sourceName) };
  // Names of sources must not begin a line, because the last line is what states the source.
  const closing = [`Source: ${sourceName}.`, ...listStatements].join(' ').replace(LINE_END, ' ');
  yield { name: 'NOTE', value: escapeText([...notes, closing].join('\n')) };
  yield { name: 'END', value: ['VCARD'] };
}

/** Each property of a card once. What no property can hold is added to the notes. */
function* writeMappedProperties(
  properties: RecordItem['properties'],
  notes: string[],
): Generator<CardLine, void, undefined> {
  const written = new Set<string>();
  for (const { names, label, isList, write, substitute } of CARD_MAPPINGS) {
    const rest: string[] = [];
    const texts = names.flatMap((property) => listTexts(properties.get(property)));
    for (const text of isList === true ? texts.flatMap(splitList) : texts) {
      const property = write?.(text);
      if (property === undefined) {
        rest.push(substitute ?? text);
        continue;
      }
      const identity = `${property.name}:${property.text}`;
      if (!written.has(identity))
        yield { name: property.name, value: property.isRaw ? [property.text] : escapeText(property.text) };
      written.add(identity);
    }
    if (rest.length > 0) notes.push(`${label}: ${rest.join(', ')}`);
  }
}

function* listAddressLines(properties: RecordItem['properties']): Generator<CardLine, void, undefined> {
  const address = findText(properties, ADDRESSES) ?? '';
  const code = findText(properties, COUNTRIES) ?? '';
  const country = getCountryNames(code)[0] ?? code;
  if (address !== '' || country !== '')
    yield { name: 'ADR', value: concat([';;'], escapeComponent(address), [';;;;'], escapeComponent(country)) };
}

/** In characters, of a text that is split into items or read as a telephone number. */
const MAX_PARSED_LENGTH = 4_096;

function splitList(text: string): readonly string[] {
  if (text.length > MAX_PARSED_LENGTH) return [text];
  return text
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function findText(properties: RecordItem['properties'], names: readonly string[]): string | undefined {
  return names.flatMap((name) => listTexts(properties.get(name)))[0];
}

/** None for an absent value. No record has a map as a value. */
function listTexts(value: DocumentNode | undefined): readonly string[] {
  if (value === undefined) return [];
  if (typeof value !== 'object') return [String(value)];
  return isMapNode(value) ? [] : [...value].flatMap(listTexts);
}

/**
 * 4 to 15 digits (E.164), with separators that a reader may drop. A trunk prefix, `(0)`, would be dialled as a digit.
 */
const GLOBAL_NUMBER = /^(?!.*\(0\))\+(?:[ ().-]*\d){4,15}[ ().-]*$/;

/** A URI (RFC 3966) for an international number, otherwise text. */
function writeTelephone(text: string, type: 'voice' | 'fax'): CardProperty {
  if (text.length > MAX_PARSED_LENGTH) return { name: `TEL;VALUE=text;TYPE=${type}`, text };
  const number = FAX_MARK.test(text) ? text.replace(FAX_MARK, '').trimEnd() : text;
  const shownType = number === text ? type : 'fax';
  return GLOBAL_NUMBER.test(number)
    ? { name: `TEL;VALUE=uri;TYPE=${shownType}`, text: `tel:+${number.replace(/\D/g, '')}`, isRaw: true }
    : { name: `TEL;VALUE=text;TYPE=${shownType}`, text: number };
}

function writeUrl(text: string): CardProperty | undefined {
  const address = findWebAddress(text);
  return address === undefined ? undefined : { name: 'URL', text: address, isRaw: true };
}

/** With a time. REV has no form for a less exact date (RFC 6350, section 4.3.5). */
function writeRevision(text: string): CardProperty | undefined {
  const revision = text.length > MAX_PARSED_LENGTH ? undefined : parseDate(text);
  return revision?.precision === 'second'
    ? { name: 'REV', text: formatBasicTimestamp(revision.epochMs), isRaw: true }
    : undefined;
}

/** As a URI. A key id, which several keys may share, is no fingerprint. */
function writeFingerprint(text: string): CardProperty | undefined {
  const digits = parseFingerprint(text);
  return digits === undefined ? undefined : { name: 'KEY', text: `openpgp4fpr:${digits}`, isRaw: true };
}

function writeArmoredKey(text: string): CardProperty | undefined {
  const keys = extractPublicKeys(text);
  if (keys === undefined) return undefined;
  const data = Buffer.from(keys).toString('base64');
  return { name: 'KEY', text: `data:application/pgp-keys;base64,${data}`, isRaw: true };
}

function formatBasicTimestamp(at: number): string {
  return formatIsoTimestamp(at).replace('+00:00', 'Z').replace(/[-:]/g, '');
}

/** Of all kinds: a reader could begin a new property after each. */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

/** Not allowed in a vCard (RFC 6350, section 3.3), or line ends to some readers. */
const FORBIDDEN = /[^\P{Cc}\t\n]|\p{Cs}/gu;

/** RFC 6350, section 3.4: the text can neither end its line nor become a list. A long text is escaped in slices. */
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

/** One component of a structured value must not become several. */
function* escapeComponent(text: string): Generator<string, void, undefined> {
  for (const slice of escapeText(text)) yield slice.replaceAll(';', '\\;');
}
