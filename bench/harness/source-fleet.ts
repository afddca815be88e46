import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Portion } from '../subjects/records.js';
import type { Subject } from '../subjects/subject.js';

/** Upstream repositories with records of one subject. */
export interface Fleet {
  readonly subject: Subject['name'];
  readonly sources: number;
  /** Records of each. */
  readonly records: number;
  /** How each behaves, by number; all of them well where this is absent. */
  readonly behaviours?: readonly Behaviour[];
  /** Whether each lists its news with the newest first. */
  readonly newestFirst?: boolean;
  /** The processor on which they run; absent: any. */
  readonly core?: number;
}

/** An upstream answers, never answers, resets the connection, or answers with status 500. */
export type Behaviour = 'well' | 'hang' | 'reset' | 'error';

/** A fleet that has been started. */
export interface Upstreams {
  /** In the order of their numbers. */
  readonly ports: readonly number[];
  /** Requests that they have received so far. */
  requests(): Promise<number>;
}

/** Code of the source with this number. */
export function codeOf(number: number): string {
  return `s${number}`;
}

/** Which records the source with this number has. */
export function portionOf({ records: count }: Fleet, number: number): Portion {
  return { code: codeOf(number), count, from: (number - 1) * count };
}

/** Starts a fleet in a process of its own, hands it to the work, and ends it with that. */
export async function withFleet<T>(fleet: Fleet, work: (upstreams: Upstreams) => Promise<T>): Promise<T> {
  const child = start(new URL('upstream-process.js', import.meta.url), [JSON.stringify(fleet)], fleet.core);
  try {
    const ports = await nextMessage(child);
    if (!Array.isArray(ports)) throw new Error('the upstreams sent no ports');
    const requests = async (): Promise<number> => {
      const answer = nextMessage(child);
      child.send('requests');
      return Number(await answer);
    };
    return await work({ ports: ports.map(Number), requests });
  } finally {
    child.disconnect();
  }
}

/** Starts a module of this folder in a process of its own, on one processor where one is named. */
export function start(module: URL, args: readonly string[], core?: number): ChildProcess {
  const pinned = { execPath: 'taskset', execArgv: ['-c', String(core), process.execPath] };
  return fork(module, args, { serialization: 'advanced', ...(core === undefined ? {} : pinned) });
}

/** The next message of a process. Rejects where it ends instead. */
export async function nextMessage(child: ChildProcess): Promise<unknown> {
  const received = new AbortController();
  const { signal } = received;
  const ended = once(child, 'exit', { signal }).then(() => Promise.reject(new Error(`${child.spawnfile} ended`)));
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), ended])) as [unknown];
    return message;
  } finally {
    received.abort();
  }
}
