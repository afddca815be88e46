import { ask } from '../house.js';

/** What an answer must tell. */
export interface Expected {
  readonly sources: number;
  /** Matches; absent: any number. */
  readonly total?: number;
}

/** Asks for a list. Rejects where a source did not give all of it, or something is missing: that would be fast for nothing. */
export async function complete(url: string, { sources, total }: Expected): Promise<void> {
  const headers = await ask(url);
  const told = headers.get('source-status') ?? '';
  const states = told.match(/state=\w+/g) ?? [];
  // Over twenty sources share one member.
  const fresh = Number(/\*;state=fresh;sources=(\d+)/.exec(told)?.[1] ?? states.length);
  if (fresh !== sources || states.some((state) => state !== 'state=fresh')) throw new Error(`${url}: ${told}`);
  const counted = headers.get('x-total-count');
  if (total !== undefined && counted !== String(total)) throw new Error(`${url}: ${counted ?? 'no'} of ${total}`);
}

/** Does a work so many times, one after another; it is told how often it was done before. */
export async function times(count: number, work: (done: number) => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += 1) await work(done);
}
