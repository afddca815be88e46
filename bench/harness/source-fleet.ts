import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Portion } from '../subjects/records.js';
import type { Subject } from '../subjects/subject.js';

/** Upstream repositories with records of one subject. */
export interface Fleet {
  readonly subject: Subject['name'];
  readonly sources: number;
  /** Records of each source. */
  readonly records: number;
  /** Behaviour of each source, by number; default: all are healthy. */
  readonly behaviours?: readonly Behaviour[];
  /** Whether each source lists its news newest first. */
  readonly newestFirst?: boolean;
  /** Processor on which the sources run; default: any. */
  readonly core?: number;
}

/** An upstream responds, never responds, resets the connection, or responds with status 500. */
export type Behaviour = 'healthy' | 'hang' | 'reset' | 'error';

/** A fleet that has been started. */
export interface Upstreams {
  /** Ports in the order of the source numbers. */
  readonly ports: readonly number[];
  /** Number of requests that all upstreams have received so far. */
  requests(): Promise<number>;
}

/** Code of the source with a number. */
export function codeOf(number: number): string {
  return `s${number}`;
}

/** The records of the source with a number. */
export function portionOf({ records: count }: Fleet, number: number): Portion {
  return { code: codeOf(number), count, from: (number - 1) * count };
}

/** Starts a fleet in a separate process, calls `work`, and stops the fleet afterwards. */
export async function withFleet<T>(fleet: Fleet, work: (upstreams: Upstreams) => Promise<T>): Promise<T> {
  const child = start(new URL('upstream-process.js', import.meta.url), [JSON.stringify(fleet)], fleet.core);
  try {
    const ports = await nextMessage(child);
    if (!Array.isArray(ports)) throw new Error('the upstreams sent no ports');
    const requests = async (): Promise<number> => {
      const reply = nextMessage(child);
      child.send('requests');
      return Number(await reply);
    };
    return await work({ ports: ports.map(Number), requests });
  } finally {
    child.disconnect();
  }
}

/** Starts a module in a separate process, on one processor if `core` is given. */
export function start(module: URL, args: readonly string[], core?: number): ChildProcess {
  const pinned = { execPath: 'taskset', execArgv: ['-c', String(core), process.execPath] };
  return fork(module, args, { serialization: 'advanced', ...(core === undefined ? {} : pinned) });
}

/** Waits for the next message of a process. Rejects if the process ends first. */
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
