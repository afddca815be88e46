import type { Path } from './node.js';

/** Something wrong, at an offset (UTF-16 units) of the text. */
export interface Finding {
  readonly path: Path;
  readonly at: number;
  readonly message: string;
}

/** Something wrong with a configuration, for the operator to read (operation.md, `rollcall check`). */
export interface Fault {
  /** Such as `sources.first.number`; empty for the file as a whole. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  readonly message: string;
}

/** Faults in the order of their places; of several findings about one value or key only the first is told. */
export function toFaults(findings: readonly Finding[], text: string): Fault[] {
  const told = new Map<string, Finding>();
  for (const finding of findings) {
    const key = `${String(finding.at)} ${writePath(finding.path)}`;
    if (!told.has(key)) told.set(key, finding);
  }
  return [...told.values()]
    .sort((a, b) => a.at - b.at)
    .map(({ path, at, message }) => ({ path: writePath(path), ...lineAndColumn(text, at), message }));
}

/** A path as operators write it: `sources.first.prefixes[0]`; keys that are no plain names are quoted. */
export function writePath(path: Path): string {
  return path.map(writeStep).join('').replace(/^\./, '');
}

function writeStep(step: string | number): string {
  if (typeof step === 'number') return `[${String(step)}]`;
  return /^[\w-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}

function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1 };
}
