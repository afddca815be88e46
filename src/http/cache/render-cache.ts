import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { CacheLevel } from '../../cache/cache-level.js';
import { forEachSlice, forEachTimeSliced } from '../../event-loop/time-slicing.js';
import { WaitingClients, ClientDisconnectedError } from '../representation/waiting-clients.js';
import { RenderedBody } from './rendered-body.js';
import type { ResponseBody, OutgoingResponse, RenderKey } from '../representation/outgoing-response.js';

/** In characters. A slice of ASCII only is encoded several times as fast, and few slices contain other characters. */
const SLICE_LENGTH = 16 * 1024;

/** Decisions 3.14: several times the size of all known teams with their keys. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/** Longer than 64 MiB. */
export class BodyTooLargeError extends Error {}

/** Besides the bytes of a cached body. */
const ENTRY_OVERHEAD_BYTES = 1_024;

interface PendingRender {
  readonly clients: WaitingClients;
  readonly result: Promise<RenderedBody>;
}

/** Caches bodies of complete answers (decisions 7.16). Concurrent requests for equal bodies share one rendering. */
export class RenderCache {
  private readonly pendingRenders = new Map<string, PendingRender>();

  constructor(private readonly level: CacheLevel<RenderedBody>) {}

  /** Cached or rendered. Undefined when the client has disconnected and no other client waits for the body. */
  async render(
    reply: OutgoingResponse,
    render: NonNullable<OutgoingResponse['body']>,
    client: IncomingMessage,
  ): Promise<RenderedBody | undefined> {
    const { renderKey } = reply;
    if (renderKey === undefined) return undefinedIfDisconnected(this.start(render, client).result);
    const cached = this.level.get(renderKey.name);
    if (cached?.version === renderKey.version) return cached;
    return undefinedIfDisconnected(
      this.joinOrStart(renderKey, client, () => this.start(render, client, renderKey.version)),
    );
  }

  /** `otherBytes` is the size of the data that is cached with the body. Returns whether there is room for it. */
  put(name: string, rendered: RenderedBody, otherBytes: number): boolean {
    return this.level.put(name, rendered, ENTRY_OVERHEAD_BYTES + name.length + rendered.memoryBytes + otherBytes);
  }

  /** The most recently used body is evicted last. */
  touch(name: string): void {
    this.level.get(name);
  }

  /**
   * Joins a rendering in progress, or starts one.
   *
   * The race that this handles:
   * 1. All clients of a rendering disconnect.
   * 2. Another client joins before the rendering notices.
   * 3. The rendering is aborted all the same.
   *
   * A client that is still connected then starts again.
   */
  private async joinOrStart(
    renderKey: RenderKey,
    client: IncomingMessage,
    start: () => PendingRender,
  ): Promise<RenderedBody> {
    const { name, version, reusePolicy } = renderKey;
    const key = `${name}\n${version}`;
    const pending = this.pendingRenders.get(key);
    if (pending !== undefined) {
      pending.clients.add(client);
      return pending.result.catch((error: unknown) => {
        if (error instanceof ClientDisconnectedError && !client.socket.destroyed)
          return this.joinOrStart(renderKey, client, start);
        throw error;
      });
    }
    const rendering = start();
    this.pendingRenders.set(key, rendering);
    try {
      const rendered = await rendering.result;
      if (reusePolicy !== undefined) this.put(name, rendered, 0);
      return rendered;
    } finally {
      this.pendingRenders.delete(key);
    }
  }

  private start(
    render: NonNullable<OutgoingResponse['body']>,
    client: IncomingMessage,
    version?: string,
  ): PendingRender {
    const clients = new WaitingClients();
    clients.add(client);
    return { clients, result: renderBody(render(clients.untilDisconnected), clients, version) };
  }
}

async function renderBody(body: ResponseBody, clients: WaitingClients, version?: string): Promise<RenderedBody> {
  const output = body instanceof Promise ? await body : body;
  const isCompressed = output instanceof Uint8Array;
  const bytes = isCompressed ? output : await collectBytes(clients.untilDisconnected(output));
  return new RenderedBody(bytes, await hashBytes(bytes), isCompressed, version);
}

/** In time slices. Rejects with `BodyTooLargeError`. */
async function collectBytes(pieces: Iterable<string | Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let text = '';
  let length = 0;
  const add = (chunk: Uint8Array): void => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_BODY_BYTES) throw new BodyTooLargeError();
  };
  const encode = (): void => {
    if (text !== '') add(Buffer.from(text));
    text = '';
  };
  await forEachTimeSliced(pieces, (piece) => {
    if (typeof piece === 'string') text += piece;
    if (typeof piece !== 'string' || text.length >= SLICE_LENGTH) encode();
    if (typeof piece !== 'string') add(piece);
  });
  encode();
  const [only, ...more] = chunks;
  if (only !== undefined && more.length === 0) return only;
  const bytes = Buffer.allocUnsafeSlow(length);
  let offset = 0;
  await forEachTimeSliced(chunks, (chunk) => {
    bytes.set(chunk, offset);
    offset += chunk.length;
  });
  return bytes;
}

/** In bytes: a few milliseconds of hashing. */
const HASHED_SLICE_LENGTH = 2 * 1024 * 1024;

async function hashBytes(bytes: Uint8Array): Promise<Buffer> {
  const hash = createHash('sha256');
  await forEachSlice(bytes.length, HASHED_SLICE_LENGTH, (from, to) => hash.update(bytes.subarray(from, to)));
  return hash.digest();
}

async function undefinedIfDisconnected(rendering: Promise<RenderedBody>): Promise<RenderedBody | undefined> {
  try {
    return await rendering;
  } catch (error) {
    if (error instanceof ClientDisconnectedError) return undefined;
    throw error;
  }
}
