/** In columns. */
export const TERMINAL_WIDTH = 120;

/** At spaces, into lines of at most `width` columns. A longer word gets a line of its own. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines = [''];
  for (const word of replaceControlCharacters(text).split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}

/** Text from outside cannot control the terminal. */
export function replaceControlCharacters(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '\u{FFFD}');
}

/**
 * Writes control characters, bidirectional controls, line separators and unpaired surrogates as escapes such as
 * `\\u202e`: text from outside remains visible and cannot control the terminal. JSON stays the same value, as long as
 * its line breaks are between values (`keepLines`).
 */
export function escapeForTerminal(text: string, keepLines = false): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
    keepLines && character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, at) => escapeUnit(character.charCodeAt(at))).join(''),
  );
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

export function shortenText(text: string, width: number): string {
  const characters = Array.from(text);
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join('')}…`;
}

export function columnWidth(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length));
}
