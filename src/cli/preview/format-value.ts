import { escapeForTerminal } from '../command-line/terminal-text.js';

/** In characters. No line is as long. */
const MAX_TEXT = 2_000;

/** JSON in one line. */
export function formatJson(value: unknown): string {
  if (value === undefined) return '-';
  const json = typeof value === 'string' ? JSON.stringify(value.slice(0, MAX_TEXT)) : JSON.stringify(value);
  return escapeForTerminal(json.slice(0, MAX_TEXT));
}

/** Text has no quotes. */
export function formatShown(value: unknown): string {
  return typeof value === 'string' ? escapeForTerminal(value.slice(0, MAX_TEXT)) : formatJson(value);
}
