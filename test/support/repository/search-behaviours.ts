import { fold } from '../../oracle/model/text.js';
import { withoutEveryThird } from './simulated-repository.js';
import type { Behaviour } from './simulated-repository.js';
import { countryNamesOf, searchedTexts } from './exact-evaluation.js';
import type { Match } from './exact-evaluation.js';

/** Behaviours that return fewer records than `q` as defined (decisions 2.27). */
export const narrowSearches = {
  'searches whole words only': searching((word, texts) => texts.some((text) => runsIn(text).includes(word))),
  'searches word prefixes only': searching((word, texts) =>
    texts.some((text) => runsIn(text).some((run) => run.startsWith(word))),
  ),
  'searches two properties only': searching((word, texts) => isIn(word, texts.slice(0, 2))),
  'searches for the exact phrase': {
    matches: { q: (record, value, resource) => isIn(fold(value), searchedTexts(record, resource)) },
  },
  'requires all words in one property': {
    matches: {
      q: (record, value, resource) =>
        searchedTexts(record, resource).some((text) => wordsIn(value).every((word) => fold(text).includes(word))),
    },
  },
  'compares combining marks in a search': {
    matches: { q: (record, value, resource) => hasAll(lowered(value), searchedTexts(record, resource).map(lowered)) },
  },
  'folds its records but not the search text': {
    matches: { q: (record, value, resource) => hasAll(value, searchedTexts(record, resource).map(fold)) },
  },
  'removes combining marks but does not fold ø and ß': {
    matches: {
      q: (record, value, resource) =>
        hasAll(unmarked(lowered(value)), searchedTexts(record, resource).map(lowered).map(unmarked)),
    },
  },
  'compares case in a search': {
    matches: { q: (record, value, resource) => hasAll(unmarked(value), searchedTexts(record, resource).map(unmarked)) },
  },
  'does not search country names': {
    matches: {
      q: (record, value, resource) => {
        const texts = searchedTexts(record, resource);
        return hasAll(fold(value), texts.slice(0, texts.length - countryNamesOf(record, resource).length).map(fold));
      },
    },
  },
  'omits every third record of a search': {
    selects: (matching, { query }) => (query.has('q') ? withoutEveryThird(matching) : matching),
  },
} as const satisfies Readonly<Record<string, Behaviour>>;

/** Behaviours that return at least all records of `q` as defined (decisions 2.27). */
export const wideSearches = {
  'searches as defined': {},
  'searches for any word': {
    matches: {
      q: (record, value, resource) => wordsIn(value).some((word) => isIn(word, searchedTexts(record, resource))),
    },
  },
} as const satisfies Readonly<Record<string, Behaviour>>;

/** A repository that ignores `q`: it returns all matches, but pushing the search down saves nothing. */
export const ignoresSearch: Behaviour = { honours: (name) => name !== 'q' };

/** A repository that compares values case-sensitively and ignores combining marks. */
export const comparesCase: Behaviour = { normalises: unmarked };

function lowered(text: string): string {
  return text.toLowerCase();
}

/** Removes combining marks and keeps the case. */
function unmarked(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}

function wordsIn(value: string): readonly string[] {
  return fold(value).split(/\s+/);
}

/** The words of a text, folded. */
function runsIn(text: string): readonly string[] {
  return fold(text).split(/[^\p{L}\p{N}]+/u);
}

function isIn(folded: string, texts: readonly string[]): boolean {
  return texts.some((text) => fold(text).includes(folded));
}

/** Whether every word occurs in one of the texts; both are already normalised as the source does. */
function hasAll(words: string, texts: readonly string[]): boolean {
  return words.split(/\s+/).every((word) => texts.some((text) => text.includes(word)));
}

/** A behaviour that looks for each folded word of a search with the given function. */
function searching(finds: (word: string, texts: readonly string[]) => boolean): {
  readonly matches: { readonly q: Match };
} {
  const q: Match = (record, value, resource) =>
    wordsIn(value).every((word) => finds(word, searchedTexts(record, resource)));
  return { matches: { q } };
}
