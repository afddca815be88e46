/** What the client does with a command: executes it, never answers, or rejects. */
export type ClientBehaviour = 'works' | 'hangs' | 'fails';

/** A stand-in for a client of Redis that counts in this process, for `RateLimitStore`. */
export class MemoryRateLimitClient {
  behaviour: ClientBehaviour = 'works';
  /** Replaces the reply to each command. */
  reply: unknown;
  /** Number of commands that were sent. */
  sent = 0;
  readonly counters = new Map<string, { requests: number; readonly endsAt: number }>();

  /** Only the library's command is known, so its script is not needed. */
  defineCommand(): void {
    return undefined;
  }

  /** The command that the library sends: a key, the number of requests, the period in milliseconds. */
  rlflxIncr([key = '', requests = '', period = '']: readonly string[]): Promise<unknown> {
    this.sent += 1;
    if (this.behaviour === 'hangs') return new Promise(() => undefined);
    if (this.behaviour === 'fails') return Promise.reject(new Error('not connected'));
    return Promise.resolve(this.reply ?? this.increment(key, Number(requests), Number(period)));
  }

  private increment(key: string, requests: number, period: number): readonly [number, number] {
    const present = this.counters.get(key);
    const isOpen = present !== undefined && present.endsAt > Date.now();
    const counter = isOpen ? present : { requests: 0, endsAt: Date.now() + period };
    this.counters.set(key, counter);
    counter.requests += requests;
    return [counter.requests, counter.endsAt - Date.now()];
  }
}
