import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/model/clock.js';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import type { BodyParser } from '../../../src/source/body/body-parser.js';
import type { PageResponse, SourceRequest } from '../../../src/source/body/source-fetch-types.js';
import { CircuitBreaker } from '../../../src/source/client/circuit-breaker.js';
import { createLimiter } from '../../../src/source/client/concurrency-limit.js';
import { requirePage } from '../../../src/source/body/read-responses.js';
import { createExpectedBody } from '../../../src/source/body/parse-page-body.js';
import { RecordReader } from '../../../src/source/record/record-reader.js';
import { createSourceClient } from '../../../src/source/source-client.js';
import { bodyParser } from '../../support/gateway/threads/body-parser.js';
import { moduleFromCode } from '../../support/gateway/threads/worker-modules.js';
import { calm, reply, request } from '../client/layers.js';

/** Time of reading; later than most dates in these tests. */
const NOW = Date.UTC(2026, 10, 1);

/** Sends a body through the complete client of a source. */
async function fetchThroughClient(
  body: Buffer,
  headers: Record<string, string> = {},
  bodies?: BodyParser,
): Promise<{ reply: PageResponse; results: string[] }> {
  const results: string[] = [];
  const breaker = new CircuitBreaker({ failures: 5, cooldown: 1_000, onChange: () => undefined, clock: systemClock });
  const client = createSourceClient({
    transport: () => Promise.resolve(reply(200, headers, body)),
    clock: { now: () => NOW },
    bodyParser: bodies,
    gatewayName: 'rollcall',
    sharedLimit: createLimiter(4),
    sourceLimit: createLimiter(4),
    timeout: 5_000,
    maxBody: 2 ** 30,
    breakers: { of: () => breaker },
    retry: { retries: 0, maxDelay: 0, random: () => 0 },
    reports: {
      code: 'one',
      publish: (event) => {
        if (event.type === 'request sent') results.push(event.result);
      },
    },
  });
  const provenance = {
    sourceName: 'One',
    sourceNumber: 1,
    isAggregate: false,
    codes: ['one'],
    registeredCodes: [],
    otherSourceNames: [],
  };
  const expected = createExpectedBody(
    new RecordReader(directoryTeams, provenance),
    { kind: 'list' },
    'application/json',
  );
  const sourceRequest: SourceRequest = { ...request(), expected };
  const response = await client(sourceRequest, calm);
  if ('notModified' in response) throw new Error('a 304');
  return { reply: response, results };
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

describe('response of a source', () => {
  it('becomes a page with the metadata of the envelope, or else of the header fields', async () => {
    const data = [{ 'short-team-name': 'A' }];
    const headers = { 'x-total-count': '7', 'last-modified': 'Wed, 21 Oct 2026 07:28:00 GMT' };
    const bare = await fetchThroughClient(json(data), headers);
    expect(requirePage(bare.reply)).toMatchObject({
      receivedCount: 1,
      total: 7,
      lastModified: Date.UTC(2026, 9, 21, 7, 28),
    });
    const enveloped = await fetchThroughClient(
      json({ total: 9, 'last-modified': '2026-01-01T00:00:00Z', data }),
      headers,
    );
    expect(requirePage(enveloped.reply)).toMatchObject({
      receivedCount: 1,
      total: 9,
      lastModified: Date.UTC(2026, 0, 1),
    });
  });

  it('loses a Last-Modified later than the time of reading, and counts a finding', async () => {
    const data = [{ 'short-team-name': 'A' }];
    const future = 'Fri, 01 Jan 2027 00:00:00 GMT';
    const past = 'Wed, 21 Oct 2026 07:28:00 GMT';
    const counted = { 'future-date (last-modified)': 1 };
    const read = async (body: unknown, header: string): Promise<unknown> => {
      const { lastModified, findings } = requirePage(
        (await fetchThroughClient(json(body), { 'last-modified': header })).reply,
      );
      return { lastModified, findings: Object.fromEntries(findings) };
    };
    expect(await read(data, future)).toEqual({ lastModified: undefined, findings: counted });
    expect(await read({ 'last-modified': future, data }, past)).toEqual({
      lastModified: Date.UTC(2026, 9, 21, 7, 28),
      findings: counted,
    });
    expect(await read({ 'last-modified': past, data }, past)).toEqual({
      lastModified: Date.UTC(2026, 9, 21, 7, 28),
      findings: {},
    });
  });

  it('counts as a successful request but fails as a page where it is neither a list nor an envelope', async () => {
    const { reply: response, results } = await fetchThroughClient(json({ status: 'ok' }));
    expect(results).toEqual(['ok']);
    expect(() => requirePage(response)).toThrow('neither a list of records nor an envelope');
  });

  it('fails with reason body where it is not JSON', async () => {
    await expect(fetchThroughClient(Buffer.from('<html>'))).rejects.toMatchObject({ reason: 'body' });
  });

  it('is parsed in a worker thread only where its body is larger than 128 KiB', async () => {
    const page = '{ receivedCount: 7, fingerprint: "", bytes: 0, findings: new Map() }';
    const bodies = bodyParser({ module: moduleFromCode(`export default () => ({ page: ${page} });`) });
    const received = async (bytes: number): Promise<number> =>
      requirePage((await fetchThroughClient(Buffer.from('[]'.padEnd(bytes)), {}, bodies)).reply).receivedCount;
    expect(await received(128 * 1024)).toBe(0);
    expect(await received(128 * 1024 + 1)).toBe(7);
    bodies.close();
  });

  const lists = (count: number): Buffer =>
    json([{ 'short-team-name': 'A', host: Array.from({ length: count }, () => 'x'.repeat(9)) }]);

  it.each([
    ['a record of more than 20,000 values', lists(20_001)],
    ['nesting of more than 20,000 lists', Buffer.from('['.repeat(200_000))],
    ['more than a million values', Buffer.from(`[${'[[]],'.repeat(400_000)}0]`)],
  ])('fails with reason size where a large body has %s, with and without a worker thread', async (_what, body) => {
    const bodies = bodyParser();
    for (const parser of [undefined, bodies])
      await expect(fetchThroughClient(Buffer.from(body), {}, parser)).rejects.toMatchObject({ reason: 'size' });
    bodies.close();
  });
});
