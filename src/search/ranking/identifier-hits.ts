import type { IpRange } from '../../identifiers/ip-range.js';
import { isVersion6Fingerprint } from '../../identifiers/key-id.js';
import { MIN_COMMON_DIGITS, SUFFICIENT_DIGITS } from '../../identifiers/phone-number.js';
import { AS_NUMBER_SCORE, BEST_SCORE, KEY_SCORES, PHONE_SCORES, scoreOfHost, scoresOfRanges } from './scores.js';
import type { ScoreSheet } from './score-sheet.js';
import type { SearchIndex } from '../index/search-index.js';
import type { SearchRequest } from '../text/search-request.js';
import { TERM_KINDS, hostTerm, reverse } from '../index/terms.js';
import { toUnitBytes } from '../index/unit-bytes.js';

interface IdentifierSearch {
  readonly request: SearchRequest;
  /** Undefined where the host name has none, or that of a provider. */
  readonly registrable: string | undefined;
  readonly searchesKeys: boolean;
}

/** Returns whether there are any. */
export function findIdentifierHits(sheets: readonly ScoreSheet[], search: IdentifierSearch): boolean {
  const { ipRange } = search.request;
  const found = sheets.filter((sheet) => addTerms(sheet, search));
  const isInRange = ipRange !== undefined && addRanges(sheets, ipRange);
  return isInRange || found.length > 0;
}

function addTerms(sheet: ScoreSheet, search: IdentifierSearch): boolean {
  const { index } = sheet;
  let found = false;
  const addTerm: AddTerm = (term, score) => {
    if (sheet.raiseAll(term, score)) found = true;
  };
  const { host, email, phone, key, asNumber } = search.request;
  if (host !== undefined) addHosts(index, host, { registrable: search.registrable, addTerm });
  if (email !== undefined) addTerm(index.terms.find(TERM_KINDS.email + email), BEST_SCORE);
  if (phone !== undefined) addPhones(index, phone, addTerm);
  if (key !== undefined && search.searchesKeys) addKeys(index, key, addTerm);
  if (asNumber !== undefined) addTerm(index.terms.find(TERM_KINDS.asNumber + String(asNumber)), AS_NUMBER_SCORE);
  return found;
}

function addRanges(sheets: readonly ScoreSheet[], searched: IpRange): boolean {
  // The score of a range depends on the sizes of the ranges of all sources.
  const found = sheets.map((sheet) => {
    const [positions, sizes]: [number[], number[]] = [[], []];
    sheet.index.forEachRange(searched, (position, size) => {
      if (!sheet.allows(position)) return;
      positions.push(position);
      sizes.push(size);
    });
    return { sheet, positions, sizes };
  });
  const distinct = new Set<number>();
  for (const { sizes } of found) for (const size of sizes) distinct.add(size);
  const scores = scoresOfRanges(distinct);
  for (const { sheet, positions, sizes } of found)
    for (const [nth, position] of positions.entries()) sheet.raise(position, scores.get(sizes[nth] ?? 0) ?? 1);
  return distinct.size > 0;
}

type AddTerm = (term: number | undefined, score: number) => void;

/** Also adds hosts of the same registrable domain. */
function addHosts(
  index: SearchIndex,
  host: string,
  { registrable, addTerm }: { readonly registrable: string | undefined; readonly addTerm: AddTerm },
): void {
  const searched = hostTerm(host);
  // A host name is ASCII: its units are its bytes.
  const bytes = toUnitBytes(searched);
  const labels = countDots(searched, searched.length);
  const add = (term: number): void => {
    const common = countDots(searched, index.terms.countCommonBytes(term, bytes));
    addTerm(term, scoreOfHost({ searched: labels, found: index.terms.countByte(term, DOT), common }));
  };
  for (const term of index.terms.findFrom(registrable === undefined ? searched : hostTerm(registrable))) add(term);
  for (const above of listNamesAbove(host)) {
    const term = index.terms.find(hostTerm(above));
    if (term !== undefined) add(term);
  }
}

/** With at least two labels: `dept.example.org` and `example.org` of `mail.dept.example.org`. */
function listNamesAbove(host: string): readonly string[] {
  const labels = host.split('.');
  return labels.slice(1, -1).map((_, at) => labels.slice(at + 1).join('.'));
}

const DOT = '.'.charCodeAt(0);

/** Each label has a dot behind it in the term: the number of labels that end within the first units. */
function countDots(term: string, units: number): number {
  let count = 0;
  for (let at = 0; at < units; at += 1) if (term.charCodeAt(at) === DOT) count += 1;
  return count;
}

/**
 * Adds numbers that end with the searched digits or with which these end, that have the same last digits, or begin with
 * the searched ones.
 */
function addPhones(index: SearchIndex, digits: string, addTerm: AddTerm): void {
  for (const term of index.terms.findFrom(TERM_KINDS.phoneStart + digits)) addTerm(term, PHONE_SCORES.start);
  const reversed = reverse(digits);
  if (digits.length >= MIN_COMMON_DIGITS)
    for (const term of index.terms.findFrom(TERM_KINDS.phone + reversed.slice(0, SUFFICIENT_DIGITS)))
      addTerm(term, PHONE_SCORES.end);
  for (let length = MIN_COMMON_DIGITS; length < Math.min(digits.length, SUFFICIENT_DIGITS); length += 1)
    addTerm(index.terms.find(TERM_KINDS.phone + reversed.slice(0, length)), PHONE_SCORES.end);
  addTerm(index.terms.find(TERM_KINDS.phone + reversed), PHONE_SCORES.same);
}

/** Adds keys that contain the searched digits, and that the searched fingerprint contains. */
function addKeys(index: SearchIndex, digits: string, addTerm: AddTerm): void {
  const reversed = reverse(digits);
  for (const term of index.terms.findFrom(TERM_KINDS.key + reversed)) addTerm(term, KEY_SCORES.part);
  for (const term of index.terms.findFrom(TERM_KINDS.keyStart + digits)) addTerm(term, KEY_SCORES.part);
  for (const length of KEY_ID_LENGTHS.filter((one) => one < digits.length)) {
    addTerm(index.terms.find(TERM_KINDS.key + reversed.slice(0, length)), KEY_SCORES.part);
    if (isVersion6Fingerprint(digits))
      addTerm(index.terms.find(TERM_KINDS.key + reverse(digits.slice(0, length))), KEY_SCORES.part);
  }
  addTerm(index.terms.find(TERM_KINDS.key + reversed), KEY_SCORES.same);
}

const KEY_ID_LENGTHS = [8, 16];
