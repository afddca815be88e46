import type { ConfigPath } from './config-node.js';

/** Something wrong, at an offset (UTF-16 units) of the text. */
export interface ConfigIssue {
  readonly path: ConfigPath;
  readonly offset: number;
  readonly message: string;
}

/** Something wrong with a configuration, for the operator to read (operation.md, `rollcall check`). */
export interface ConfigError {
  /** Such as `sources.first.number`; empty for the file as a whole. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  readonly message: string;
}

/** Faults in the order of their places; of several findings about one value or key only the first is told. */
export function toConfigErrors(findings: readonly ConfigIssue[], text: string): ConfigError[] {
  const told = new Map<string, ConfigIssue>();
  for (const finding of findings) {
    const key = `${String(finding.offset)} ${formatPath(finding.path)}`;
    if (!told.has(key)) told.set(key, finding);
  }
  return [...told.values()]
    .sort((a, b) => a.offset - b.offset)
    .map(({ path, offset: at, message }) => ({ path: formatPath(path), ...lineAndColumn(text, at), message }));
}

/** A path as operators write it: `sources.first.prefixes[0]`; keys that are no plain names are quoted. */
export function formatPath(path: ConfigPath): string {
  return path.map(formatStep).join('').replace(/^\./, '');
}

function formatStep(step: string | number): string {
  if (typeof step === 'number') return `[${String(step)}]`;
  return /^[\w-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1 };
}
