/**
 * Characters that a reader cannot see and that change how the text around them looks: control characters except tab and
 * line ends, controls of writing direction, zero-width spaces, and tags.
 */
const HIDDEN = /(?![\t\n\r])\p{Cc}|[\u200b\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

interface TextPiece {
  readonly text: string;
  /** `text` is the name of a hidden character, such as `U+202E`, and not of the source. */
  readonly isHiddenCharacter: boolean;
}

/** Each hidden character becomes a piece with its name. */
export function splitAtHiddenCharacters(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), isHiddenCharacter: false });
    pieces.push({ text: formatCodePoint(match[0]), isHiddenCharacter: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isHiddenCharacter: false });
  return pieces;
}

/** Writes names in brackets, such as `[U+202E]`, for places that hold plain text only. */
export function showHiddenCharacters(text: string): string {
  return text.replace(HIDDEN, (character) => `[${formatCodePoint(character)}]`);
}

function formatCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Cuts to at most `length` UTF-16 units, not inside a character. Undefined where the text is not longer. */
export function cutText(text: string, length: number): string | undefined {
  if (text.length <= length) return undefined;
  const isInside = /[\ud800-\udbff]/.test(text.charAt(length - 1));
  return text.slice(0, isInside ? length - 1 : length);
}
