import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import type { RawRecord } from '../support/upstream/paged-responses.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import { neverResponds, startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../support/upstream/upstream-server.js';

/** A period during which a source was healthy; its records in this period carry the generation. */
export interface HealthyPeriod {
  readonly generation: number;
  readonly from: number;
  /** Infinity for the current period. */
  readonly to: number;
}

/** Returns numbers from 0 inclusive to 1 exclusive. */
export type RandomNumber = () => number;

/** Number of records of each source. */
export const RECORDS = 25;

/** Page size: number of records that Rollcall requests at a time. */
export const PAGE = 10;

/** Minimum and maximum duration of a healthy period and of an outage, in milliseconds. */
const HEALTHY = [2_000, 16_000] as const;
const OUTAGE = [500, 9_000] as const;

/** Milliseconds after the end of a healthy period from which no response can contain its records. */
const RETENTION = 60_000;

const OUTAGES: readonly ((good: RequestHandler) => RequestHandler)[] = [
  () => neverResponds,
  () => faulty.resetConnection,
  () => faulty.halfBody,
  () => faulty.dripBytes,
  () => faulty.status(500),
  () => faulty.status(503, { 'Retry-After': '0' }),
  () => faulty.status(403),
  () => faulty.body('<!doctype html>'),
  () => faulty.body('{"status":"error","data":[]}'),
  () => faulty.endlessBody,
  () => faulty.decompressionBomb('gzip', 1),
  (good) => faulty.when(faulty.atOffset(PAGE), faulty.status(502), good),
];

/** A source that fails and recovers at random, and records its healthy periods. */
export class SourceOutages {
  private periods: HealthyPeriod[] = [];
  private generation = 0;
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    readonly code: string,
    readonly upstream: UpstreamServer,
    private readonly random: RandomNumber,
  ) {}

  /** Starts the source, which is healthy at first. */
  static async open(code: string, random: RandomNumber): Promise<SourceOutages> {
    const outages = new SourceOutages(code, await startUpstream(neverResponds), random);
    outages.recover();
    return outages;
  }

  /** Recent healthy periods, including the current one. */
  get healthyPeriods(): readonly HealthyPeriod[] {
    return this.periods;
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.upstream.close();
  }

  private recover(): void {
    const now = Date.now();
    this.generation += 1;
    const lastModified = new Date(now).toUTCString();
    // Only Last-Modified shows that a drain read two generations: their totals and page sizes are equal.
    this.upstream.handler = directoryUpstream(recordsOf(this.code, this.generation), {
      lastModified: () => lastModified,
    });
    this.periods = this.periods.filter(({ to }) => to > now - RETENTION);
    this.periods.push({ generation: this.generation, from: now, to: Infinity });
    this.after(HEALTHY, () => this.fail());
  }

  private fail(): void {
    const outage = OUTAGES[Math.floor(this.random() * OUTAGES.length)] ?? OUTAGES[0];
    if (outage !== undefined) this.upstream.handler = outage(this.upstream.handler);
    this.periods = this.periods.map((period) => (period.to === Infinity ? { ...period, to: Date.now() } : period));
    this.upstream.forget();
    this.after(OUTAGE, () => this.recover());
  }

  private after([least, most]: readonly [number, number], change: () => void): void {
    this.timer = setTimeout(change, least + this.random() * (most - least));
  }
}

/** Names of the records of a source, in list order. */
export function namesOf(code: string): readonly string[] {
  return Array.from({ length: RECORDS }, (_, at) => `${code} ${String(at).padStart(2, '0')}`);
}

function recordsOf(code: string, generation: number): readonly RawRecord[] {
  return namesOf(code).map((name) => ({ 'short-team-name': name, host: `generation ${generation}` }));
}

/** A random number generator that returns the same numbers for the same seed (mulberry32). */
export function seededRandom(seed: number): RandomNumber {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
