import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../src/config/config.js';
import { ask, configured, openHouse } from './house.js';
import type { House } from './house.js';
import { quantile, timeOf } from './measure.js';
import type { Figure } from './measure.js';
import { codeOf, RECORDS } from './pages.js';
import { directory } from './subjects/directory.js';
import type { Manner } from './upstream.js';
import { withUpstreams } from './upstreams.js';

/** Sources of each manner, and the order of the manners by number. */
const EACH = 5;
const MANNERS = (['well', 'hang', 'reset', 'error'] as const).flatMap((manner) =>
  Array.from({ length: EACH }, () => manner),
);

/** What an answer tells of the sources of a manner: whatever else it told would be no answer to what is measured. */
type Told = Readonly<Record<Manner, string>>;

/** While failing sources are still asked. */
const ASKED: Told = {
  well: `state=fresh;records=${RECORDS}`,
  hang: 'state=failed;reason=timeout',
  reset: 'state=failed;reason=connect',
  error: 'state=failed;reason=status',
};

/** When their breakers are open. */
const SUSPENDED: Told = {
  well: ASKED.well,
  hang: 'state=suspended;reason=timeout',
  reset: 'state=suspended;reason=connect',
  error: 'state=suspended;reason=status',
};

/** A registered source that behaves in a manner. */
interface Registered {
  readonly manner: Manner;
  readonly port: number;
}

/**
 * Twenty sources, of which five hang, five cut the connection and five answer with 500: how late the answer is that is complete for the
 * other five, and what the failing ones cost once their breakers are open.
 */
export function failing(): Promise<Figure[]> {
  return withUpstreams({ subject: directory, coding: 'identity', manners: MANNERS }, async (ports) => {
    const sources = ports.map((port, at) => ({ port, manner: MANNERS[at] ?? 'well' }));
    return [...(await punctual(sources)), await suspended(sources)];
  });
}

/** Houses that are asked once, with nothing held: of so many the latest answer counts. */
const DEADLINES = [
  { name: 'a deadline of 4 s, shorter than a request may take', server: ', deadline: 4s', deadline: 4_000, houses: 3 },
  { name: 'the deadline of 10 s, all settings by default', server: '', deadline: 10_000, houses: 1 },
] as const;

async function punctual(sources: readonly Registered[]): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { name, server, deadline, houses } of DEADLINES) {
    const times: number[] = [];
    for (let opened = 0; opened < houses; opened += 1) {
      const watched = await openWatched(sources, { server, source: () => '' });
      times.push(await timeOf(() => answered(watched, ASKED)));
      await watched.house.close();
    }
    const value = Math.max(...times) / deadline;
    figures.push({ name: `answer with 15 of 20 sources failing, to ${name}`, value, unit: '×', bound: 1.05 });
  }
  return figures;
}

/** How long a failure is remembered by default, in milliseconds, and something more: then its source is asked again. */
const APART = 2_000 + 100;

/** Pairs of houses: while the failures of one pair are still remembered, the others are asked. */
const PAIRS = 4;

/** Answers of each house that are compared. */
const ROUNDS = 12;

/** Answers within which all breakers must be open: each opens with its source's fifth failure. */
const OPENING = 10;

/** Further keys of a source, by its manner; see `suspended`. */
const SUSPENDING: Readonly<Record<Manner, string>> = {
  well: ', ttl: 1s, stale-while-revalidate: 0s, max-unverified: 0s',
  hang: ', timeout: 500ms, breaker: { cooldown: 1h }',
  reset: ', breaker: { cooldown: 1h }',
  error: ', breaker: { cooldown: 1h }',
};

/** A house with all sources, and one with the healthy ones alone. */
type Pair = readonly [all: Watched, alone: Watched];

/**
 * The answer of a house with all twenty sources to that of a house with the five healthy ones alone, once all fifteen breakers are open.
 *
 * What makes it fair: (1) Both are whole gateways in this process, over the same five upstreams, with the same settings, asked the same by
 * the same client, in turns, each the first in every other round. (2) No held copy is compared: the healthy sources' time to live is 1 s,
 * between two rounds lies more, and nothing is served meanwhile or only verified. In every answer of either house five drains must have ended, or the benchmark fails. (3) No
 * remembered failure is compared: it is remembered as long as it is by default, 2 s, and rounds are further apart, so that in every answer
 * fifteen sources are asked anew, and refused by their breakers; that is required too. An answer within those 2 s would cost less.
 * (4) Only what opens the breakers is shortened: hanging sources have a timeout of 500 ms, which nobody waits for once nothing is sent to
 * them. The cooldown is longer than the benchmark, for what a trial request costs is another question. (5) Of all answers of either kind
 * the lower quartile counts: what else the machine does only adds to a time, and the fastest one would hide what happens now and then.
 */
async function suspended(sources: readonly Registered[]): Promise<Figure> {
  const settings: Settings = { server: '', source: ({ manner }) => SUSPENDING[manner] };
  const open = (): Promise<Pair> =>
    Promise.all([openWatched(sources, settings), openWatched(sources.filter(isHealthy), settings)]);
  const pairs = await Promise.all(Array.from({ length: PAIRS }, open));
  await breaking(pairs);
  const [all, alone] = await compared(pairs);
  await Promise.all(pairs.flat().map(({ house }) => house.close()));
  const value = quantile(all, 1 / 4) / quantile(alone, 1 / 4);
  return { name: 'answer with 15 of 20 sources suspended, to that of the other 5 alone', value, unit: '×', bound: 1.2 };
}

/** Asks all houses until all breakers are open: those without failing sources too, so that all have done the same. */
async function breaking(pairs: readonly Pair[]): Promise<void> {
  const closed = ([all]: Pair): boolean =>
    (all.counts.get('source suspended') ?? 0) < all.sources.filter((source) => !isHealthy(source)).length;
  for (let asked = 0; pairs.some(closed); asked += 1) {
    if (asked === OPENING) throw new Error('the breakers do not open');
    for (const { house } of pairs.flat()) await ask(urlOf(house));
    await sleep(APART);
  }
}

/** Milliseconds of the answers of either kind of house. */
async function compared(pairs: readonly Pair[]): Promise<[all: number[], alone: number[]]> {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const pair of pairs) {
      for (const which of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
        times[which].push(await timeOf(() => answered(pair[which], SUSPENDED)));
      }
    }
    await sleep(APART);
  }
  return times;
}

function isHealthy({ manner }: Registered): boolean {
  return manner === 'well';
}

/** A house, its sources, and how often its log told what. */
interface Watched {
  readonly house: House;
  readonly sources: readonly Registered[];
  readonly counts: Map<string, number>;
}

/** What a house is configured with, beside its sources. */
interface Settings {
  /** Further keys of `server`. */
  readonly server: string;
  /** Further keys of a source. */
  readonly source: (source: Registered) => string;
}

async function openWatched(sources: readonly Registered[], settings: Settings): Promise<Watched> {
  const counts = new Map<string, number>();
  const count = (_facts: object, message: string): void => {
    counts.set(message, (counts.get(message) ?? 0) + 1);
  };
  const house = await openHouse(configOf(sources, settings), { info: count, warn: count, error: console.error });
  return { house, sources, counts };
}

function configOf(sources: readonly Registered[], { server, source }: Settings): Config {
  const registered = sources.map(
    (one, at) => `  ${codeOf(at + 1)}: { number: ${at + 1}, directory: "http://127.0.0.1:${one.port}"${source(one)} }`,
  );
  return configured([`server: { log: none${server} }`, 'sources:', ...registered]);
}

function urlOf(house: House): string {
  return `${house.address(directory.resource)}?limit=100`;
}

/** One answer, for which every source was asked. Rejects where it tells something else of one than it should, or lacks a record. */
async function answered({ house, sources, counts }: Watched, told: Told): Promise<void> {
  counts.clear();
  const headers = await ask(urlOf(house));
  const status = headers.get('source-status') ?? '';
  const members = new Set(status.split(',').map((member) => member.trim().replace(/;age=\d+$/, '')));
  const missing = sources
    .map(({ manner }, at) => `${codeOf(at + 1)};${told[manner]}`)
    .filter((one) => !members.has(one));
  if (missing.length > 0) throw new Error(`${missing.join()} is not in ${status}`);
  const healthy = sources.filter(isHealthy).length;
  const total = headers.get('x-total-count');
  if (total !== String(healthy * RECORDS)) throw new Error(`${total ?? 'no'} records of ${healthy * RECORDS}`);
  if (counts.get('source drained') !== healthy)
    throw new Error(`drained: ${counts.get('source drained') ?? 0} of ${healthy}`);
  // A source that hangs for longer than the deadline has not failed yet when the answer is given.
  const failed = counts.get('source failed') ?? 0;
  if (told === SUSPENDED && failed !== sources.length - healthy)
    throw new Error(`only ${failed} sources were asked anew`);
}
