/** What stands for a character that a format cannot carry (decisions.md, section 3). */
const REPLACEMENT = '\ufffd';

/** What is no Char of XML 1.0 (its production 2): most control characters, lone surrogates, U+FFFE and U+FFFF. */
const INVALID_XML_CHARACTER = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** The text with U+FFFD for every character that XML does not allow. */
export function replaceInvalidXml(text: string): string {
  return text.replace(INVALID_XML_CHARACTER, REPLACEMENT);
}

const NUL_OR_LONE_SURROGATE = /[\0\ud800-\udfff]/gu;

/** The text with U+FFFD for lone surrogates, and for NUL, at which many readers of CSV stop. */
export function replaceInvalidCsv(text: string): string {
  return text.replace(NUL_OR_LONE_SURROGATE, REPLACEMENT);
}
