import { describe, expect, it } from 'vitest';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import type { BodyParser } from '../../../src/source/body/body-parser.js';
import type { PageResponse, SourceRequest } from '../../../src/source/body/source-fetch-types.js';
import { createLimiter } from '../../../src/source/client/concurrency-limit.js';
import { requirePage } from '../../../src/source/body/read-responses.js';
import { RecordReader } from '../../../src/source/record/record-reader.js';
import { createSourceClient } from '../../../src/source/source-client.js';
import { bodyParser } from '../../support/threads/body-parser.js';
import { moduleFromCode } from '../../support/threads/worker-modules.js';
import { calm, reply, request } from '../client/layers.js';

/** After the dates that are told here. */
const NOW = Date.UTC(2026, 10, 1);

/** What the line of a source makes of a body. */
async function through(
  body: Buffer,
  headers: Record<string, string> = {},
  bodies?: BodyParser,
): Promise<{ reply: PageResponse; told: string[] }> {
  const told: string[] = [];
  const line = createSourceClient({
    transport: () => Promise.resolve(reply(200, headers, body)),
    clock: { now: () => NOW },
    bodyParser: bodies,
    gatewayName: 'rollcall',
    sharedLimit: createLimiter(4),
    sourceLimit: createLimiter(4),
    timeout: 5_000,
    maxBody: 2 ** 30,
    breaker: { failures: 5, cooldown: 1_000, onChange: () => undefined },
    retry: { retries: 0, maxDelay: 0, random: () => 0 },
    onResult: (result) => told.push(result),
  });
  const provenance = {
    sourceName: 'One',
    sourceNumber: 1,
    isAggregate: false,
    codes: ['one'],
    otherCodes: [],
    otherSourceNames: [],
  };
  const as = { recordReader: new RecordReader(directoryTeams, provenance), isItem: false };
  const asked: SourceRequest = { ...request(), expected: as };
  const answer = await line(asked, calm);
  if ('notModified' in answer) throw new Error('a 304');
  return { reply: answer, told };
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

describe('a reply', () => {
  it('is a page with what its body tells, and else its headers', async () => {
    const data = [{ 'short-team-name': 'A' }];
    const headers = { 'x-total-count': '7', 'last-modified': 'Wed, 21 Oct 2026 07:28:00 GMT' };
    const bare = await through(json(data), headers);
    expect(requirePage(bare.reply)).toMatchObject({
      receivedCount: 1,
      total: 7,
      lastModified: Date.UTC(2026, 9, 21, 7, 28),
    });
    const enveloped = await through(json({ total: 9, 'last-modified': '2026-01-01T00:00:00Z', data }), headers);
    expect(requirePage(enveloped.reply)).toMatchObject({
      receivedCount: 1,
      total: 9,
      lastModified: Date.UTC(2026, 0, 1),
    });
  });

  it('has no Last-Modified that is later than the moment at which it was read, and counts that', async () => {
    const data = [{ 'short-team-name': 'A' }];
    const future = 'Fri, 01 Jan 2027 00:00:00 GMT';
    const past = 'Wed, 21 Oct 2026 07:28:00 GMT';
    const counted = { 'future-date (last-modified)': 1 };
    const read = async (body: unknown, header: string): Promise<unknown> => {
      const { lastModified, findings } = requirePage((await through(json(body), { 'last-modified': header })).reply);
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

  it('is no failure of its source to answer where it is something else, and none of its records', async () => {
    const { reply: answer, told } = await through(json({ status: 'ok' }));
    expect(told).toEqual(['ok']);
    expect(() => requirePage(answer)).toThrow('neither a list of records nor an envelope');
  });

  it('is a failure where it cannot be read', async () => {
    await expect(through(Buffer.from('<html>'))).rejects.toMatchObject({ reason: 'body' });
  });

  it('is read in a worker thread where its body has more than 128 KiB, and only then', async () => {
    const page = '{ receivedCount: 7, fingerprint: "", bytes: 0, findings: new Map() }';
    const bodies = bodyParser({ module: moduleFromCode(`export default () => ({ page: ${page} });`) });
    const received = async (bytes: number): Promise<number> =>
      requirePage((await through(Buffer.from('[]'.padEnd(bytes)), {}, bodies)).reply).receivedCount;
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
  ])('is a failure, size, where a large body has %s, with a worker thread and without', async (_what, body) => {
    const bodies = bodyParser();
    for (const parser of [undefined, bodies])
      await expect(through(Buffer.from(body), {}, parser)).rejects.toMatchObject({ reason: 'size' });
    bodies.close();
  });
});
