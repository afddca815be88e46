import type { IncomingMessage } from 'node:http';

/** Whether a request announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Reads the body of a request and drops it: no method here has one that means anything. Calls `done` once, with whether the body was at most `most`
 * bytes; what exceeds that is not read. A body for which the client waits with `Expect: 100-continue` is not read either, for it is
 * never asked for. Nothing is called when the client leaves before its body has come.
 */
export function discardRequestBody(request: IncomingMessage, most: number, done: (fits: boolean) => void): void {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > most || request.headers.expect !== undefined) {
    done(announced <= most);
    return;
  }
  let bytes = 0;
  const end = (fits: boolean): void => {
    request.off('data', count).off('end', whole);
    done(fits);
  };
  const whole = (): void => end(true);
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= most) return;
    request.pause();
    end(false);
  };
  request.on('data', count).once('end', whole);
  // The client has left: there is nobody to answer.
  request.on('error', () => undefined);
}
