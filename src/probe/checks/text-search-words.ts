import type { DraftRecord } from '../../model/record.js';
import { toTextItems } from '../../records/sort-and-search-columns.js';
import { getCountryNames } from '../../region/country-names.js';
import { foldText } from '../../text/text-folding.js';
import { ReferenceRecords } from '../resource/reference-records.js';

/**
 * A search for words of one record. Each word occurs in only one property of it, so a search that omits that property
 * does not find the record.
 */
export interface WordSearch {
  readonly q: string;
  /** Abilities of a source that this search tests, in words. */
  readonly tests: readonly string[];
}

/** Selected searches, the abilities that they test, and those that remain untested. */
export interface WordSearchPlan {
  readonly searches: readonly WordSearch[];
  readonly untested: readonly string[];
}

/** Maximum number of searches. */
const MAX_SEARCHES = 5;

/** Maximum number of words in one search. */
const MAX_WORDS_PER_SEARCH = 12;

/** Maximum number of records from which words are taken, spread over the list. */
const MAX_CANDIDATES = 200;

/** Maximum number of words considered in one property. */
const MAX_WORDS_PER_PROPERTY = 24;

/** Maximum number of letters of a word in a search. */
const MAX_WORD_LENGTH = 12;

const WORD_PART = 'a part of a word';
const SEVERAL_PROPERTIES = 'words in several properties';
const COUNTRY_NAME = 'the English name of a country';
const FOLDING_IN_RECORD = {
  capitals: 'capital letters in a record',
  marks: 'diacritics in a record',
  letters: 'letters such as ø and ß in a record',
} as const;
const FOLDING_IN_QUERY = {
  capitals: 'capital letters in the search',
  marks: 'diacritics in the search',
  letters: 'letters such as ø in the search',
} as const;

/** Abilities that must be tested before a search is proved, whatever the records. */
const REQUIRED_TESTS = [WORD_PART, SEVERAL_PROPERTIES] as const;

/** Weight of an ability that few records can test, in numbers of properties, so that it is selected early. */
const RARE_TEST_WEIGHT = 3;
const RARE_TESTS: ReadonlySet<string> = new Set([
  COUNTRY_NAME,
  ...Object.values(FOLDING_IN_RECORD),
  ...Object.values(FOLDING_IN_QUERY),
]);

/** A word, folded, that occurs in only one property of a record. */
interface UniqueWord {
  readonly text: string;
  readonly tests: readonly string[];
}

/**
 * Selects the searches that test most abilities: all searched properties, parts of words, folding in records and in
 * queries, English names of countries.
 */
export async function planWordSearches(reference: ReferenceRecords): Promise<WordSearchPlan> {
  const searched = new Map<string, boolean>();
  const step = Math.max(1, Math.floor(reference.size / MAX_CANDIDATES));
  const drafts = reference.records.filter((_, at) => at % step === 0).slice(0, MAX_CANDIDATES);
  const candidates: WordSearch[] = [];
  for (const draft of drafts) {
    const words = await findUniqueWords(reference, draft, searched);
    if (words.length > 0) candidates.push(buildWordSearch(words));
  }
  const untested = new Set([...REQUIRED_TESTS, ...candidates.flatMap(({ tests }) => tests)]);
  const searches: WordSearch[] = [];
  while (searches.length < MAX_SEARCHES && candidates.length > 0) {
    const gain = ({ tests }: WordSearch): number =>
      tests.reduce((sum, test) => sum + (untested.has(test) ? (RARE_TESTS.has(test) ? RARE_TEST_WEIGHT : 1) : 0), 0);
    const best = candidates.reduce((a, b) => (gain(b) > gain(a) ? b : a));
    if (gain(best) === 0) break;
    for (const test of best.tests) untested.delete(test);
    searches.push(best);
  }
  return { searches, untested: [...untested] };
}

/** Texts of a record by property, without the properties that Rollcall adds. */
function textsByProperty({ resource }: ReferenceRecords, draft: DraftRecord): Map<string, readonly string[]> {
  const texts = new Map<string, readonly string[]>();
  resource.properties.forEach(({ name }, position) => {
    if (name !== resource.sourceNameProperty && name !== 'id') texts.set(name, toTextItems(draft.valueAt(position)));
  });
  for (const [name, value] of draft.extraProperties) texts.set(name, toTextItems(value));
  const codes = resource.countryProperties.flatMap((name) => texts.get(name) ?? []);
  if (codes.length > 0) texts.set(COUNTRY_NAME, codes.flatMap(getCountryNames));
  return texts;
}

/**
 * Words of a record that occur in one property only: the first of each searched property, and further ones that test
 * more abilities.
 */
async function findUniqueWords(
  reference: ReferenceRecords,
  draft: DraftRecord,
  searched: Map<string, boolean>,
): Promise<readonly UniqueWord[]> {
  const texts = textsByProperty(reference, draft);
  const folded = [...texts].map(([name, items]) => ({ name, text: foldText(items.join('\n')) }));
  const words: UniqueWord[] = [];
  const tested = new Set<string>();
  for (const [property, items] of texts) {
    const elsewhere = (text: string): boolean =>
      folded.some((entry) => entry.name !== property && entry.text.includes(text));
    const found = items
      .flatMap(splitIntoWords)
      .slice(0, MAX_WORDS_PER_PROPERTY)
      .filter(({ text }) => !elsewhere(text));
    const [any] = found;
    if (any === undefined || !(await isSearched(reference, draft, { property, text: any.text, searched }))) continue;
    const place = property === COUNTRY_NAME ? COUNTRY_NAME : `words in ${property}`;
    for (const { text, tests } of found) {
      const all = [...tests, place];
      if (words.length === MAX_WORDS_PER_SEARCH || all.every((test) => tested.has(test))) continue;
      words.push({ text, tests: all });
      for (const test of all) tested.add(test);
    }
  }
  return words;
}

/**
 * Whether a search as defined (decisions 2.27) includes the property, found by searching a list with this record only.
 */
async function isSearched(
  { vocabulary }: ReferenceRecords,
  draft: DraftRecord,
  {
    property,
    text,
    searched,
  }: { readonly property: string; readonly text: string; readonly searched: Map<string, boolean> },
): Promise<boolean> {
  const cached = searched.get(property);
  if (cached !== undefined) return cached;
  const found = await new ReferenceRecords(vocabulary, [draft]).matchingIndexes({ q: text });
  searched.set(property, found?.length === 1);
  return found?.length === 1;
}

/** Words of a text, folded and without their first and last letters; words of up to four letters are complete. */
function splitIntoWords(text: string): readonly UniqueWord[] {
  const parts: UniqueWord[] = [];
  for (const [whole] of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const letters = Array.from(whole);
    const isPart = letters.length > 4;
    const part = (isPart ? letters.slice(1, -1) : letters).slice(0, MAX_WORD_LENGTH).join('');
    const folded = foldText(part);
    if (folded.length < 2 || /\s/.test(folded)) continue;
    parts.push({ text: folded, tests: [...(isPart ? [WORD_PART] : []), ...foldingTestsOf(part)] });
  }
  return parts;
}

/** Kinds of folding that are necessary to find a text in a record. */
function foldingTestsOf(part: string): readonly string[] {
  return [
    ...(part === part.toLowerCase() ? [] : [FOLDING_IN_RECORD.capitals]),
    ...(/\p{M}/u.test(part.normalize('NFD')) ? [FOLDING_IN_RECORD.marks] : []),
    ...(/[øłßæđþı]/iu.test(part) ? [FOLDING_IN_RECORD.letters] : []),
  ];
}

/** Accented letters and special letters by the plain letters to which they fold. */
const ACCENTED_LETTERS: Readonly<Record<string, string>> = { a: 'ä', e: 'é', i: 'î', o: 'ö', u: 'ü', c: 'ç', n: 'ñ' };
const SPECIAL_LETTERS: Readonly<Record<string, string>> = { o: 'ø', l: 'ł', d: 'đ' };

/** Builds a search for the words. Up to three of them are written in another form than their folded one. */
function buildWordSearch(words: readonly UniqueWord[]): WordSearch {
  const tests = new Set(words.flatMap((word) => word.tests));
  const properties = new Set(words.map((word) => word.tests.at(-1)));
  if (properties.size > 1) tests.add(SEVERAL_PROPERTIES);
  const texts = words.map(({ text }) => text);
  const rewrite = (test: string, change: (text: string) => string): void => {
    const at = texts.findIndex(
      (text) => text === foldText(text) && change(text) !== text && foldText(change(text)) === text,
    );
    if (at < 0) return;
    texts[at] = change(texts[at] ?? '');
    tests.add(test);
  };
  const replaced = (letters: Readonly<Record<string, string>>) => (text: string) =>
    text.replace(/[a-z]/g, (letter) => letters[letter] ?? letter);
  rewrite(FOLDING_IN_QUERY.letters, replaced(SPECIAL_LETTERS));
  rewrite(FOLDING_IN_QUERY.marks, replaced(ACCENTED_LETTERS));
  rewrite(FOLDING_IN_QUERY.capitals, (text) => text.toUpperCase());
  // In reverse order of the record, so that a search for a phrase finds nothing.
  return { q: texts.reverse().join(' '), tests: [...tests] };
}
