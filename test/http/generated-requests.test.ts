import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ResponseCache } from '../../src/http/cache/response-cache.js';
import { startCaseGateway } from '../support/gateway/case-gateway.js';
import type { RunningCaseGateway } from '../support/gateway/case-gateway.js';
import { RawConnection } from '../support/http/raw-connection.js';
import type { RawResponse, RawRequest } from '../support/http/raw-http.js';
import { generatedRuns } from '../support/generated-runs.js';

/** Requests of one run, each sent three times: 51,000 requests in the long run. */
const PIPELINED = 10;

/** A header field whose only effect is to bypass the response cache. */
const BYPASS_CACHE = 'Cache-Control: no-transform';

const NOW = Date.parse('2026-06-01T12:00:00.250Z');
const trySend = vi.spyOn(ResponseCache.prototype, 'trySend');

let caseGateway: RunningCaseGateway;
/** Entity tags of earlier responses. */
const tags = new Set<string>();
let cachedCount = 0;

beforeAll(async () => {
  // The clock does not advance: ages and times to live are equal in all responses.
  caseGateway = await startCaseGateway('two', { now: () => NOW });
  // Fills the snapshots, so that no later response waits for a source.
  const targets = ['/directory/v1/teams', '/data/v1/teams', '/data/v1/teams?scope=pgp'];
  await oneByOne(targets.map((target) => ({ method: 'GET', target, headers: [] })));
});

afterAll(async () => {
  await caseGateway.close();
});

/** Spellings of the same few queries, and of some that are refused. */
const parameter = fc.constantFrom(
  ...['q=cert', 'q=CERT', 'q=%63ert', 'q=c%C3%A9rt', 'country=no', 'country=NO', 'region=Europe', 'region=europe'],
  ...[
    'limit=2',
    'limit=02',
    'offset=1',
    'sort=-short-team-name',
    'sort=short-team-name',
    'envelope=1',
    'envelope=true',
  ],
  ...['envelope=0', 'pretty=0', 'pretty=false', 'fields=short-team-name', 'fields=short-team-name,%20country-code'],
  ...['callback=show', '_=1', '_=2', 'limit=', 'limit=x', 'contry=NO', 'limit=1'],
);
const target = fc
  .record({
    path: fc.constantFrom('/directory/v1/teams', '/data/v1/teams'),
    extension: fc.constantFrom('', '', '', '.json', '.yml', '.xml', '.csv', '.xlsx'),
    parameters: fc.array(parameter, { maxLength: 4 }),
  })
  .map(
    ({ path, extension, parameters }) =>
      `${path}${extension}${parameters.length > 0 ? '?' : ''}${parameters.join('&')}`,
  );

const header = fc.oneof(
  fc.constantFrom('Accept: */*', 'Accept: application/xml', 'Accept: text/csv;q=0.5, text/yaml', 'Accept: text/html'),
  fc.constantFrom('Accept-Encoding: gzip', 'Accept-Encoding: br, gzip', 'Accept-Encoding: identity;q=0, gzip;q=0.1'),
  fc.constantFrom('If-None-Match: *', 'If-None-Match: "none"', 'If-Match: "none"', 'X-Other: 1', 'Cookie: a=b'),
  fc.constantFrom(
    'If-Modified-Since: Thu, 01 Jan 2026 00:00:00 GMT',
    'If-Modified-Since: yesterday',
    'Range: bytes=0-1',
  ),
  fc.constantFrom('Prefer: handling=strict', 'Prefer: handling=lenient', 'Origin: https://page.example.org'),
  fc.nat().map((at) => `If-None-Match: ${[...tags][at % Math.max(1, tags.size)] ?? '"none"'}`),
);
const request: fc.Arbitrary<RawRequest> = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'OPTIONS', 'POST'),
  target,
  headers: fc.uniqueArray(header, { maxLength: 3, selector: (line) => line.replace(/:.*/, '') }),
});

function comparable({ status, headers, body }: RawResponse): unknown {
  return {
    status,
    headers: [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id'),
    body: body.toString('latin1'),
  };
}

/** Sends requests one after the other, on one connection as long as it stays open. */
async function oneByOne(requests: readonly RawRequest[]): Promise<readonly RawResponse[]> {
  const replies: RawResponse[] = [];
  let connection = await RawConnection.open(caseGateway.port);
  for (const one of requests) {
    if (connection.isClosed) connection = await RawConnection.open(caseGateway.port);
    replies.push(...(await connection.exchange([one])));
  }
  connection.close();
  return replies;
}

describe('random requests, in random pieces', () => {
  it('get the same responses with and without the response cache', async () => {
    const property = fc.asyncProperty(
      fc.array(request, { minLength: PIPELINED, maxLength: PIPELINED, size: 'max' }),
      fc.uniqueArray(fc.nat({ max: 4_000 }), { maxLength: 6 }),
      async (requests, split) => {
        const computed = await oneByOne(requests.map((one) => ({ ...one, headers: [...one.headers, BYPASS_CACHE] })));
        for (const { headers } of computed) if (tags.size < 200) tags.add(headers.get('etag') ?? '*');
        const cached = await oneByOne(requests);
        const connection = await RawConnection.open(caseGateway.port);
        trySend.mockClear();
        const pipelined = await connection.exchange(
          requests,
          split.toSorted((a, b) => a - b),
        );
        cachedCount += trySend.mock.results.filter(({ value }) => value === true).length;
        connection.close();
        expect(cached.map(comparable)).toEqual(computed.map(comparable));
        expect(pipelined.map(comparable)).toEqual(computed.map(comparable));
      },
    );
    await fc.assert(property, { numRuns: generatedRuns({ usual: 30, long: 1_700 }) });
    // Most requests are plain GETs of a few queries.
    expect(cachedCount).toBeGreaterThan(50);
  });
});
