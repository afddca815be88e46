import { describe, expect, it } from 'vitest';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import type { BodyParser } from '../../src/source/body-parser.js';
import type { PageReply, SourceRequest } from '../../src/source/fetch.js';
import { limiter } from '../../src/source/limit.js';
import { pageOf } from '../../src/source/read-replies.js';
import { RecordReader } from '../../src/source/record-reader.js';
import { stack } from '../../src/source/stack.js';
import { bodyParser } from '../support/body-parser.js';
import { moduleOf } from '../support/worker-modules.js';
import { calm, reply, request } from './layers.js';

/** After the dates that are told here. */
const NOW = Date.UTC(2026, 10, 1);

/** What the line of a source makes of a body. */
async function through(
  body: Buffer,
  headers: Record<string, string> = {},
  bodies?: BodyParser,
): Promise<{ reply: PageReply; told: string[] }> {
  const told: string[] = [];
  const line = stack({
    transport: () => Promise.resolve(reply(200, headers, body)),
    clock: { now: () => NOW },
    bodies,
    name: 'rollcall',
    house: limiter(4),
    own: limiter(4),
    timeout: 5_000,
    maxBody: 2 ** 30,
    breaker: { failures: 5, cooldown: 1_000, changed: () => undefined },
    retry: { retries: 0, longestWait: 0, random: () => 0 },
    count: (result) => told.push(result),
  });
  const provenance = { sourceName: 'One', number: 1, aggregate: false, codes: ['one'], otherCodes: [], otherNames: [] };
  const as = { reader: new RecordReader(directoryTeams, provenance), item: false };
  const asked: SourceRequest = { ...request(), as };
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
    expect(pageOf(bare.reply)).toMatchObject({ received: 1, total: 7, lastModified: Date.UTC(2026, 9, 21, 7, 28) });
    const enveloped = await through(json({ total: 9, 'last-modified': '2026-01-01T00:00:00Z', data }), headers);
    expect(pageOf(enveloped.reply)).toMatchObject({ received: 1, total: 9, lastModified: Date.UTC(2026, 0, 1) });
  });

  it('has no Last-Modified that is later than the moment at which it was read, and counts that', async () => {
    const data = [{ 'short-team-name': 'A' }];
    const future = 'Fri, 01 Jan 2027 00:00:00 GMT';
    const past = 'Wed, 21 Oct 2026 07:28:00 GMT';
    const counted = { 'future-date (last-modified)': 1 };
    const read = async (body: unknown, header: string): Promise<unknown> => {
      const { lastModified, findings } = pageOf((await through(json(body), { 'last-modified': header })).reply);
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
    expect(() => pageOf(answer)).toThrow('neither a list of records nor an envelope');
  });

  it('is a failure where it cannot be read', async () => {
    await expect(through(Buffer.from('<html>'))).rejects.toMatchObject({ reason: 'body' });
  });

  it('is read in a worker thread where its body has more than 128 KiB, and only then', async () => {
    const page = '{ received: 7, fingerprint: "", bytes: 0, findings: new Map() }';
    const bodies = bodyParser({ module: moduleOf(`export default () => ({ page: ${page} });`) });
    const received = async (bytes: number): Promise<number> =>
      pageOf((await through(Buffer.from('[]'.padEnd(bytes)), {}, bodies)).reply).received;
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
