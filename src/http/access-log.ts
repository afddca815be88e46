import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../model/clock.js';
import type { Log } from '../model/log.js';
import type { CacheResult } from '../model/waited.js';

/** Which requests are logged (operation.md, `server.log`): all, those answered with an error, or none. */
export type LogLevel = 'none' | 'errors' | 'all';

/** What is known of a request while it is answered; handlers add to it. */
export interface RequestFacts extends Record<string, unknown> {
  /** The status that the answer tells in its body, where HTTP's is another. */
  status?: number;
  /** How the answer came by what its sources gave; absent where none was asked for. */
  cache?: CacheResult;
}

/** Where the log line of a request goes, and what time it is. */
export interface AccessLog {
  readonly log: Log;
  readonly clock: Clock;
  readonly level: LogLevel;
}

/** Opens the log line of a request; it is written when the answer has left, or the client has. */
export function openLine(
  request: IncomingMessage,
  response: ServerResponse,
  { log, clock, level }: AccessLog,
): RequestFacts {
  const facts: RequestFacts = { request: randomUUID(), method: request.method, path: pathOf(request) };
  if (level === 'none') return facts;
  const started = clock.now();
  response.once('close', () => {
    const { status = response.statusCode } = facts;
    if (level === 'errors' && status < 400) return;
    const left = response.writableFinished ? {} : { aborted: true };
    log.info({ ...facts, status, milliseconds: clock.now() - started, ...left }, 'request');
  });
  return facts;
}

/** The path without its query: that is logged in canonical form only, once it is parsed. */
function pathOf(request: IncomingMessage): string | undefined {
  return request.url?.split('?', 1)[0];
}
