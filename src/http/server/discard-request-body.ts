import type { IncomingMessage } from 'node:http';

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Reads and drops the body, because no method of the interfaces uses one. Calls `done` once, with whether the body has
 * at most `maxBytes` bytes; the rest of a larger body is not read. A body withheld with `Expect: 100-continue` is not
 * read either, because it is never requested (decisions 7.18). `done` is not called if the client disconnects before
 * the end of its body.
 */
export function discardRequestBody(request: IncomingMessage, maxBytes: number, done: (fits: boolean) => void): void {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > maxBytes || request.headers.expect !== undefined) {
    done(announced <= maxBytes);
    return;
  }
  let bytes = 0;
  const end = (fits: boolean): void => {
    request.off('data', onData).off('end', onEnd);
    done(fits);
  };
  const onEnd = (): void => end(true);
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= maxBytes) return;
    request.pause();
    end(false);
  };
  request.on('data', onData).once('end', onEnd);
  // The client has disconnected: no response can be sent.
  request.on('error', () => undefined);
}
