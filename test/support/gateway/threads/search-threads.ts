import { SearchThreads } from '../../../../src/search/search-threads.js';
import type { SearchThreadModules } from '../../../../src/search/search-threads.js';
import { sourceModule } from './worker-modules.js';

const MODULES: SearchThreadModules = {
  index: sourceModule('search/index/index-thread.ts'),
  search: sourceModule('search/search-thread.ts'),
};

/** Creates the threads of searches with real worker threads; `modules` replaces what they run. */
export function searchThreads(modules: Partial<SearchThreadModules> = {}): SearchThreads {
  return new SearchThreads({ ...MODULES, ...modules });
}
