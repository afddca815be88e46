import { readFileSync } from 'node:fs';

/** Returns the text of a file of this repository, by its path from the root. */
export function readShippedFile(path: string): string {
  return readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
}

/**
 * Returns the text of a file of this repository with texts replaced, such as ports and paths. Throws if a text to replace is
 * missing, so that a test never runs another file than the one that is shipped.
 */
export function adaptShippedFile(path: string, changes: readonly (readonly [from: string, to: string])[]): string {
  return changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${path} has no ${from}`);
    return text.replaceAll(from, to);
  }, readShippedFile(path));
}
