import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../model/clock.js';
import type { Log } from '../model/log.js';
import type { Answered, Meter } from '../model/meter.js';
import type { Resource } from '../model/resource.js';
import type { CacheResult } from '../model/waited.js';

/** Which requests are logged (operation.md, `server.log`): all, those answered with an error, or none. */
export type LogLevel = 'none' | 'errors' | 'all';

/** What is known of a request while it is answered; handlers add to it. */
export interface RequestFacts extends Record<string, unknown> {
  /** The status that the answer tells in its body, where HTTP's is another. */
  status?: number;
  /** How the answer came by what its sources gave; absent where none was asked for. */
  cache?: CacheResult;
  /** Absent where nothing of a resource was asked for. */
  resource?: Resource['name'];
  /** Name of the format that the answer is written in; absent where it has none. */
  format?: string;
}

/** Where the log line of a request goes, where requests are counted, and what time it is. */
export interface AccessLog {
  readonly log: Log;
  readonly meter: Meter;
  readonly clock: Clock;
  readonly level: LogLevel;
}

/** Opens the log line of a request; it is written, and the request counted, when the answer has left, or the client has. */
export function openLine(
  request: IncomingMessage,
  response: ServerResponse,
  { log, meter, clock, level }: AccessLog,
): RequestFacts {
  const facts: RequestFacts = { request: randomUUID(), method: request.method, path: pathOf(request) };
  const started = clock.now();
  response.once('close', () => {
    const { status = response.statusCode } = facts;
    const milliseconds = clock.now() - started;
    const left = response.writableFinished ? {} : { aborted: true };
    meter.answered({ ...countedFacts(facts), status: 'aborted' in left ? 'aborted' : status, milliseconds });
    if (level === 'none' || (level === 'errors' && status < 400)) return;
    log.info({ ...facts, status, milliseconds, ...left }, 'request');
  });
  return facts;
}

function countedFacts({ resource, format, cache }: RequestFacts): Pick<Answered, 'resource' | 'format' | 'cache'> {
  return { ...(resource && { resource }), ...(format !== undefined && { format }), ...(cache && { cache }) };
}

/** The path without its query: that is logged in canonical form only, once it is parsed. */
function pathOf(request: IncomingMessage): string | undefined {
  return request.url?.split('?', 1)[0];
}
