import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';

/** A response as received; the body is not decoded. */
export interface PlainReply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends a request on a new connection, and does not decode the response. */
export function sendPlainRequest(
  port: number,
  { method, target, headers }: { method: string; target: string; headers: Readonly<Record<string, string>> },
): Promise<PlainReply> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path: target, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      });
    });
    sent.once('error', reject).end();
  });
}
