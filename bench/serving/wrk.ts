import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median } from '../harness/measure.js';
import { ROOT } from '../harness/paths.js';
import { ASKING } from './server-processes.js';
import type { ServerProcess } from './server-processes.js';

/** What is asked of a server, over and over. */
export interface Load {
  /** Path and query. */
  readonly target: string;
  /** How each request differs from the others (requests.lua): by a header, by what is appended to the target, or by the page. */
  readonly kind: 'header' | 'target' | 'page';
}

const CONNECTIONS = '32';

/** Seconds of one turn. */
const TURN = 3;

/** Rounds, after one to warm up. */
const ROUNDS = 5;

/** Requests a second of one server to those of another under the same load, in turns: the median of the rounds' ratios. */
export async function compareLoads(one: ServerProcess, other: ServerProcess, load: Load): Promise<number> {
  const ratios: number[] = [];
  let from = 0;
  for (let round = 0; round < 1 + ROUNDS; round += 1) {
    const [first, second] = [await requestsTo(one, load, from), await requestsTo(other, load, from)];
    from += Math.max(first, second);
    if (round > 0) ratios.push(first / second);
  }
  return median(ratios);
}

/** How many requests a server answers in one turn. Throws where an answer is not a 2xx. `from` numbers the first request. */
async function requestsTo({ origin }: ServerProcess, { target, kind }: Load, from: number): Promise<number> {
  const script = fileURLToPath(new URL('bench/serving/requests.lua', ROOT));
  const options = ['-t', '1', '-c', CONNECTIONS, '-d', `${TURN}s`, '--timeout', '10s', '-s', script];
  const command = ['-c', String(ASKING), 'wrk', ...options, `${origin}${target}`, '--', kind, String(from)];
  const { stdout } = await promisify(execFile)('taskset', command);
  const [, requests] = /(\d+) requests in/.exec(stdout) ?? [];
  if (requests === undefined || /Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk: ${stdout}`);
  return Number(requests);
}
