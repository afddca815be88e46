/** Of a class of a regular expression: characters without a look of their own. Tab and line ends are among them. */
export const HIDDEN = String.raw`\p{Cc}\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}`;

/** More than four on one letter cover the lines above and below. */
const SURPLUS_MARKS = String.raw`(?<=\p{M}{4})\p{M}+`;

const LATIN = String.raw`\p{Script=Latin}`;
const LOOKALIKE = String.raw`[\p{Script=Cyrillic}\p{Script=Greek}]`;

/** Of a word, in characters, in which a Latin letter is looked for. */
const NEAR = String.raw`[\p{L}\p{M}]{0,40}`;

/**
 * Characters that a reader cannot see, or takes for others: control characters except tab and line ends, controls of
 * writing direction, zero-width spaces and tags; heaps of marks; Greek and Cyrillic letters in a word with Latin ones.
 * Equal ones that follow each other are found together.
 */
const MISLEADING = new RegExp(
  String.raw`((?![\t\n\r])[${HIDDEN}])\1*|${SURPLUS_MARKS}|(?<=${LATIN}${NEAR})${LOOKALIKE}|${LOOKALIKE}(?=${NEAR}${LATIN})`,
  'gu',
);

/** Texts without these characters are nearly all. */
const HARMLESS = /^[\t\n\r\x20-\x7e\xa0-\u02ff]*$/;

interface TextPiece {
  readonly text: string;
  /** `text` is the name of misleading characters, such as `U+202E`, and not of the source. */
  readonly isHiddenCharacter: boolean;
}

/** Characters that a reader cannot see, or takes for others, become pieces with their names. */
export function splitAtHiddenCharacters(text: string): readonly TextPiece[] {
  if (HARMLESS.test(text)) return text === '' ? [] : [{ text, isHiddenCharacter: false }];
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(MISLEADING)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), isHiddenCharacter: false });
    pieces.push({ text: nameCharacters(match[0]), isHiddenCharacter: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isHiddenCharacter: false });
  return pieces;
}

/** Writes names in brackets, such as `[U+202E]`, for places that hold plain text only. */
export function showHiddenCharacters(text: string): string {
  return splitAtHiddenCharacters(text)
    .map((piece) => (piece.isHiddenCharacter ? `[${piece.text}]` : piece.text))
    .join('');
}

function nameCharacters(found: string): string {
  const codePoint = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const further = Array.from(found).length - 1;
  return further === 0 ? `U+${codePoint}` : `U+${codePoint} and ${further} more`;
}

/** Cuts to at most `length` UTF-16 units, not inside a character. Undefined where the text is not longer. */
export function cutText(text: string, length: number): string | undefined {
  if (text.length <= length) return undefined;
  const isInside = /[\ud800-\udbff]/.test(text.charAt(length - 1));
  return text.slice(0, isInside ? length - 1 : length);
}
