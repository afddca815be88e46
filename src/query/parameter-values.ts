/** At least 0; undefined for any other text. A number above 2^53 - 1 is read as 2^53 - 1 (decisions 2.12). */
export function readNumber(text: string): number | undefined {
  return /^\d+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : undefined;
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** `true`, `false`, `0` or `1`; undefined for any other text (decisions 2.17). */
export function readBoolean(text: string): boolean | undefined {
  return BOOLEANS.get(text);
}

/** Trimmed items, without repetitions. */
export function readList(text: string): readonly string[] {
  return [...new Set(text.split(',').map((item) => item.trim()))];
}

/** In characters. */
const MAX_QUOTED_LENGTH = 60;

export function truncate(text: string): string {
  return text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH)}…` : text;
}

export function quoteTruncated(text: string): string {
  return JSON.stringify(truncate(text));
}

export function quoteList(names: readonly string[]): string {
  return names.map(quoteTruncated).join(', ');
}
