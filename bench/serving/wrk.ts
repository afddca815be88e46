import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { calmly } from '../calm.js';
import { median } from '../measure.js';
import type { Figure } from '../measure.js';
import type { Served } from './gateway.js';
import { ASKING, cpuOfProcess } from './process.js';

/** What is asked of a server, over and over. */
export interface Load {
  /** Path and query. */
  readonly target: string;
  /** Names with their values, as wrk takes them. */
  readonly headers?: readonly string[];
  /** A script of this folder that makes each request another one. */
  readonly script?: string;
  readonly seconds: number;
}

/** What came of it. */
export interface Run {
  readonly perSecond: number;
  readonly requests: number;
  /** Milliseconds of the server's CPU for one request. */
  readonly cpu: number;
}

const CONNECTIONS = '32';

/** Asks as fast as answers come, over 32 connections. `from` is handed to the script. Throws where an answer is none. */
export async function wrk({ origin, pid }: Served, load: Load, from = 0): Promise<Run> {
  const { target, headers = [], script, seconds } = load;
  const fields = headers.flatMap((header) => ['-H', header]);
  const scripted = script === undefined ? [] : ['-s', fileURLToPath(new URL(script, import.meta.url))];
  const options = ['-t', '1', '-c', CONNECTIONS, '-d', `${seconds}s`, '--timeout', '10s', ...fields, ...scripted];
  const before = cpuOfProcess(pid);
  const command = ['-c', ASKING, 'wrk', ...options, `${origin}${target}`, '--', String(from)];
  const { stdout } = await promisify(execFile)('taskset', command);
  const cpu = cpuOfProcess(pid) - before;
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
  const requests = numberIn(stdout, /(\d+) requests in/);
  return { perSecond: numberIn(stdout, /Requests\/sec:\s*([\d.]+)/), requests, cpu: cpu / requests };
}

function numberIn(text: string, pattern: RegExp): number {
  const [, number] = pattern.exec(text) ?? [];
  if (number === undefined) throw new Error(`wrk said ${text}`);
  return Number(number);
}

/** Two servers under the same load, in turns. */
export interface Duel {
  readonly name: string;
  readonly one: Served;
  readonly other: Served;
  readonly load: Load;
  /** What the ratio must reach. */
  readonly least?: number;
}

/** Rounds of a duel, after one to warm up. */
const ROUNDS = 5;

/**
 * Requests a second of the first server to those of the second: the median of the ratios of rounds in which both had their turn. Beside it
 * the same by the servers' CPU, which other programs on the machine disturb less.
 */
export async function duel({ name, one, other, load, least }: Duel): Promise<Figure[]> {
  let from = 0;
  const turns = async (): Promise<{ readonly rate: number; readonly cost: number }> => {
    const [first, second] = [await wrk(one, load, from), await wrk(other, load, from)];
    from += Math.max(first.requests, second.requests);
    return { rate: first.perSecond / second.perSecond, cost: second.cpu / first.cpu };
  };
  await turns();
  const rounds = await calmly(ROUNDS, turns);
  return [
    { name, value: median(rounds.map(({ rate }) => rate)), unit: '×', ...(least !== undefined && { least }) },
    { name: `… by CPU: ${name}`, value: median(rounds.map(({ cost }) => cost)), unit: '×' },
  ];
}
