import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median } from '../harness/measure.js';
import { ROOT } from '../harness/paths.js';
import { CLIENT_CORE } from './server-processes.js';
import type { ServerProcess } from './server-processes.js';

/** The requests that are sent to a server. */
export interface Load {
  /** Path and query. */
  readonly target: string;
  /** How the requests differ (requests.lua): by a header field, by a suffix of the target, or by the page. */
  readonly kind: 'header' | 'target' | 'page';
}

const CONNECTIONS = '32';

/** Seconds of load for one server in one round. */
const TURN_SECONDS = 3;

/** Measured rounds, after one round to warm up. */
const ROUNDS = 5;

/** Requests per second of one server relative to another under the same load, in turns: the median ratio of all rounds. */
export async function compareLoads(server: ServerProcess, baseline: ServerProcess, load: Load): Promise<number> {
  const ratios: number[] = [];
  let from = 0;
  for (let round = 0; round < 1 + ROUNDS; round += 1) {
    const [first, second] = [await requestsTo(server, load, from), await requestsTo(baseline, load, from)];
    from += Math.max(first, second);
    if (round > 0) ratios.push(first / second);
  }
  return median(ratios);
}

/** Number of responses of a server in one turn. Throws if a response is not a 2xx. `from` is the number of the first request. */
export async function requestsTo({ origin }: ServerProcess, { target, kind }: Load, from: number): Promise<number> {
  const script = fileURLToPath(new URL('bench/serving/requests.lua', ROOT));
  const options = ['-t', '1', '-c', CONNECTIONS, '-d', `${TURN_SECONDS}s`, '--timeout', '10s', '-s', script];
  const command = ['-c', String(CLIENT_CORE), 'wrk', ...options, `${origin}${target}`, '--', kind, String(from)];
  const { stdout } = await promisify(execFile)('taskset', command);
  const [, requests] = /(\d+) requests in/.exec(stdout) ?? [];
  if (requests === undefined || /Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk: ${stdout}`);
  return Number(requests);
}
