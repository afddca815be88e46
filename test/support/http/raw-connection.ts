import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { isWhole, readResponse } from './raw-http.js';
import type { RawResponse, RawRequest } from './raw-http.js';

/** How the bytes of several requests are split: ascending end positions of the pieces. Each piece is written in a separate turn of the event loop. */
export type Split = readonly number[];

/** A connection that pipelines requests, byte for byte as given. */
export class RawConnection {
  private received = Buffer.alloc(0);
  private changed: () => void = () => undefined;

  private constructor(private readonly socket: Socket) {
    const note = (): void => this.changed();
    socket.on('data', (chunk: Buffer) => {
      this.received = Buffer.concat([this.received, chunk]);
      note();
    });
    socket.on('close', note).on('error', note);
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = connect(port, '127.0.0.1');
    socket.setNoDelay(true);
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** Whether the server has closed the connection. */
  get isClosed(): boolean {
    return this.socket.destroyed || this.socket.readableEnded;
  }

  /** Writes all requests and reads their responses, until the server closes the connection. */
  async exchange(requests: readonly RawRequest[], split: Split = []): Promise<readonly RawResponse[]> {
    void this.write(requests.map(bytesOf).join(''), split);
    const replies: RawResponse[] = [];
    for (const request of requests) {
      const reply = await this.reply(request);
      if (reply === undefined) break;
      replies.push(reply);
    }
    return replies;
  }

  close(): void {
    this.socket.destroy();
  }

  private async write(text: string, split: Split): Promise<void> {
    let from = 0;
    for (const to of [...split.filter((at) => at < text.length), text.length]) {
      this.socket.write(text.slice(from, to), 'latin1');
      from = to;
      await new Promise(setImmediate);
    }
  }

  private async reply(request: RawRequest): Promise<RawResponse | undefined> {
    for (;;) {
      if (isWhole(this.received, request)) return this.take(request);
      if (this.isClosed) return undefined;
      await new Promise<void>((resolve) => (this.changed = resolve));
    }
  }

  /** Removes the first response from the received bytes; its Content-Length determines where it ends. */
  private take(request: RawRequest): RawResponse {
    const { status, headers, body } = readResponse(this.received);
    const length = request.method === 'HEAD' || [204, 304].includes(status) ? 0 : Number(headers.get('content-length'));
    this.received = Buffer.from(body.subarray(length));
    return { status, headers, body: body.subarray(0, length) };
  }
}

function bytesOf({ method, target, headers }: RawRequest): string {
  return [`${method} ${target} HTTP/1.1`, 'Host: rollcall.example', ...headers, '', ''].join('\r\n');
}
