/** The forms in which several parameters take their values. */

/** A whole number of at least 0; undefined where the text is none. What is too large to be exact is as large as can be. */
export function readNumber(text: string): number | undefined {
  return /^\d+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : undefined;
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** true, false, 0 or 1 (decisions.md, section 2). */
export function readBoolean(text: string): boolean | undefined {
  return BOOLEANS.get(text);
}

/** The items of a comma-separated value, without the white space around them, none twice. */
export function readList(text: string): readonly string[] {
  return [...new Set(text.split(',').map((item) => item.trim()))];
}

/** Characters of a client's text that a message repeats. */
const MAX_QUOTED_LENGTH = 60;

/** What a client sent, as a message may repeat it: never all of a long text. */
export function truncate(text: string): string {
  return text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text;
}

/** The same in quotes. */
export function quoteTruncated(text: string): string {
  return JSON.stringify(truncate(text));
}

/** Several of them, as a list. */
export function quoteList(names: readonly string[]): string {
  return names.map(quoteTruncated).join(', ');
}
