import type { StoredRecord } from '../../model/record.js';
import { listFactKeys } from './fact-index.js';
import type { FactKey } from './fact-index.js';
import { identifyRepository, readDomains, readFoldedNames } from './team-facts.js';
import type { FoldedNames } from './team-facts.js';

/**
 * Reads the facts of records, each of them once. A search compares the same records with each other again and again.
 * Keeps what it reads, so it lives as long as one search.
 */
export class FactReader {
  readonly keysOf = memoize((record): readonly FactKey[] => listFactKeys(record));
  readonly namesOf = memoize((record): FoldedNames => readFoldedNames(record));
  readonly domainsOf = memoize((record): ReadonlySet<string> => new Set(readDomains(record)));
  readonly repositoryOf = memoize((record): string => identifyRepository(record));
}

/** Returns a function that computes a value once for each record. */
export function memoize<T>(compute: (record: StoredRecord) => T): (record: StoredRecord) => T {
  const known = new Map<StoredRecord, { readonly value: T }>();
  return (record) => {
    const found = known.get(record) ?? { value: compute(record) };
    known.set(record, found);
    return found.value;
  };
}
