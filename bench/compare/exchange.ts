import { Agent, request as sendRequest } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

/** A request as it is sent. */
export interface SentRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A response with its decoded body. */
export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const agent = new Agent({ keepAlive: true });

/** Longer than the deadline of a program. */
const TIMEOUT = 40_000;

/** Sends a request to a port of this machine, and reads the whole response. Rejects if there is none. */
export function send(port: number, { method, target, headers }: SentRequest): Promise<Received> {
  return new Promise((resolve, reject) => {
    const outgoing = sendRequest(
      { port, host: '127.0.0.1', method, path: target, headers, agent, timeout: TIMEOUT },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          try {
            const body = decode(Buffer.concat(chunks), response.headers['content-encoding']);
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
          } catch (error) {
            reject(new Error('the body cannot be decoded', { cause: error }));
          }
        });
      },
    );
    outgoing.on('timeout', () => outgoing.destroy(new Error('no response in time')));
    outgoing.on('error', reject);
    outgoing.end();
  });
}

function decode(bytes: Buffer, coding: string | undefined): Buffer {
  if (bytes.length === 0) return bytes;
  if (coding === 'br') return brotliDecompressSync(bytes);
  return coding === 'gzip' ? gunzipSync(bytes) : bytes;
}
