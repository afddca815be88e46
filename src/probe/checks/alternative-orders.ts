import { compareCodePoints } from '../../text/code-point-order.js';

/** Another order of texts, which a source may well have, and whose first page may look like ours. */
export interface AlternativeOrder {
  readonly name: string;
  readonly compare: (a: string, b: string) => number;
}

const swedishCollator = new Intl.Collator('sv');
const englishCollator = new Intl.Collator('en');
const punctuationIgnoringCollator = new Intl.Collator('en', { ignorePunctuation: true });

/**
 * The orders of texts that repositories have instead of the one of decisions.md, section 2: of databases, of languages, of programs. Each
 * hides a record on a later page that ours has on the first (`apple` behind `Zebra`, `Ångström` behind `Zebra`), so that no look at one page
 * can tell.
 */
export const alternativeOrders: readonly AlternativeOrder[] = [
  { name: 'upper case before lower case', compare: compareCodePoints },
  {
    name: 'letters with marks behind z',
    compare: (a, b) => compareCodePoints(a.toLowerCase(), b.toLowerCase()),
  },
  { name: 'Å, Ä and Ö behind z', compare: (a, b) => swedishCollator.compare(a, b) },
  { name: 'the order of a language', compare: (a, b) => englishCollator.compare(a, b) },
  { name: 'an order without spaces and punctuation', compare: (a, b) => punctuationIgnoringCollator.compare(a, b) },
];

/** Where each rival first differs from this sequence of texts: `at` is the second of two neighbours that it would exchange. */
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

/** Names of the rivals that would not have put these texts in this sequence; `sign` is -1 where it descends. */
export function distinguishedOrders(texts: readonly (string | undefined)[], sign: number): ReadonlySet<string> {
  return new Set(findOrderDifferences(texts, sign).map(({ name }) => name));
}
