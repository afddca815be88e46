/** Columns of a line that people read. */
export const TERMINAL_WIDTH = 120;

/** Parts a text at its spaces into lines of at most so many columns; a longer word has a line of its own. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines = [''];
  for (const word of replaceControlCharacters(text).split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

/** What comes from outside moves no cursor. */
export function replaceControlCharacters(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '\u{FFFD}');
}

/** Columns that the longest of the texts takes. */
export function columnWidth(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length));
}
