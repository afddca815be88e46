import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Subject } from './subjects/subject.js';
import type { Manner } from './upstream.js';

/** Upstream repositories, started together in one process. */
export interface Upstreams {
  readonly subject: Subject;
  readonly coding: 'identity' | 'gzip';
  /** One for each upstream, in the order of their numbers. */
  readonly manners: readonly Manner[];
}

/** Starts upstreams, hands their ports to the work, and ends them with it. */
export async function withUpstreams<T>(
  { subject, coding, manners }: Upstreams,
  work: (ports: readonly number[]) => Promise<T>,
): Promise<T> {
  const upstream = fork(new URL('upstream.ts', import.meta.url), [subject.name, coding, manners.join()]);
  try {
    const [ports] = (await once(upstream, 'message')) as [unknown];
    if (!Array.isArray(ports)) throw new Error('the upstreams sent no ports');
    return await work(ports.map(Number));
  } finally {
    upstream.disconnect();
  }
}
