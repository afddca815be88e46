import type { Draft } from '../model/record.js';
import { drain } from './drain.js';
import type { Drained } from './drain.js';
import { SourceFailure } from './failure.js';
import type { DrainBounds, FetchPage } from './page.js';

/** Statuses of a source that does not know a scope. */
const UNKNOWN_SCOPE: ReadonlySet<number | undefined> = new Set([400, 404, 422]);

const NOTHING: Drained<Draft> = { records: [], received: 0, bytes: 0, findings: new Map() };

/**
 * Fetches the teams with keys of a source (interfaces.md, `scope=pgp`). One that refuses to be asked for keys has none to give; one that gave a page of
 * them, and refuses another, has, and the drain rejects with that failure.
 */
export async function drainKeys(fetchPage: FetchPage<Draft>, bounds: DrainBounds): Promise<Drained<Draft>> {
  const scope = { granted: false };
  const watched: FetchPage<Draft> = async (offset, limit) => {
    const page = await fetchPage(offset, limit);
    scope.granted = true;
    return page;
  };
  try {
    return await drain(watched, bounds);
  } catch (error) {
    if (!scope.granted && error instanceof SourceFailure && UNKNOWN_SCOPE.has(error.status)) return NOTHING;
    throw error;
  }
}
