import type { Config } from '../src/config/config.js';
import type { Log } from '../src/model/log.js';
import { ask, configured, openHouse } from './house.js';
import { cpuOf, median } from './measure.js';
import type { Figure } from './measure.js';
import { codeOf, listingsOf, pagesOf, RECORDS } from './pages.js';
import { subjects } from './subjects/all.js';
import type { FirstAsked, Subject } from './subjects/subject.js';
import { withUpstreams } from './upstreams.js';

const SOURCES = 20;
const ROUNDS = 5;
const WARM_UP = 2;

/** One figure: what is asked after the drain, if anything, and what it is compared with. */
interface Case {
  readonly name: string;
  readonly asked?: FirstAsked;
  readonly baseline: () => unknown;
  readonly bound?: number;
}

const quiet: Log = { info: () => undefined, warn: console.warn, error: console.error };

/**
 * Draining 20 sources of 1,000 records over loopback sockets, all included (wire, decoding, parsing, building, ids, then folding
 * where a query needs it): CPU of this process against that of JSON.parse over the same bodies.
 */
export async function drain(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const subject of subjects) {
    const bodies = bodiesOf(subject);
    figures.push(...(await drainFrom(subject, 'identity', plain(subject, bodies))));
    figures.push(...(await drainFrom(subject, 'gzip', [parsing(subject, 'drain, bodies in gzip', bodies)])));
  }
  return figures;
}

function plain(subject: Subject, bodies: readonly Buffer[]): readonly Case[] {
  const texts = bodies.map((body) => body.toString());
  return [
    parsing(subject, 'drain', bodies),
    ...subject.firstAsked.map((asked) => {
      const fetched = asked.channel === undefined ? bodies : bodiesOf(subject, asked.channel);
      return { ...parsing(subject, `drain, then ${asked.name}`, fetched), asked };
    }),
    {
      name: `${subject.title}drain, to JSON.parse of text that is at hand, its results dropped`,
      baseline: () => texts.forEach((text) => void JSON.parse(text)),
    },
  ];
}

/** The baseline is what a gateway without any work of its own would do: bodies are bytes, and what is in them is held. */
function parsing({ title }: Subject, name: string, bodies: readonly Buffer[]): Case {
  const baseline = (): unknown[] => bodies.map((body): unknown => JSON.parse(body.toString()));
  return { name: `${title}${name}, to JSON.parse`, baseline, bound: 5 };
}

/** All that is fetched in a drain, the items of one channel with it where they are asked for. */
function bodiesOf(subject: Subject, channel?: string): readonly Buffer[] {
  const listings = Array.from({ length: SOURCES }, (_, at) => listingsOf(subject, at + 1)).flat();
  const fetched = listings.filter((listing) => listing.channel === undefined || listing.channel === channel);
  return fetched.flatMap((listing) => pagesOf(subject, listing).map((page) => Buffer.from(page)));
}

function drainFrom(subject: Subject, coding: 'identity' | 'gzip', cases: readonly Case[]): Promise<Figure[]> {
  const manners = Array.from({ length: SOURCES }, () => 'well' as const);
  return withUpstreams({ subject, coding, manners }, async (ports) => {
    const config = configOf(subject, ports);
    const figures: Figure[] = [];
    for (const one of cases) figures.push(await measured(subject, config, one));
    return figures;
  });
}

function configOf({ registered }: Subject, ports: readonly number[]): Config {
  const sources = ports.map(
    (port, at) => `  ${codeOf(at + 1)}: { number: ${at + 1}, ${registered(`http://127.0.0.1:${port}`)} }`,
  );
  return configured(['server: { log: none }', 'sources:', ...sources]);
}

/** Parsing and draining take turns, so that both meet the machine in the same moods. */
async function measured(subject: Subject, config: Config, { asked, baseline, ...facts }: Case): Promise<Figure> {
  const parsing: number[] = [];
  const draining: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    parsing.push(await cpuOf(baseline));
    draining.push(await drainOnce(subject, config, asked));
  }
  return { ...facts, value: median(draining.slice(WARM_UP)) / median(parsing.slice(WARM_UP)), unit: '×' };
}

/** Milliseconds of CPU. The house is new each time: every connection is opened, nothing is held. */
async function drainOnce({ resource }: Subject, config: Config, asked: FirstAsked | undefined): Promise<number> {
  const house = await openHouse(config, quiet);
  const cpu = await cpuOf(async () => {
    await house.app.warmUp();
    if (asked !== undefined) requireFresh(await ask(`${house.address(asked.resource ?? resource)}?${asked.query}`));
  });
  await requireAll(`${house.address(resource)}?limit=0`);
  await house.close();
  return cpu;
}

/** A drain that lost records would be fast for nothing. */
async function requireAll(url: string): Promise<void> {
  const headers = await ask(url);
  requireFresh(headers);
  const total = headers.get('x-total-count');
  if (total !== String(SOURCES * RECORDS)) throw new Error(`${total ?? 'no'} records of ${SOURCES * RECORDS} drained`);
}

function requireFresh(headers: Headers): void {
  const status = headers.get('source-status') ?? '';
  if (!status.includes('state=fresh') || /state=(?!fresh)/.test(status)) throw new Error(`not complete: ${status}`);
}
