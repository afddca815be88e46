import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { GatewayResponse } from '../support/gateway/test-gateway.js';
import type { SimulatedWorld } from './simulated-world.js';

/** Number of responses within which two in a row must have the same validators if nothing changes. */
const MAX_RESPONSES = 6;

/** The validator of a conditional request; `own clock` is the time at which the client requested its stored response. */
export type ConditionKind = 'tag' | 'date' | 'own clock' | 'nothing';

/** The content of a response. A 304 is correct only if all of it is unchanged. */
interface Content {
  readonly text: string;
  readonly total: string | null;
  link: string | null;
  readonly states: string;
}

/** A response that a client has stored. */
interface Stored {
  readonly content: Content;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Time of the request in milliseconds since 1970. */
  readonly requestedAt: number;
}

/** A client that requests one target repeatedly, stores cacheable responses, and checks every 304, and that every Last-Modified has one content. */
export class CachingClient {
  private stored: Stored | undefined;
  /** The most recent Last-Modified, in milliseconds since 1970. */
  private newest = -Infinity;
  /** The content of complete responses, by their Last-Modified. */
  private readonly contents = new Map<string, Content>();

  constructor(
    private readonly world: SimulatedWorld,
    private readonly target: string,
  ) {}

  /**
   * Sends a conditional request. If the response is 304, the stored response must equal the response to an unconditional request
   * sent immediately before or after it; both are allowed, because a refresh may end in between.
   */
  async requestConditionally(condition: ConditionKind): Promise<void> {
    const { stored } = this;
    const before = await this.get({});
    const requestedAt = this.world.clock.now();
    const response = await this.get(isAmbiguous(stored, condition, before) ? {} : conditionOf(stored, condition));
    const after = await this.get({});
    if (response.status === 304 && stored !== undefined) {
      // The fields of a 304 replace those of the stored response (RFC 9111, section 3.2).
      stored.content.link = response.headers.get('link');
      const current = [before, after].filter(({ status }) => status === 200).map(contentOf);
      expect(current, `304 for ${this.target} by ${condition}`).toContainEqual(stored.content);
    }
    const isCacheable = response.status === 200 && response.headers.get('cache-control') !== 'no-store';
    if (isCacheable) this.stored = { content: contentOf(response), requestedAt, ...validatorsOf(response) };
  }

  /** As a client without a cache. */
  forget(): void {
    this.stored = undefined;
    this.newest = -Infinity;
    this.contents.clear();
  }

  /** The next date may be an earlier one. */
  allowEarlierDates(): void {
    this.newest = -Infinity;
  }

  /**
   * Requires a 304 for a target that has not changed for a while: sends requests until two successive responses have the same
   * validators, and then a request with their Last-Modified. A refresh that ends between two requests may change the validators
   * once or twice.
   */
  async expectNotModified(): Promise<void> {
    let before: GatewayResponse | undefined;
    for (let times = 0; times < MAX_RESPONSES; times += 1) {
      const response = await this.get({});
      if (!isComplete(response)) return;
      const { etag, lastModified } = validatorsOf(response);
      if (before !== undefined && isDeepStrictEqual(validatorsOf(before), { etag, lastModified })) {
        if (lastModified === null) return;
        const { status } = await this.get({ 'if-modified-since': lastModified });
        expect(status, `${this.target}, which has not changed since ${lastModified}`).toBe(304);
        return;
      }
      before = response;
      this.world.clock.advance(2_000);
    }
    expect.fail(`the validators of ${this.target} change repeatedly although its content is unchanged`);
  }

  private async get(headers: Readonly<Record<string, string>>): Promise<GatewayResponse> {
    const { world, target } = this;
    const response = await world.rollcall.get(target, { 'accept-encoding': 'identity', ...headers });
    this.newest = this.checkDate(response, this.newest);
    return response;
  }

  /** Checks the Last-Modified of a response, and that no complete one had it with other content. Returns it in milliseconds since 1970, or the one before where there is none. */
  private checkDate(response: GatewayResponse, previous: number): number {
    const { status, headers } = response;
    const date = headers.get('last-modified');
    if (status !== 200 || date === null) return previous;
    const { target, world } = this;
    if (isComplete(response)) {
      const known = this.contents.get(date) ?? contentOf(response);
      expect(contentOf(response), `content of ${target} of ${date}`).toEqual(known);
      this.contents.set(date, known);
    }
    const time = Date.parse(date);
    expect(time, `Last-Modified of ${target} goes back`).toBeGreaterThanOrEqual(previous);
    expect(time, `Last-Modified of ${target} is in the future`).toBeLessThanOrEqual(world.clock.now());
    return time;
  }
}

function conditionOf(stored: Stored | undefined, condition: ConditionKind): Readonly<Record<string, string>> {
  const { etag, lastModified, requestedAt = 0 } = stored ?? {};
  if (stored === undefined || condition === 'nothing') return {};
  if (condition === 'own clock') return { 'if-modified-since': new Date(requestedAt).toUTCString() };
  if (condition === 'tag') return typeof etag === 'string' ? { 'if-none-match': etag } : {};
  return typeof lastModified === 'string' ? { 'if-modified-since': lastModified } : {};
}

/**
 * Whether the client's own time equals the current Last-Modified by chance. The server then takes it for a Last-Modified that it has
 * sent, although the client may not have the record with this date; no server can distinguish the two.
 */
function isAmbiguous(stored: Stored | undefined, condition: ConditionKind, { headers }: GatewayResponse): boolean {
  if (stored === undefined || condition !== 'own clock') return false;
  return new Date(stored.requestedAt).toUTCString() === headers.get('last-modified');
}

/** Whether a response is complete and fresh. */
function isComplete({ status, headers }: GatewayResponse): boolean {
  return status === 200 && !/state=(?!fresh|excluded)/.test(headers.get('source-status') ?? '');
}

function validatorsOf({ headers }: GatewayResponse): Pick<Stored, 'etag' | 'lastModified'> {
  return { etag: headers.get('etag'), lastModified: headers.get('last-modified') };
}

function contentOf({ text, headers }: GatewayResponse): Content {
  const status = headers.get('source-status') ?? '';
  return {
    text,
    total: headers.get('x-total-count'),
    link: headers.get('link'),
    states: status.replace(/;(?:records|age)=\d+/g, ''),
  };
}
