import type { Draft } from '../model/record.js';
import { itemsOf } from '../records/column.js';
import { countryNames } from '../region/names.js';
import { fold } from '../text/fold.js';
import { Known } from './known.js';

/** A search for words of one record, each of which occurs in one of its properties only: a search that leaves out that property does not find the record. */
export interface WordSearch {
  readonly q: string;
  /** What a source must be able to do to find the record, in words. */
  readonly tests: readonly string[];
}

/** What the searches of a list test, and what they would have to test besides. */
export interface WordSearches {
  readonly searches: readonly WordSearch[];
  readonly untested: readonly string[];
}

/** Searches at most. */
const WORD_SEARCHES = 5;

/** Words of one search at most. */
const MOST_WORDS = 12;

/** Records at most that words are taken from, spread over the list. */
const CANDIDATES = 200;

/** Words of one property that are looked at. */
const WORDS = 24;

/** Letters of a word that are asked for at most. */
const LONGEST = 12;

const PART = 'a part of a word';
const SEVERAL = 'words in several properties';
const COUNTRY = 'the English name of a country';
const WRITTEN = {
  capitals: 'capital letters in a record',
  marks: 'marks in a record',
  letters: 'letters such as ø and ß in a record',
} as const;
const ASKED = {
  capitals: 'capital letters in the search',
  marks: 'marks in the search',
  letters: 'letters such as ø in the search',
} as const;

/** What any list of records with names has to be searched for before a search is believed. */
const ALWAYS = [PART, SEVERAL] as const;

/** What few records test counts for as much as so many properties, so that it is not left to the end. */
const RARITY = 3;
const RARE: ReadonlySet<string> = new Set([COUNTRY, ...Object.values(WRITTEN), ...Object.values(ASKED)]);

/** A word that is found in one property of a record only, folded. */
interface Word {
  readonly text: string;
  readonly tests: readonly string[];
}

/** Chooses the searches that test most: every property that is searched, parts of words, folding on either side, countries by name. */
export async function wordSearches(known: Known): Promise<WordSearches> {
  const searched = new Map<string, boolean>();
  const step = Math.max(1, Math.floor(known.size / CANDIDATES));
  const drafts = known.drafts.filter((_, at) => at % step === 0).slice(0, CANDIDATES);
  const candidates: WordSearch[] = [];
  for (const draft of drafts) {
    const words = await wordsOf(known, draft, searched);
    if (words.length > 0) candidates.push(written(words));
  }
  const open = new Set([...ALWAYS, ...candidates.flatMap(({ tests }) => tests)]);
  const searches: WordSearch[] = [];
  while (searches.length < WORD_SEARCHES && candidates.length > 0) {
    const gain = ({ tests }: WordSearch): number =>
      tests.reduce((sum, test) => sum + (open.has(test) ? (RARE.has(test) ? RARITY : 1) : 0), 0);
    const best = candidates.reduce((one, other) => (gain(other) > gain(one) ? other : one));
    if (gain(best) === 0) break;
    for (const test of best.tests) open.delete(test);
    searches.push(best);
  }
  return { searches, untested: [...open] };
}

/** The texts of a record by property, what the gateway itself adds left out. */
function textsOf({ resource }: Known, draft: Draft): Map<string, readonly string[]> {
  const texts = new Map<string, readonly string[]>();
  resource.properties.forEach(({ name }, position) => {
    if (name !== resource.sourceName && name !== 'id') texts.set(name, itemsOf(draft.value(position)));
  });
  for (const [name, value] of draft.further) texts.set(name, itemsOf(value));
  const codes = resource.countries.flatMap((name) => texts.get(name) ?? []);
  if (codes.length > 0) texts.set(COUNTRY, codes.flatMap(countryNames));
  return texts;
}

/** Words of a record that stand in one property only: the first of each property that is searched, and those that test more. */
async function wordsOf(known: Known, draft: Draft, searched: Map<string, boolean>): Promise<readonly Word[]> {
  const texts = textsOf(known, draft);
  const folded = [...texts].map(([name, items]) => ({ name, text: fold(items.join('\n')) }));
  const words: Word[] = [];
  const tested = new Set<string>();
  for (const [property, items] of texts) {
    const elsewhere = (text: string): boolean => folded.some((one) => one.name !== property && one.text.includes(text));
    const found = items
      .flatMap(partsOf)
      .slice(0, WORDS)
      .filter(({ text }) => !elsewhere(text));
    const [any] = found;
    if (any === undefined || !(await isSearched(known, draft, { property, text: any.text, searched }))) continue;
    const place = property === COUNTRY ? COUNTRY : `words in ${property}`;
    for (const { text, tests } of found) {
      const all = [...tests, place];
      if (words.length === MOST_WORDS || all.every((test) => tested.has(test))) continue;
      words.push({ text, tests: all });
      for (const test of all) tested.add(test);
    }
  }
  return words;
}

/** Whether a search as defined looks at the property: found out with a list of this record only. */
async function isSearched(
  { vocabulary }: Known,
  draft: Draft,
  {
    property,
    text,
    searched,
  }: { readonly property: string; readonly text: string; readonly searched: Map<string, boolean> },
): Promise<boolean> {
  const known = searched.get(property);
  if (known !== undefined) return known;
  const found = await new Known(vocabulary, [draft]).exact({ q: text });
  searched.set(property, found?.length === 1);
  return found?.length === 1;
}

/** The words of a text without their first and last letters, folded; short ones whole. */
function partsOf(text: string): readonly Word[] {
  const parts: Word[] = [];
  for (const [whole] of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const letters = Array.from(whole);
    const isPart = letters.length > 4;
    const part = (isPart ? letters.slice(1, -1) : letters).slice(0, LONGEST).join('');
    const folded = fold(part);
    if (folded.length < 2 || /\s/.test(folded)) continue;
    parts.push({ text: folded, tests: [...(isPart ? [PART] : []), ...writtenIn(part)] });
  }
  return parts;
}

/** What has to be folded in a text that is searched. */
function writtenIn(part: string): readonly string[] {
  return [
    ...(part === part.toLowerCase() ? [] : [WRITTEN.capitals]),
    ...(/\p{M}/u.test(part.normalize('NFD')) ? [WRITTEN.marks] : []),
    ...(/[øłßæđþı]/iu.test(part) ? [WRITTEN.letters] : []),
  ];
}

/** Letters as a person may type them who is asked for the plain ones. */
const MARKED: Readonly<Record<string, string>> = { a: 'ä', e: 'é', i: 'î', o: 'ö', u: 'ü', c: 'ç', n: 'ñ' };
const OTHER: Readonly<Record<string, string>> = { o: 'ø', l: 'ł', d: 'đ' };

/** The search for some words, of which three are written otherwise than they are folded. */
function written(words: readonly Word[]): WordSearch {
  const tests = new Set(words.flatMap((word) => word.tests));
  const properties = new Set(words.map((word) => word.tests.at(-1)));
  if (properties.size > 1) tests.add(SEVERAL);
  const texts = words.map(({ text }) => text);
  const rewrite = (test: string, change: (text: string) => string): void => {
    const at = texts.findIndex((text) => text === fold(text) && change(text) !== text && fold(change(text)) === text);
    if (at < 0) return;
    texts[at] = change(texts[at] ?? '');
    tests.add(test);
  };
  const replaced = (letters: Readonly<Record<string, string>>) => (text: string) =>
    text.replace(/[a-z]/g, (letter) => letters[letter] ?? letter);
  rewrite(ASKED.letters, replaced(OTHER));
  rewrite(ASKED.marks, replaced(MARKED));
  rewrite(ASKED.capitals, (text) => text.toUpperCase());
  // Against the order in which they stand: a search for a phrase does not find them.
  return { q: texts.reverse().join(' '), tests: [...tests] };
}
