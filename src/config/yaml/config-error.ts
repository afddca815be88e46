import { keyOffsetOf } from './config-node.js';
import type { ConfigNode, ConfigPath } from './config-node.js';

/** The offset is in UTF-16 code units. */
export interface ConfigIssue {
  readonly path: ConfigPath;
  readonly offset: number;
  readonly message: string;
}

export interface ConfigError {
  /** Such as `sources.first.number`; empty for an error of the file as a whole. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** In code points, from 1. */
  readonly column: number;
  readonly message: string;
}

/** In the order of the file. Of several errors for one path and offset, only the first is reported. */
export function toConfigErrors(findings: readonly ConfigIssue[], text: string): ConfigError[] {
  const firstIssues = new Map<string, ConfigIssue>();
  for (const finding of findings) {
    const key = `${String(finding.offset)} ${formatPath(finding.path)}`;
    if (!firstIssues.has(key)) firstIssues.set(key, finding);
  }
  return [...firstIssues.values()]
    .sort((a, b) => a.offset - b.offset)
    .map(({ path, offset: at, message }) => ({ path: formatPath(path), ...lineAndColumn(text, at), message }));
}

/** As operators write it: `sources.first.prefixes[0]`. Keys other than `[A-Za-z0-9_-]+` are quoted. */
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

export function createKeyIssues(root: ConfigNode, paths: readonly ConfigPath[], message: string): ConfigIssue[] {
  return paths.map((path) => ({ path, offset: keyOffsetOf(root, path), message }));
}
