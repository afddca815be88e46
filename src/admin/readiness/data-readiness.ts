import type { AdminState } from '../admin-state.js';
import { findMissingResources } from './missing-data.js';
import type { MissingResource } from './missing-data.js';

/** For `admin.ready: data`: whether every resource could be given and searched (operation 2.4.1). */
interface DataReadiness {
  /**
   * Reasons for which the process should receive no request, a line each; none: it should. Where there are some, starts
   * to fetch what is missing, unless that is in progress.
   */
  check(): readonly string[];
}

/**
 * Without this check a process that receives no request because it has no records would never get any. One round of
 * requests runs at a time; a source that has just failed, or is suspended, is not requested before a query would
 * (decisions 6.13).
 */
export function createDataReadiness({
  generation,
  publish,
}: Pick<AdminState, 'generation' | 'publish'>): DataReadiness {
  let isFetching = false;
  let reported = '';
  // A reload that adds a source must not make a process unready that could search before.
  let canSearch = false;
  const report = (missing: readonly MissingResource[]): void => {
    const resources = missing.map(({ resource }) => resource);
    if (resources.join() === reported) return;
    reported = resources.join();
    if (resources.length > 0) publish({ type: 'resources without data', resources });
    else publish({ type: 'all resources have data' });
  };
  return {
    check: () => {
      const { config, gateway } = generation();
      if (config.admin.ready === 'listeners') return [];
      const missing = findMissingResources(gateway.servedResources, gateway.sourcesAt('public') ?? []);
      report(missing);
      if (missing.length > 0 && !isFetching) {
        isFetching = true;
        const sources = new Set(missing.flatMap((one) => one.sources.map(({ source }) => source)));
        void gateway
          .warmUp((source) => sources.has(source))
          .finally(() => {
            isFetching = false;
          });
      }
      if (missing.length > 0) return missing.flatMap(describeMissingResource);
      canSearch ||= !gateway.isIndexing();
      return canSearch ? [] : [INDEXING];
    },
  };
}

const INDEXING = 'search: the lists are being indexed';

function describeMissingResource({ resource, isRequiredSourceMissing, sources }: MissingResource): readonly string[] {
  const cause = isRequiredSourceMissing ? 'a required source has no records' : 'no source has records';
  return [`${resource}: ${cause}`, ...sources.map(({ source, summary }) => `${resource}, ${source.code}: ${summary}`)];
}
