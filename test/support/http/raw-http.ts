import { once } from 'node:events';
import { connect } from 'node:net';

/** A request as sent: each character is one byte. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
}

/** A response as received. */
export interface RawResponse {
  readonly status: number;
  /** By lower-case name; repeated fields are joined with `, `. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Sends a request unchanged on a new connection and reads the response, until it is complete or the server closes the connection. */
export async function rawRequest(port: number, request: RawRequest): Promise<RawResponse> {
  const [reply] = await rawRequests(port, request, 1);
  return reply ?? readResponse(Buffer.alloc(0));
}

/** Sends the same request several times on one connection, each after the response to the previous one. */
export async function rawRequests(port: number, request: RawRequest, times: number): Promise<RawResponse[]> {
  const { method, target, headers } = request;
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: rollcall.example', ...headers, '', ''];
  const socket = connect(port, '127.0.0.1');
  const ask = (): void => {
    // Not ended: a half-closed connection looks like a client that has gone.
    socket.write(lines.join('\r\n'), 'latin1');
  };
  const replies: RawResponse[] = [];
  let chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    if (!isWhole(bytes, request)) return;
    replies.push(readResponse(bytes));
    chunks = [];
    if (replies.length < times) ask();
    else socket.destroy();
  });
  ask();
  await once(socket, 'close');
  if (chunks.length > 0) replies.push(readResponse(Buffer.concat(chunks)));
  return replies;
}

/** Whether the response to this request is complete. A response without a Content-Length ends with the connection. */
export function isWhole(bytes: Buffer, { method }: RawRequest): boolean {
  if (!bytes.includes('\r\n\r\n')) return false;
  const { status, headers, body } = readResponse(bytes);
  return method === 'HEAD' || [204, 304].includes(status) || body.length >= Number(headers.get('content-length'));
}

/** Parses a response; everything after the head is its body. */
export function readResponse(bytes: Buffer): RawResponse {
  const end = bytes.indexOf('\r\n\r\n');
  const [first = '', ...lines] = bytes.toString('latin1', 0, Math.max(end, 0)).split('\r\n');
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return { status: Number(first.split(' ')[1] ?? NaN), headers, body: bytes.subarray(end + 4) };
}
