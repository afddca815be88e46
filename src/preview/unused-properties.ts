import type { DocumentMapping } from '../model/registration/document-mapping.js';
import { listTopLevelNames } from '../text/jmespath-adapter.js';
import type { UnusedPropertyReport } from './preview-report.js';
import type { Sanitizer } from './sanitizer.js';

/** Entries may have names that never repeat. */
const MAX_NAMES = 1_000;

/** Mentioned by some expression (operation 1.7.2). */
export function listMentionedNames({ join, only, identity, map }: DocumentMapping): ReadonlySet<string> {
  const texts = [join?.key, only, identity, ...Object.values(map)].filter((text) => text !== undefined);
  return new Set(texts.flatMap(listTopLevelNames));
}

/** Properties with a value that `isUsed` does not know, each with its first value. */
export function countUnused<T>(
  records: readonly T[],
  sentOf: (record: T) => unknown,
  { isUsed, sanitizer }: { readonly isUsed: (name: string, record: T) => boolean; readonly sanitizer: Sanitizer },
): readonly UnusedPropertyReport[] {
  const found = new Map<string, { entries: number; readonly example: unknown }>();
  for (const record of records) {
    const sent = sentOf(record);
    if (!isObject(sent)) continue;
    for (const [name, value] of Object.entries(sent)) {
      const use = found.get(name);
      if (isEmpty(value) || isUsed(name, record)) continue;
      if (use !== undefined) use.entries += 1;
      else if (found.size < MAX_NAMES) found.set(name, { entries: 1, example: value });
    }
  }
  return [...found].map(([name, { entries, example }]) => ({
    name: sanitizer.redact(name),
    entries,
    example: sanitizer.copy(example),
  }));
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (isObject(value) && Object.keys(value).length === 0);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
