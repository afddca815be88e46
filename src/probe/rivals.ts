import { compareCodePoints } from '../text/code-points.js';

/** Another order of texts, which a source may well have, and whose first page may look like ours. */
export interface Rival {
  readonly name: string;
  readonly compare: (a: string, b: string) => number;
}

const swedish = new Intl.Collator('sv');
const english = new Intl.Collator('en');
const wordly = new Intl.Collator('en', { ignorePunctuation: true });

/**
 * The orders of texts that repositories have instead of the one of decisions.md, section 2: of databases, of languages, of programs. Each
 * hides a record on a later page that ours has on the first (`apple` behind `Zebra`, `Ångström` behind `Zebra`), so that no look at one page
 * can tell.
 */
export const rivals: readonly Rival[] = [
  { name: 'upper case before lower case', compare: compareCodePoints },
  {
    name: 'letters with marks behind z',
    compare: (a, b) => compareCodePoints(a.toLowerCase(), b.toLowerCase()),
  },
  { name: 'Å, Ä and Ö behind z', compare: (a, b) => swedish.compare(a, b) },
  { name: 'the order of a language', compare: (a, b) => english.compare(a, b) },
  { name: 'an order without spaces and punctuation', compare: (a, b) => wordly.compare(a, b) },
];

/** Where each rival first differs from this sequence of texts: `at` is the second of two neighbours that it would exchange. */
export function differences(
  texts: readonly (string | undefined)[],
  sign: number,
): readonly { readonly name: string; readonly at: number }[] {
  return rivals.flatMap(({ name, compare }) => {
    const at = texts.findIndex((text, nth) => {
      const before = texts[nth - 1];
      return before !== undefined && text !== undefined && sign * compare(before, text) > 0;
    });
    return at < 0 ? [] : [{ name, at }];
  });
}

/** Names of the rivals that would not have put these texts in this sequence; `sign` is -1 where it descends. */
export function toldApart(texts: readonly (string | undefined)[], sign: number): ReadonlySet<string> {
  return new Set(differences(texts, sign).map(({ name }) => name));
}
