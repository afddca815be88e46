import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { quantile } from '../measure.js';

/**
 * An open client: it asks at a rate, whether or not answers come. A request that finds every connection busy waits, and its waiting counts: a
 * client that asks only when it got its answer would not see a pause. Started with port, target, requests a second, and seconds; sends
 * the milliseconds that 99 of 100 requests did not pass, from when they were due to the last byte of their answer; and those that 99 of 100
 * were due before this client looked, which are among the first.
 */
async function main([port, target = '/', rate, seconds]: readonly string[]): Promise<void> {
  const client = new Client(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  await client.open(Number(port));
  await client.ask(Number(rate), Number(seconds));
  process.send?.([quantile(client.times, 0.99), quantile(client.late, 0.99)], () => process.exit(0));
}

const CONNECTIONS = 64;

/** Share of the requests that tell nothing yet: connections and code are still cold. */
const WARM_UP = 0.2;

/** What is read is looked at and dropped: one buffer for all, so that this client has no garbage to collect. */
const READ = Buffer.alloc(64 * 1024);

/** Milliseconds of a pause where nothing was due: this client does not take the server's caches by looking for nothing. */
const PAUSE = 0.1;

const NOBODY_WAKES = new Int32Array(new SharedArrayBuffer(4));

/** A request that nobody has asked yet. */
interface Request {
  /** In milliseconds of `performance.now()`. */
  readonly due: number;
  /** Whether its time tells something. */
  readonly counts: boolean;
}

class Client {
  /** Milliseconds of each answer. */
  readonly times: number[] = [];
  /** Milliseconds between a request's being due and this client's seeing it. */
  readonly late: number[] = [];
  private waiting: Request[] = [];
  /** How many of those are asked already. */
  private taken = 0;
  private readonly idle: Connection[] = [];
  private answered = 0;

  constructor(private readonly text: string) {}

  async open(port: number): Promise<void> {
    for (let opened = 0; opened < CONNECTIONS; opened += 1) {
      const connection = new Connection(port, (request) => {
        this.take(connection, request);
      });
      await connection.opened();
      this.idle.push(connection);
    }
  }

  /** Looks what is due, and what was answered, again and again: a timer would be late by a millisecond and more. */
  async ask(rate: number, seconds: number): Promise<void> {
    const begun = performance.now();
    const all = Math.floor(rate * seconds);
    let [seen, before] = [0, -1];
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (seen === before) Atomics.wait(NOBODY_WAKES, 0, 0, PAUSE);
        before = seen;
        const now = performance.now();
        const until = Math.min(all, Math.floor(((now - begun) / 1000) * rate) + 1);
        for (; seen < until; seen += 1)
          this.due({ due: begun + (seen / rate) * 1000, counts: seen > all * WARM_UP }, now);
        if (this.answered < all) setImmediate(look);
        else resolve();
      };
      look();
    });
  }

  private due(request: Request, now: number): void {
    if (request.counts) this.late.push(now - request.due);
    this.waiting.push(request);
    this.next();
  }

  private next(): void {
    const [connection, request] = [this.idle.at(-1), this.waiting[this.taken]];
    if (connection === undefined || request === undefined) return;
    this.idle.pop();
    this.taken += 1;
    connection.ask(this.text, request);
    if (this.taken < this.waiting.length) return;
    this.waiting = [];
    this.taken = 0;
  }

  private take(connection: Connection, { due, counts }: Request): void {
    this.answered += 1;
    if (counts) this.times.push(performance.now() - due);
    this.idle.push(connection);
    this.next();
  }
}

/** One request at a time. */
class Connection {
  private readonly socket: Socket;
  private asked: Request | undefined;
  /** Bytes of the answer that are still to come; 0 before its head. */
  private left = 0;

  constructor(port: number, answered: (request: Request) => void) {
    const callback = (bytes: number): boolean => {
      this.left = (this.left || lengthOf(bytes)) - bytes;
      if (this.asked !== undefined && this.left === 0) answered(this.asked);
      return true;
    };
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: READ, callback } });
  }

  opened(): Promise<void> {
    return new Promise((resolve) => this.socket.once('connect', resolve));
  }

  ask(text: string, request: Request): void {
    this.asked = request;
    this.socket.write(text);
  }
}

/** Bytes of a whole answer, by its head, which comes in one piece, and is what was read. */
function lengthOf(bytes: number): number {
  const text = READ.toString('latin1', 0, Math.min(bytes, 4_096));
  const head = text.indexOf('\r\n\r\n');
  const length = /^content-length: *(\d+)/im.exec(text)?.[1];
  if (head < 0 || length === undefined || !text.startsWith('HTTP/1.1 200 ')) throw new Error('no answer');
  return head + 4 + Number(length);
}

await main(process.argv.slice(2));
