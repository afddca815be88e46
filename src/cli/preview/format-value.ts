import { escapeForTerminal } from '../terminal-text.js';

/** Maximum number of characters of a value that are formatted: no line is as long. */
const MAX_TEXT = 2_000;

/** Formats a value as received: JSON in one line. */
export function formatJson(value: unknown): string {
  if (value === undefined) return '-';
  const json = typeof value === 'string' ? JSON.stringify(value.slice(0, MAX_TEXT)) : JSON.stringify(value);
  return escapeForTerminal(json.slice(0, MAX_TEXT));
}

/** Formats a value as it is shown: text without quotes. */
export function formatShown(value: unknown): string {
  return typeof value === 'string' ? escapeForTerminal(value.slice(0, MAX_TEXT)) : formatJson(value);
}
