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
  readonly keysOf = memoize((record: StoredRecord): readonly FactKey[] => listFactKeys(record));
  readonly namesOf = memoize((record: StoredRecord): FoldedNames => readFoldedNames(record));
  readonly domainsOf = memoize((record: StoredRecord): ReadonlySet<string> => new Set(readDomains(record)));
  readonly repositoryOf = memoize((record: StoredRecord): string => identifyRepository(record));
}

/** Returns a function that computes a value once for each argument. */
export function memoize<A, T>(compute: (argument: A) => T): (argument: A) => T {
  const known = new Map<A, { readonly value: T }>();
  return (argument) => {
    const found = known.get(argument) ?? { value: compute(argument) };
    known.set(argument, found);
    return found.value;
  };
}
