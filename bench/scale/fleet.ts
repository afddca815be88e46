import { fork } from 'node:child_process';
import { once } from 'node:events';
import { codeOf } from '../pages.js';
import type { Raw } from '../records.js';
import type { Subject } from '../subjects/subject.js';

/** Sources that are alike, but for their records. */
export interface Fleet {
  readonly subject: Subject['name'];
  readonly sources: number;
  /** Records of each. */
  readonly records: number;
  /** Milliseconds that a source lets pass before it answers; 0 where nothing is said. */
  readonly delay?: number;
  /** The same for the last source. */
  readonly slowest?: number;
}

/** The fleet that a text tells of. */
export function fleetIn(text: string): Fleet {
  return JSON.parse(text) as Fleet;
}

/** All records of the source with this number. */
export function listOf({ records: count }: Fleet, subject: Subject, number: number): readonly Raw[] {
  return subject.recordsOf({ code: codeOf(number), count, from: number * count });
}

/** A fleet that has been started. */
export interface Sources {
  /** In the order of their numbers. */
  readonly ports: readonly number[];
  /** Requests that they have been sent so far. */
  requests(): Promise<number>;
}

/** Starts a fleet, hands it to the work, and ends it with that. */
export async function withFleet<T>(fleet: Fleet, work: (sources: Sources) => Promise<T>): Promise<T> {
  const child = fork(new URL('upstream.ts', import.meta.url), [JSON.stringify(fleet)]);
  try {
    const [ports] = (await once(child, 'message')) as [unknown];
    if (!Array.isArray(ports)) throw new Error('the sources sent no ports');
    const requests = async (): Promise<number> => {
      const answer = once(child, 'message');
      child.send('requests');
      return Number((await answer)[0]);
    };
    return await work({ ports: ports.map(Number), requests });
  } finally {
    child.disconnect();
  }
}

/** The configuration of a gateway that asks a fleet. `further` keys are those of every source, as text. */
export function configOf(subject: Subject, ports: readonly number[], further = ''): readonly string[] {
  const sources = ports.map((port, at) => {
    const registered = subject.registered(`http://127.0.0.1:${port}`);
    return `  ${codeOf(at + 1)}: { number: ${at + 1}, ${registered}${further} }`;
  });
  return [
    // What is measured is what it takes, however busy the machine is, and not what is done when there is no time.
    'server: { log: none, deadline: 5m }',
    'defaults: { ttl: 1h, timeout: 2m }',
    // 100,000 records do not fit into what is granted by default.
    'cache: { memory: 2GiB }',
    'sources:',
    ...sources,
  ];
}
