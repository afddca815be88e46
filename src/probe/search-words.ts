import type { DraftRecord } from '../model/record.js';
import { toTextItems } from '../records/sort-and-search-columns.js';
import { getCountryNames } from '../region/country-names.js';
import { foldText } from '../text/text-folding.js';
import { chooseSharedWord } from './choose-values.js';
import { ReferenceRecords } from './reference-records.js';

/** Searches to send, and tests that are possible but not covered. */
interface SearchPlan {
  readonly searches: readonly string[];
  readonly untested: readonly string[];
}

/** Words of one record, each in one property of it only, and what they test. */
interface WordSearch {
  readonly q: string;
  readonly tests: readonly string[];
}

/** For words of one record. */
const MAX_SEARCHES = 8;

const MAX_WORDS = 12;

/** Records from which words are taken, spread over the list. */
const MAX_CANDIDATES = 200;

const MAX_WORDS_PER_PROPERTY = 24;

/** Of a word in a search. */
const MAX_LETTERS = 12;

const WORD_PART = 'a part of a word';
const SEVERAL_PROPERTIES = 'words in several properties';
const SHARED_WORD = 'a part of a word that several records share';
const COUNTRY_NAME = 'the English name of a country';

/** Before a search is proved, whatever the records. */
const REQUIRED_TESTS = [WORD_PART, SEVERAL_PROPERTIES, SHARED_WORD];

/**
 * Searches that show whether a source finds no less than `q` as defined (decisions 2.27): words in every searched
 * property, parts of words, letters that are folded in records and in queries, and English names of countries.
 */
export async function planSearches(reference: ReferenceRecords): Promise<SearchPlan> {
  const searched = new Map<string, boolean>();
  const step = Math.max(1, Math.floor(reference.size / MAX_CANDIDATES));
  const candidates: WordSearch[] = [];
  for (const record of reference.records.filter((_, at) => at % step === 0).slice(0, MAX_CANDIDATES)) {
    const words = await findWords(reference, record, searched);
    if (words.length > 0) candidates.push(buildSearch(words));
  }
  const shared = await chooseSharedWord(reference);
  const untested = new Set([...REQUIRED_TESTS, ...candidates.flatMap(({ tests }) => tests)]);
  const searches: string[] = [];
  if (shared !== undefined) {
    searches.push(shared);
    untested.delete(SHARED_WORD);
  }
  const gain = ({ tests }: WordSearch): number => tests.filter((test) => untested.has(test)).length;
  for (let count = 0; count < MAX_SEARCHES && candidates.length > 0; count += 1) {
    const best = candidates.reduce((a, b) => (gain(b) > gain(a) ? b : a));
    if (gain(best) === 0) break;
    for (const test of best.tests) untested.delete(test);
    searches.push(best.q);
  }
  return { searches: candidates.length === 0 ? [] : searches, untested: [...untested] };
}

/** Part of a word, folded, and what finding it tests. */
interface Word {
  readonly text: string;
  readonly tests: readonly string[];
}

/** Words that occur in one property only: one of each searched property, and those that test more. */
async function findWords(
  reference: ReferenceRecords,
  record: DraftRecord,
  searched: Map<string, boolean>,
): Promise<readonly Word[]> {
  const texts = textsByProperty(reference, record);
  const folded = [...texts].map(([name, items]) => ({ name, text: foldText(items.join('\n')) }));
  const words: Word[] = [];
  const tested = new Set<string>();
  for (const [property, items] of texts) {
    const found = items
      .flatMap(splitIntoWords)
      .slice(0, MAX_WORDS_PER_PROPERTY)
      .filter(({ text }) => !folded.some((other) => other.name !== property && other.text.includes(text)));
    const [any] = found;
    if (any === undefined) continue;
    const isSearched = searched.get(property) ?? (await matches(reference, record, any.text));
    searched.set(property, isSearched);
    for (const { text, tests } of isSearched ? found : []) {
      const all = [...tests, property === COUNTRY_NAME ? COUNTRY_NAME : `words in ${property}`];
      if (words.length === MAX_WORDS || all.every((test) => tested.has(test))) continue;
      words.push({ text, tests: all });
      for (const test of all) tested.add(test);
    }
  }
  return words;
}

function textsByProperty({ resource }: ReferenceRecords, record: DraftRecord): Map<string, readonly string[]> {
  const texts = new Map<string, readonly string[]>();
  resource.properties.forEach(({ name }, position) => {
    if (name !== resource.sourceNameProperty && name !== 'id') texts.set(name, toTextItems(record.valueAt(position)));
  });
  for (const [name, value] of record.extraProperties) texts.set(name, toTextItems(value));
  const codes = resource.countryProperties.flatMap((name) => texts.get(name) ?? []);
  if (codes.length > 0) texts.set(COUNTRY_NAME, codes.flatMap(getCountryNames));
  return texts;
}

/** In a list of this record only. */
async function matches({ vocabulary }: ReferenceRecords, record: DraftRecord, q: string): Promise<boolean> {
  return (await new ReferenceRecords(vocabulary, [record]).matchingIndexes({ q }))?.length === 1;
}

/** Folded and without their first and last letters; words of up to four letters are complete. */
function splitIntoWords(text: string): readonly Word[] {
  return Array.from(text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)).flatMap(([whole]) => {
    const letters = Array.from(whole);
    const isPart = letters.length > 4;
    const part = (isPart ? letters.slice(1, -1) : letters).slice(0, MAX_LETTERS).join('');
    const folded = foldText(part);
    if (folded.length < 2 || /\s/.test(folded)) return [];
    const tests = [
      ...(isPart ? [WORD_PART] : []),
      ...(part === part.toLowerCase() ? [] : ['capital letters in a record']),
      ...(/\p{M}/u.test(part.normalize('NFD')) ? ['diacritics in a record'] : []),
      ...(/[øłßæđþı]/iu.test(part) ? ['letters such as ø and ß in a record'] : []),
    ];
    return [{ text: folded, tests }];
  });
}

/** Letters in other forms that fold to the plain ones. */
const QUERY_FORMS: readonly (readonly [test: string, rewrite: (text: string) => string])[] = [
  ['letters such as ø in the search', replaceLetters({ o: 'ø', l: 'ł', d: 'đ' })],
  ['diacritics in the search', replaceLetters({ a: 'ä', e: 'é', i: 'î', o: 'ö', u: 'ü', c: 'ç', n: 'ñ' })],
  ['capital letters in the search', (text) => text.toUpperCase()],
];

function replaceLetters(forms: Readonly<Record<string, string>>): (text: string) => string {
  return (text) => text.replace(/[a-z]/g, (letter) => forms[letter] ?? letter);
}

/** Up to three words are written in another form. */
function buildSearch(words: readonly Word[]): WordSearch {
  const tests = new Set(words.flatMap((word) => word.tests));
  if (new Set(words.map((word) => word.tests.at(-1))).size > 1) tests.add(SEVERAL_PROPERTIES);
  const texts = words.map(({ text }) => text);
  for (const [test, rewrite] of QUERY_FORMS) {
    const at = texts.findIndex((text) => rewrite(text) !== text && foldText(rewrite(text)) === text);
    const text = texts[at];
    if (text === undefined) continue;
    texts[at] = rewrite(text);
    tests.add(test);
  }
  // In reverse order of the record, so that a search for a phrase finds nothing.
  return { q: texts.reverse().join(' '), tests: [...tests] };
}
