import type { Doubt } from '../model/outcome.js';
import type { Draft } from '../model/record.js';
import { Contradiction } from './claims.js';
import type { FetchPage } from './page.js';
import type { Front, Reach } from './stream-types.js';
import { Stream } from './stream.js';

export type { Front, Reach } from './stream-types.js';

/** A stream that is seen to change begins again, twice at most, as a drain does (decisions.md, section 5). */
const RESTARTS = 2;

/** A Last-Modified that was another one so often, while nothing else was, is the date of the answer; before that it may be of a change further behind. */
const REDATED = 3;

/**
 * Fetches the front of a stream page by page, or what a known front lacks. Each page begins with the last record of the one before: where that
 * is another record, records have come or gone meanwhile, and which are missing is unknown; the same where total or Last-Modified is
 * another one. Two readings in a row that saw the same agree, for some sources date their pages by the moment. Rejects with the failure of
 * the page that failed, and with a `Contradiction` where the source does not count as it should: seen once, that may be a change between two
 * pages; seen again in a stream that was just begun, it is none. What reaches further than one source may give ends as `too-large`, without
 * records, as a drain does.
 */
export async function fetchFront(fetchPage: FetchPage<Draft>, reach: Reach, known?: Front): Promise<Front> {
  let stream = new Stream(fetchPage, reach, known);
  let before: Stream | undefined;
  let contradicted = false;
  for (let restarts = 0; ; restarts += 1) {
    const seen = await stream.read().catch(unlessContradiction);
    const again = seen === true && before !== undefined && (await stream.sees(before));
    const { doubt } = stream;
    const isSteady = again || !stream.moved || doubt === 'too-large';
    if (seen === true && isSteady) return frontOf(stream, { doubt, known, again });
    if (seen instanceof Contradiction && contradicted) throw seen;
    contradicted ||= seen instanceof Contradiction;
    if (restarts === RESTARTS) return frontOf(stream, { doubt: 'drift', known });
    before = seen === true ? stream : undefined;
    stream = new Stream(fetchPage, reach);
  }
}

function unlessContradiction(error: unknown): Contradiction {
  if (error instanceof Contradiction) return error;
  throw error;
}

interface Ended {
  readonly doubt: Doubt | undefined;
  readonly known: Front | undefined;
  /** Whether another reading saw the same. */
  readonly again?: boolean;
}

function frontOf(stream: Stream, { doubt, known, again = false }: Ended): Front {
  const { records, starts, ...facts } = stream.facts;
  const redated = (known?.redated ?? 0) + (again ? 1 : 0);
  const undated = known?.undated === true || (again && stream.moved) || redated >= REDATED;
  const read = doubt === 'too-large' ? { records: [], starts: [], looked: [] } : { records, starts };
  return { ...facts, ...read, ...(redated > 0 && { redated }), ...(undated && { undated }), ...(doubt && { doubt }) };
}

/** The records once more, to be given ids: a front that reaches further gives all of them ids anew. */
export function fresh(records: readonly Draft[]): Draft[] {
  return records.map((record) => record.anew());
}
