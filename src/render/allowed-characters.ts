/** For characters that a format cannot carry (decisions 3.11). */
const REPLACEMENT = '\ufffd';

/** Everything except `Char` of XML 1.0 (production 2): most control characters, lone surrogates, U+FFFE and U+FFFF. */
const INVALID_XML_CHARACTER = /[^\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

export function replaceInvalidXml(text: string): string {
  return text.replace(INVALID_XML_CHARACTER, REPLACEMENT);
}

const NUL_OR_LONE_SURROGATE = /[\0\ud800-\udfff]/gu;

/** Replaces lone surrogates, and NUL, at which many readers of CSV stop, by U+FFFD. */
export function replaceInvalidCsv(text: string): string {
  return text.replace(NUL_OR_LONE_SURROGATE, REPLACEMENT);
}
