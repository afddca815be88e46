import { readFileSync, readdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { ResponseCache } from '../../src/http/cache/response-cache.js';
import { fillPlaceholders, readCase } from '../support/cases/case-file.js';
import type { Exchange } from '../support/cases/case-file.js';
import { startCaseGateway } from '../support/cases/case-gateway.js';
import { rawRequest, rawRequests } from '../support/http/raw-http.js';
import type { RawResponse } from '../support/http/raw-http.js';

const folder = new URL('../cases/', import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith('.http'));

/** Headers of requests that are never answered the short way, and change nothing. */
const LONG_WAY = 'Cache-Control: no-transform';

const send = vi.spyOn(ResponseCache.prototype, 'trySend');
let short = 0;

afterEach(() => {
  short += send.mock.results.filter(({ value }) => value === true).length;
  send.mockClear();
});

/** All of an answer but the time at which it was sent. */
function comparable({ status, headers, body }: RawResponse): unknown {
  const [...lines] = headers;
  return { status, headers: lines.filter(([name]) => name !== 'date'), body: body.toString('latin1') };
}

/** Compares what was sent the short way with what the long way gives at the same time; what goes the long way anyhow may ask its sources. */
async function compare(port: number, exchange: Exchange): Promise<void> {
  const again = comparable(await rawRequest(port, exchange));
  if (send.mock.results.at(-1)?.value !== true) return;
  const thrice = await rawRequests(port, exchange, 3);
  const long = await rawRequest(port, { ...exchange, headers: [...exchange.headers, LONG_WAY] });
  expect(send.mock.results.at(-1)?.value).toBe(false);
  // What was being fetched may have come in between.
  if (!isDeepStrictEqual(again, comparable(await rawRequest(port, exchange)))) return compare(port, exchange);
  for (const reply of [again, ...thrice.map(comparable)]) {
    expect(reply, exchange.target.slice(0, 200)).toEqual(comparable(long));
  }
}

describe('the short way gives the same status, headers and bytes as the long way', () => {
  it.each(files)('in the case %s', async (file) => {
    const { fleet, exchanges } = readCase(readFileSync(new URL(file, folder), 'utf8'));
    let now = Date.parse('2026-06-01T12:00:00.250Z');
    const replies: RawResponse[] = [];
    const running = await startCaseGateway(fleet, { now: () => now });
    try {
      for (const written of exchanges) {
        const exchange = { ...written, headers: written.headers.map((line) => fillPlaceholders(line, replies)) };
        now += exchange.later;
        replies.push(await rawRequest(running.port, exchange));
        await compare(running.port, exchange);
        // Ages and what is left of the time to live are told anew.
        now += 1_700;
        await compare(running.port, exchange);
        now -= 1_700;
      }
    } finally {
      await running.close();
    }
  });

  afterAll(() => {
    // Most cases ask for complete answers, once with and once without time passing.
    expect(short).toBeGreaterThan(files.length);
  });
});
