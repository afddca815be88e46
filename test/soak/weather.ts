import { directory } from '../support/directory-upstream.js';
import type { Raw } from '../support/paging.js';
import * as mischief from '../support/mischief.js';
import { hangs, openUpstream } from '../support/upstream.js';
import type { Answering, Upstream } from '../support/upstream.js';

/** A time during which a source was well; what it gave then is marked with the generation. */
export interface Spell {
  readonly generation: number;
  readonly from: number;
  /** Infinity while it lasts. */
  readonly to: number;
}

/** Numbers from 0 up to, not including, 1. */
export type Random = () => number;

/** Records of each source. */
export const RECORDS = 25;

/** Records that a source is asked for in one request. */
export const PAGE = 10;

/** How long a source is well, and in trouble, at least and at most, in milliseconds. */
const WELL = [2_000, 16_000] as const;
const TROUBLED = [500, 9_000] as const;

/** Spells that are older than this no answer can be of, in milliseconds. */
const FORGOTTEN = 60_000;

const TROUBLES: readonly ((good: Answering) => Answering)[] = [
  () => hangs,
  () => mischief.resets,
  () => mischief.halfBody,
  () => mischief.drips,
  () => mischief.status(500),
  () => mischief.status(503, { 'Retry-After': '0' }),
  () => mischief.status(403),
  () => mischief.body('<!doctype html>'),
  () => mischief.body('{"status":"error","data":[]}'),
  () => mischief.endless,
  () => mischief.bomb('gzip', 1),
  (good) => mischief.when(mischief.atOffset(PAGE), mischief.status(502), good),
];

/** A source that dies and returns, and remembers when it was well. */
export class Weather {
  private spells: Spell[] = [];
  private generation = 0;
  private timer: NodeJS.Timeout | undefined;

  private constructor(
    readonly code: string,
    readonly upstream: Upstream,
    private readonly random: Random,
  ) {}

  /** Opens the source, which is well at first. */
  static async open(code: string, random: Random): Promise<Weather> {
    const weather = new Weather(code, await openUpstream(hangs), random);
    weather.heal();
    return weather;
  }

  /** When it was well of late, the current spell included. */
  get known(): readonly Spell[] {
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
    this.upstream.answering = directory(recordsOf(this.code, this.generation), { lastModified: () => lastModified });
    this.spells = this.spells.filter(({ to }) => to > now - FORGOTTEN);
    this.spells.push({ generation: this.generation, from: now, to: Infinity });
    this.after(WELL, () => this.fall());
  }

  private fall(): void {
    const trouble = TROUBLES[Math.floor(this.random() * TROUBLES.length)] ?? TROUBLES[0];
    if (trouble !== undefined) this.upstream.answering = trouble(this.upstream.answering);
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

function recordsOf(code: string, generation: number): readonly Raw[] {
  return namesOf(code).map((name) => ({ 'short-team-name': name, host: `generation ${generation}` }));
}

/** The same numbers for the same seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
