import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { quantile } from '../measure.js';

/**
 * An open client: it asks at a rate, whether or not answers come. A request that finds every connection busy waits, and its waiting counts: a
 * client that asks only when it got its answer would not see a pause. Started with port, target, requests a second, and seconds; sends
 * the milliseconds that 99 of 100 requests did not pass, from when they were due to the last byte of their answer.
 */
async function main([port, target = '/', rate, seconds]: readonly string[]): Promise<void> {
  const client = new Client(Number(port), target);
  await client.open(CONNECTIONS);
  await client.ask(Number(rate), Number(seconds));
  process.send?.(quantile(client.times, 0.99), () => process.exit(0));
}

const CONNECTIONS = 64;

/** Share of the requests that tell nothing yet: connections and code are still cold. */
const WARM_UP = 0.2;

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
  private readonly waiting: Request[] = [];
  private readonly idle: Socket[] = [];
  private readonly text: string;
  private answered = 0;

  constructor(
    private readonly port: number,
    target: string,
  ) {
    this.text = `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
  }

  async open(connections: number): Promise<void> {
    for (let opened = 0; opened < connections; opened += 1) {
      const socket = connect({ port: this.port, host: '127.0.0.1', noDelay: true });
      await new Promise((resolve) => socket.once('connect', resolve));
      this.idle.push(socket);
    }
  }

  /** Looks every millisecond what is due since the last look: so late is a request at most by its own client's fault. */
  async ask(rate: number, seconds: number): Promise<void> {
    const begun = performance.now();
    const all = Math.floor(rate * seconds);
    let sent = 0;
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        const until = Math.min(all, Math.floor(((performance.now() - begun) / 1000) * rate));
        for (; sent < until; sent += 1) {
          this.waiting.push({ due: begun + (sent / rate) * 1000, counts: sent > all * WARM_UP });
          this.next();
        }
        if (this.answered < all) return;
        clearInterval(timer);
        resolve();
      }, 1);
    });
  }

  private next(): void {
    const [socket, request] = [this.idle.at(-1), this.waiting[0]];
    if (socket === undefined || request === undefined) return;
    this.idle.pop();
    this.waiting.shift();
    this.exchange(socket, request);
  }

  private exchange(socket: Socket, { due, counts }: Request): void {
    let left: number | undefined;
    const read = (chunk: Buffer): void => {
      left = (left ?? lengthOf(chunk)) - chunk.length;
      if (left > 0) return;
      socket.off('data', read);
      this.answered += 1;
      if (counts) this.times.push(performance.now() - due);
      this.idle.push(socket);
      this.next();
    };
    socket.on('data', read);
    socket.write(this.text);
  }
}

/** Bytes of a whole answer, by its head, which comes in one piece. */
function lengthOf(chunk: Buffer): number {
  const head = chunk.indexOf('\r\n\r\n');
  const length = /^content-length: *(\d+)/im.exec(chunk.toString('latin1', 0, head))?.[1];
  if (head < 0 || length === undefined || !chunk.toString('latin1', 0, 15).includes(' 200 '))
    throw new Error('no answer');
  return head + 4 + Number(length);
}

await main(process.argv.slice(2));
