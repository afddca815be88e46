import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Subject } from '../subjects/subject.js';
import type { Fleet } from './fleet.js';

/** A gateway in a process of its own: whoever asks it, and whom it asks, are not counted. */
export class Outpost {
  private readonly ended: Promise<never>;

  constructor(private readonly child: ChildProcess) {
    this.ended = once(child, 'exit').then(() => Promise.reject(new Error('the gateway ended')));
    // It ends when nobody needs it any more.
    this.ended.catch(() => undefined);
  }

  /** Opens a gateway in which nothing is held; one at a time. Returns the address of the subject's resource. */
  open({ name }: Subject, config: readonly string[]): Promise<string> {
    return this.told('open', [name, ...config].join('\n')).then(String);
  }

  /** Drains what can be drained. */
  async warm(): Promise<void> {
    await this.told('warm');
  }

  async close(): Promise<void> {
    await this.told('close');
  }

  /** Milliseconds of CPU that the work costs the gateway. */
  async cpuOf(work: () => unknown): Promise<number> {
    const before = Number(await this.told('cpu'));
    await work();
    return Number(await this.told('cpu')) - before;
  }

  /** Milliseconds of CPU that JSON.parse takes there for all bodies of a fleet; always of the same one. */
  async parsing(fleet: Fleet): Promise<number> {
    return Number(await this.told('parse', JSON.stringify(fleet)));
  }

  private async told(order: string, text = ''): Promise<unknown> {
    const answer = once(this.child, 'message');
    this.child.send([order, text]);
    const [told] = (await Promise.race([answer, this.ended])) as [unknown];
    return told;
  }
}

/** Starts such a process, hands it to the work, and ends it with that. */
export async function withOutpost<T>(work: (outpost: Outpost) => Promise<T>): Promise<T> {
  const child = fork(new URL('gateway.ts', import.meta.url));
  try {
    return await work(new Outpost(child));
  } finally {
    child.disconnect();
  }
}
