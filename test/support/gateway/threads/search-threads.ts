import { SearchThreads } from '../../../../src/search/search-threads.js';
import type { SearchThreadModules } from '../../../../src/search/search-threads.js';

/** Creates the threads of searches; `modules` replaces what they run. */
export function searchThreads(modules: Partial<SearchThreadModules> = {}): SearchThreads {
  return new SearchThreads(modules);
}
