import type { StoredRecord } from '../../model/record.js';
import { listFactKeys } from './fact-index.js';
import type { FactKey } from './fact-index.js';
import { identifyRepository, readDomains, readFoldedNames } from './team-facts.js';
import type { FoldedNames } from './team-facts.js';

/** A search compares the same records again and again: facts are read once. Lives as long as one search. */
export class FactReader {
  readonly keysOf = memoize((record: StoredRecord): readonly FactKey[] => listFactKeys(record));
  readonly namesOf = memoize((record: StoredRecord): FoldedNames => readFoldedNames(record));
  readonly domainsOf = memoize((record: StoredRecord): ReadonlySet<string> => new Set(readDomains(record)));
  readonly repositoryOf = memoize((record: StoredRecord): string => identifyRepository(record));
}

/** One computation for each argument. */
export function memoize<A, T>(compute: (argument: A) => T): (argument: A) => T {
  const known = new Map<A, { readonly value: T }>();
  return (argument) => {
    const found = known.get(argument) ?? { value: compute(argument) };
    known.set(argument, found);
    return found.value;
  };
}
