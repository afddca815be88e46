import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { GatewayResponse } from '../support/gateway/test-gateway.js';
import type { SimulatedWorld } from './simulated-world.js';

/** Answers among which two in a row must have the same validators where nothing changes. */
const MOST_ANSWERS = 6;

/** By what a client asks whether what it has still holds. */
export type ConditionKind = 'tag' | 'date' | 'own clock' | 'nothing';

/** What an answer says: nothing of it may have changed where a 304 stands for it. */
interface Said {
  readonly text: string;
  readonly total: string | null;
  readonly link: string | null;
  readonly states: string;
}

/** An answer that a client has kept. */
interface Stored {
  readonly said: Said;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** When it was asked for, in milliseconds since 1970. */
  readonly asked: number;
}

/** A client that asks for one thing again and again, and keeps what it may. */
export class CachingClient {
  private stored: Stored | undefined;
  /** The date of the last answer that had one, in milliseconds since 1970. */
  private newest = -Infinity;

  constructor(
    private readonly world: SimulatedWorld,
    private readonly target: string,
  ) {}

  /** Asks, and looks at the same moment at what there is: before and after, for a refresh may end in between. */
  async ask(way: ConditionKind): Promise<void> {
    const { stored } = this;
    const before = await this.get({});
    const asked = this.world.clock.now();
    const got = await this.get(isAmbiguous(stored, way, before) ? {} : conditionOf(stored, way));
    const after = await this.get({});
    if (got.status === 304) {
      const truth = [before, after].filter(({ status }) => status === 200).map(said);
      expect(truth, `304 for ${this.target} by ${way}`).toContainEqual(stored?.said);
    }
    const kept = got.status === 200 && got.headers.get('cache-control') !== 'no-store';
    if (kept) this.stored = { said: said(got), asked, ...validatorsOf(got) };
  }

  /**
   * Asks for what has not changed for a while until two answers in a row have the same validators, which a refresh that ends in between may prevent
   * once or twice: the date of the first is then answered with 304.
   */
  async askUnchanged(): Promise<void> {
    let before: GatewayResponse | undefined;
    for (let times = 0; times < MOST_ANSWERS; times += 1) {
      const got = await this.get({});
      if (!isWhole(got)) return;
      const { etag, lastModified } = validatorsOf(got);
      if (before !== undefined && isDeepStrictEqual(validatorsOf(before), { etag, lastModified })) {
        if (lastModified === null) return;
        const { status } = await this.get({ 'if-modified-since': lastModified });
        expect(status, `${this.target}, which has not changed since ${lastModified}`).toBe(304);
        return;
      }
      before = got;
      this.world.clock.advance(2_000);
    }
    expect.fail(`the validators of ${this.target} go on changing, though it does not`);
  }

  private async get(headers: Readonly<Record<string, string>>): Promise<GatewayResponse> {
    const got = await this.world.rollcall.get(this.target, { 'accept-encoding': 'identity', ...headers });
    const date = got.headers.get('last-modified');
    if (got.status !== 200 || date === null) return got;
    const newest = Date.parse(date);
    expect(newest, `Last-Modified of ${this.target} goes back`).toBeGreaterThanOrEqual(this.newest);
    expect(newest, `Last-Modified of ${this.target} is in the future`).toBeLessThanOrEqual(this.world.clock.now());
    this.newest = newest;
    return got;
  }
}

function conditionOf(stored: Stored | undefined, way: ConditionKind): Readonly<Record<string, string>> {
  const { etag, lastModified, asked = 0 } = stored ?? {};
  if (stored === undefined || way === 'nothing') return {};
  if (way === 'own clock') return { 'if-modified-since': new Date(asked).toUTCString() };
  if (way === 'tag') return typeof etag === 'string' ? { 'if-none-match': etag } : {};
  return typeof lastModified === 'string' ? { 'if-modified-since': lastModified } : {};
}

/**
 * A client's own time may by chance be the date of a record that it does not have yet. To the server it is a Last-Modified then, which
 * no server can tell from a time.
 */
function isAmbiguous(stored: Stored | undefined, way: ConditionKind, { headers }: GatewayResponse): boolean {
  if (stored === undefined || way !== 'own clock') return false;
  return new Date(stored.asked).toUTCString() === headers.get('last-modified');
}

/** Whether an answer is complete and of the moment. */
function isWhole({ status, headers }: GatewayResponse): boolean {
  return status === 200 && !/state=(?!fresh|excluded)/.test(headers.get('source-status') ?? '');
}

function validatorsOf({ headers }: GatewayResponse): Pick<Stored, 'etag' | 'lastModified'> {
  return { etag: headers.get('etag'), lastModified: headers.get('last-modified') };
}

function said({ text, headers }: GatewayResponse): Said {
  const status = headers.get('source-status') ?? '';
  return {
    text,
    total: headers.get('x-total-count'),
    link: headers.get('link'),
    states: status.replace(/;(?:records|age)=\d+/g, ''),
  };
}
