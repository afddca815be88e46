import { readFileSync, readdirSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { ResponseCache } from '../../src/http/cache/response-cache.js';
import { fillPlaceholders, readCase } from '../support/cases/case-file.js';
import type { Exchange } from '../support/cases/case-file.js';
import { startCaseGateway } from '../support/gateway/case-gateway.js';
import { rawRequest, rawRequests } from '../support/http/raw-http.js';
import type { RawResponse } from '../support/http/raw-http.js';

const folder = new URL('../cases/', import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith('.http'));

/** A header field that bypasses the response cache and does not change the response. */
const BYPASS = 'Cache-Control: no-transform';

const send = vi.spyOn(ResponseCache.prototype, 'trySend');
let cacheHits = 0;

afterEach(() => {
  cacheHits += send.mock.results.filter(({ value }) => value === true).length;
  send.mockClear();
});

/** All parts of a response except Date and the id of the request. */
function comparable({ status, headers, body }: RawResponse): unknown {
  const [...lines] = headers;
  return {
    status,
    headers: lines.filter(([name]) => name !== 'date' && name !== 'x-request-id'),
    body: body.toString('latin1'),
  };
}

/** Compares a response from the response cache with one that bypasses it, at the same time. Does nothing if the response is not cached. */
async function compare(port: number, exchange: Exchange): Promise<void> {
  const first = comparable(await rawRequest(port, exchange));
  if (send.mock.results.at(-1)?.value !== true) return;
  const repeated = await rawRequests(port, exchange, 3);
  const uncached = await rawRequest(port, { ...exchange, headers: [...exchange.headers, BYPASS] });
  expect(send.mock.results.at(-1)?.value).toBe(false);
  // A background fetch may have ended in between; then the comparison starts again.
  if (!isDeepStrictEqual(first, comparable(await rawRequest(port, exchange)))) return compare(port, exchange);
  for (const cached of [first, ...repeated.map(comparable)]) {
    expect(cached, exchange.target.slice(0, 200)).toEqual(comparable(uncached));
  }
}

describe('response cache', () => {
  it.each(files)(
    'returns the same status, header fields and bytes as without the cache in the case %s',
    async (file) => {
      const { fleet, exchanges } = readCase(readFileSync(new URL(file, folder), 'utf8'));
      let now = Date.parse('2026-06-01T12:00:00.250Z');
      const responses: RawResponse[] = [];
      const running = await startCaseGateway(fleet, { now: () => now });
      try {
        for (const written of exchanges) {
          const exchange = { ...written, headers: written.headers.map((line) => fillPlaceholders(line, responses)) };
          now += exchange.later;
          responses.push(await rawRequest(running.port, exchange));
          await compare(running.port, exchange);
          // Age and the remaining time to live have changed.
          now += 1_700;
          await compare(running.port, exchange);
          now -= 1_700;
        }
      } finally {
        await running.close();
      }
    },
  );

  afterAll(() => {
    // Most cases have complete responses, which are compared with and without a clock advance.
    expect(cacheHits).toBeGreaterThan(files.length);
  });
});
