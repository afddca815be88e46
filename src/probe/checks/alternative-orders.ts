import { compareCodePoints } from '../../text/code-point-order.js';

/** Another order of texts that a source may have, and whose first page may be the same as in Rollcall's order. */
export interface AlternativeOrder {
  readonly name: string;
  readonly compare: (a: string, b: string) => number;
}

const swedishCollator = new Intl.Collator('sv');
const englishCollator = new Intl.Collator('en');
const punctuationIgnoringCollator = new Intl.Collator('en', { ignorePunctuation: true });

/**
 * Orders that repositories have instead of Rollcall's (decisions 2.23): those of databases, languages and programs.
 * Each puts a record on a later page that Rollcall's order has on the first (`apple` after `Zebra`, `Ångström` after
 * `Zebra`), so the first page alone cannot reveal it.
 */
export const alternativeOrders: readonly AlternativeOrder[] = [
  { name: 'upper case before lower case', compare: compareCodePoints },
  {
    name: 'accented letters after z',
    compare: (a, b) => compareCodePoints(a.toLowerCase(), b.toLowerCase()),
  },
  { name: 'Å, Ä and Ö after z', compare: (a, b) => swedishCollator.compare(a, b) },
  { name: 'English collation', compare: (a, b) => englishCollator.compare(a, b) },
  {
    name: 'an order that ignores spaces and punctuation',
    compare: (a, b) => punctuationIgnoringCollator.compare(a, b),
  },
];

/**
 * The first difference of each alternative order from this sequence of texts. `at` is the index of the second of two
 * neighbours that it would exchange; `sign` is -1 for a descending sequence.
 */
export function findOrderDifferences(
  texts: readonly (string | undefined)[],
  sign: number,
): readonly { readonly name: string; readonly at: number }[] {
  return alternativeOrders.flatMap(({ name, compare }) => {
    const at = texts.findIndex((text, nth) => {
      const before = texts[nth - 1];
      return before !== undefined && text !== undefined && sign * compare(before, text) > 0;
    });
    return at < 0 ? [] : [{ name, at }];
  });
}

/**
 * Names of the alternative orders that would put these texts in another sequence; `sign` is -1 for a descending
 * sequence.
 */
export function distinguishedOrders(texts: readonly (string | undefined)[], sign: number): ReadonlySet<string> {
  return new Set(findOrderDifferences(texts, sign).map(({ name }) => name));
}
