/** Maximum length of a line of text output, in columns. */
export const TERMINAL_WIDTH = 120;

/** Wraps a text at its spaces into lines of at most `width` columns. A longer word gets a line of its own. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines = [''];
  for (const word of replaceControlCharacters(text).split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

/** Replaces control characters, so that text from outside cannot control the terminal. */
export function replaceControlCharacters(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '\u{FFFD}');
}

/** Width of the longest text, in columns. */
export function columnWidth(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length));
}
