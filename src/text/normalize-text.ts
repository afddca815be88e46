/**
 * Combining marks in a row that are kept: those of the Stream-Safe Text Format (Unicode Standard Annex 15, section 13).
 * Normalization sorts each run of marks, in a time that grows with the square of its length.
 */
const LONG_MARK_RUN = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/** Normalizes a text without the marks beyond thirty in a row, which no language writes. */
export function normalizeText(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return text.replace(LONG_MARK_RUN, '$1').normalize(form);
}
