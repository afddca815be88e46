import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import type { RawRecord } from '../support/upstream/paged-responses.js';
import * as faulty from '../support/upstream/faulty-responses.js';
import { neverResponds, startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../support/upstream/upstream-server.js';

/** A time during which a source was well; what it gave then is marked with the generation. */
export interface HealthyPeriod {
  readonly generation: number;
  readonly from: number;
  /** Infinity while it lasts. */
  readonly to: number;
}

/** Numbers from 0 up to, not including, 1. */
export type RandomNumber = () => number;

/** Records of each source. */
export const RECORDS = 25;

/** Records that a source is asked for in one request. */
export const PAGE = 10;

/** How long a source is well, and in trouble, at least and at most, in milliseconds. */
const WELL = [2_000, 16_000] as const;
const TROUBLED = [500, 9_000] as const;

/** Spells that are older than this no answer can be of, in milliseconds. */
const FORGOTTEN = 60_000;

const TROUBLES: readonly ((good: RequestHandler) => RequestHandler)[] = [
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

/** A source that dies and returns, and remembers when it was well. */
export class SourceOutages {
  private spells: HealthyPeriod[] = [];
  private generation = 0;
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    readonly code: string,
    readonly upstream: UpstreamServer,
    private readonly random: RandomNumber,
  ) {}

  /** Opens the source, which is well at first. */
  static async open(code: string, random: RandomNumber): Promise<SourceOutages> {
    const outages = new SourceOutages(code, await startUpstream(neverResponds), random);
    outages.heal();
    return outages;
  }

  /** When it was well of late, the current spell included. */
  get known(): readonly HealthyPeriod[] {
    return this.spells;
  }

  async close(): Promise<void> {
    clearTimeout(this.timer);
    await this.upstream.close();
  }

  private heal(): void {
    const now = Date.now();
    this.generation += 1;
    const lastModified = new Date(now).toUTCString();
    // Without its date nobody could tell that a drain met two generations: total and pages are the same.
    this.upstream.handler = directoryUpstream(recordsOf(this.code, this.generation), {
      lastModified: () => lastModified,
    });
    this.spells = this.spells.filter(({ to }) => to > now - FORGOTTEN);
    this.spells.push({ generation: this.generation, from: now, to: Infinity });
    this.after(WELL, () => this.fall());
  }

  private fall(): void {
    const trouble = TROUBLES[Math.floor(this.random() * TROUBLES.length)] ?? TROUBLES[0];
    if (trouble !== undefined) this.upstream.handler = trouble(this.upstream.handler);
    this.spells = this.spells.map((spell) => (spell.to === Infinity ? { ...spell, to: Date.now() } : spell));
    this.upstream.forget();
    this.after(TROUBLED, () => this.heal());
  }

  private after([least, most]: readonly [number, number], change: () => void): void {
    this.timer = setTimeout(change, least + this.random() * (most - least));
  }
}

/** Names of a source's records, in their order. */
export function namesOf(code: string): readonly string[] {
  return Array.from({ length: RECORDS }, (_, at) => `${code} ${String(at).padStart(2, '0')}`);
}

function recordsOf(code: string, generation: number): readonly RawRecord[] {
  return namesOf(code).map((name) => ({ 'short-team-name': name, host: `generation ${generation}` }));
}

/** The same numbers for the same seed (mulberry32). */
export function seededRandom(seed: number): RandomNumber {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
