import type { IncomingMessage } from 'node:http';
import type { Level } from '../hold/budget.js';
import { inTurns } from '../model/slices.js';
import { Audience, ClientGone } from './audience.js';
import { Rendered } from './rendered.js';
import type { Body, Reply, Sharing } from './reply.js';

/** Characters of text that become bytes at once: a slice that is all ASCII is encoded several times as fast, and few of many are not. */
const SLICE = 16 * 1024;

/** Bytes that a body takes beside itself. */
const AT_LEAST = 1_024;

interface Rendering {
  readonly audience: Audience;
  readonly done: Promise<Rendered>;
}

/** Renders bodies: equal ones that are wanted at the same time once, those of complete answers once for as long as they are held. */
export class Renderings {
  private readonly underWay = new Map<string, Rendering>();

  constructor(private readonly level: Level<Rendered>) {}

  /** The reply's body; undefined when the client has gone, and nobody else wants it. */
  async of(reply: Reply, render: NonNullable<Reply['body']>, client: IncomingMessage): Promise<Rendered | undefined> {
    const { sharing } = reply;
    if (sharing === undefined) return untilGone(this.start(render, client).done);
    const held = this.level.get(sharing.name);
    if (held?.edition === sharing.edition) return held;
    return untilGone(this.joined(sharing, client, () => this.start(render, client, sharing.edition)));
  }

  /** Holds a body, or tells that it has grown. `beside` is what is held with it, in bytes. Returns whether there is room for it. */
  hold(name: string, rendered: Rendered, beside: number): boolean {
    return this.level.put(name, rendered, AT_LEAST + name.length + rendered.bytes + beside);
  }

  /** Makes the body of the most recently used. */
  touch(name: string): void {
    this.level.get(name);
  }

  /**
   * Joins a rendering under way, or starts it. The race that is told apart here: (1) all clients leave, (2) another one joins before the
   * rendering has noticed, (3) it is given up all the same: who is still there begins anew.
   */
  private async joined(sharing: Sharing, client: IncomingMessage, start: () => Rendering): Promise<Rendered> {
    const { name, edition, holding } = sharing;
    const key = `${name}\n${edition}`;
    const known = this.underWay.get(key);
    if (known !== undefined) {
      known.audience.join(client);
      return known.done.catch((error: unknown) => {
        if (error instanceof ClientGone && !client.socket.destroyed) return this.joined(sharing, client, start);
        throw error;
      });
    }
    const rendering = start();
    this.underWay.set(key, rendering);
    try {
      const rendered = await rendering.done;
      if (holding !== undefined) this.hold(name, rendered, 0);
      return rendered;
    } finally {
      this.underWay.delete(key);
    }
  }

  private start(render: NonNullable<Reply['body']>, client: IncomingMessage, edition?: string): Rendering {
    const audience = new Audience();
    audience.join(client);
    return { audience, done: whole(render(audience.whileThere), audience, edition) };
  }
}

async function whole(body: Body, audience: Audience, edition?: string): Promise<Rendered> {
  const output = body instanceof Promise ? await body : body;
  if (output instanceof Uint8Array) return new Rendered(output, true, edition);
  return new Rendered(await textOf(audience.whileThere(output)), false, edition);
}

/** Collects the pieces, with turns of the event loop in between. */
async function textOf(pieces: Iterable<string | Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let text = '';
  const encode = (): void => {
    if (text !== '') chunks.push(Buffer.from(text));
    text = '';
  };
  await inTurns(pieces, (piece) => {
    if (typeof piece === 'string') text += piece;
    if (typeof piece !== 'string' || text.length >= SLICE) encode();
    if (typeof piece !== 'string') chunks.push(piece);
  });
  encode();
  const [only, ...more] = chunks;
  return only !== undefined && more.length === 0 ? only : Buffer.concat(chunks);
}

async function untilGone(rendering: Promise<Rendered>): Promise<Rendered | undefined> {
  try {
    return await rendering;
  } catch (error) {
    if (error instanceof ClientGone) return undefined;
    throw error;
  }
}
