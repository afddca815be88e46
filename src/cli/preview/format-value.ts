import type { PathValue } from '../../preview/preview-report.js';
import { escapeForTerminal } from '../terminal-text.js';

/** Maximum number of characters of a value that are formatted: no line is as long. */
const MAX_TEXT = 2_000;

/** Formats a value as received: JSON in one line; `absent` where there is none. */
export function formatJson(value: unknown): string {
  if (value === undefined) return 'absent';
  const json = typeof value === 'string' ? JSON.stringify(value.slice(0, MAX_TEXT)) : JSON.stringify(value);
  return escapeForTerminal(json.slice(0, MAX_TEXT));
}

/** Formats a value as it is shown: text without quotes. */
export function formatShown(value: unknown): string {
  return typeof value === 'string' ? escapeForTerminal(value.slice(0, MAX_TEXT)) : formatJson(value);
}

/** Formats values with their places, such as `contact.mail: "a@example.org"`. Items of one list share a line. */
export function formatPathValues(values: readonly PathValue[]): readonly string[] {
  const groups = new Map<string, PathValue[]>();
  for (const one of values) {
    const pattern = one.path.replace(/\[\d+\]/g, '[]');
    const group = groups.get(pattern);
    if (group === undefined) groups.set(pattern, [one]);
    else group.push(one);
  }
  return [...groups].map(([pattern, group]) => {
    const [first] = group;
    const path = group.length === 1 && first !== undefined ? first.path : pattern;
    return `${escapeForTerminal(path)}: ${group.map(({ value }) => formatJson(value)).join(', ')}`;
  });
}
