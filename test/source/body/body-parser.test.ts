import { MessageChannel } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import type { DraftRecord } from '../../../src/model/record.js';
import { RecordPacker } from '../../../src/records/packed-records.js';
import { receiveRecords } from '../../../src/source/body/body-parser.js';
import type { BodyParser } from '../../../src/source/body/body-parser.js';
import type { SourcePage } from '../../../src/source/body/page.js';
import { createExpectedBody } from '../../../src/source/body/parse-page-body.js';
import type { ExpectedBody, ReceivedBody } from '../../../src/source/body/parse-page-body.js';
import { parseInline } from '../../../src/source/body/read-responses.js';
import { RecordReader } from '../../../src/source/record/record-reader.js';
import { bodyParser } from '../../support/gateway/threads/body-parser.js';
import { moduleFromCode } from '../../support/gateway/threads/worker-modules.js';

const reading = (sourceName = 'One', item = false, sourceNumber = 1): ExpectedBody => {
  const provenance = {
    sourceName,
    sourceNumber,
    isAggregate: false,
    codes: ['one'],
    registeredCodes: [],
    otherSourceNames: [],
  };
  const format = { kind: item ? 'item' : 'list' } as const;
  return createExpectedBody(new RecordReader(directoryTeams, provenance), format, 'application/json');
};

const LIST = reading();
const ITEM = reading('One', true);

/** Time of reading, far before the clock of the machine. Dates between both count as future, which shows that the clock is not used. */
const NOW = Date.UTC(2020, 0, 1);

/** A body that is read at `NOW`. */
const received = (body: Buffer): ReceivedBody => ({ body, context: { path: '/teams' }, now: NOW });

const listed = (...records: readonly object[]): Buffer => Buffer.from(JSON.stringify(records));

/** A page as plain values, or the message and reason of the failure. */
async function describePage(parse: () => SourcePage<DraftRecord> | Promise<SourcePage<DraftRecord>>): Promise<unknown> {
  try {
    const { records, ...facts } = await parse();
    return {
      ...facts,
      records: records.map(({ values, extraProperties: extraProperties }) => ({ values, extraProperties })),
    };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { message: error.message, reason: 'reason' in error && error.reason };
  }
}

const open: BodyParser[] = [];

function openParser(options?: Parameters<typeof bodyParser>[0]): BodyParser {
  const parser = bodyParser(options);
  open.push(parser);
  return parser;
}

afterEach(() => {
  for (const parser of open.splice(0)) parser.close();
});

describe('worker thread that parses large bodies', () => {
  it('accepts and rejects bodies exactly as the main thread does', async () => {
    const bodies = {
      'records in an envelope': JSON.stringify({
        status: 'ok',
        total: 3,
        limit: 100,
        'last-modified': '2026-01-01T00:00:00+00:00',
        data: [{ 'short-team-name': 'A', country: 'PL' }, { 'short-team-name': 'Łódź', note: ['é', 1, true] }, {}],
      }),
      'dates later than the time of reading': JSON.stringify({
        'last-modified': '2021-01-01T00:00:00+00:00',
        data: [{ 'short-team-name': 'A', establishment: '2019', 'last-modified': '2022-02-02T00:00:00+00:00' }],
      }),
      'an empty list': '[]',
      'many records': listed(...Array.from({ length: 300 }, (_, at) => ({ 'short-team-name': `T${at}` }))),
      'many values': listed(...Array.from({ length: 50 }, (_, at) => wide(at, 1_000))),
      'too many values in a record': listed({ 'short-team-name': 'A', ...wide(0, 20_001) }),
      'no JSON': '<html>',
      'no UTF-8': Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]),
      'no list': '{"status":"ok"}',
      'an error': '{"status":"ok","data":[],"error":"gone"}',
    };
    const parser = openParser();
    for (const [name, text] of Object.entries(bodies)) {
      for (const as of [LIST, ITEM]) {
        const expected = await describePage(() => parseInline(received(Buffer.from(text)), as));
        expect([name, await describePage(() => parser.parse(received(Buffer.from(text)), as))]).toEqual([
          name,
          expected,
        ]);
      }
    }
  });

  it('reads concurrent bodies with the registration of their own source', async () => {
    const parser = openParser();
    const names = ['One', 'Two', 'One', 'Three'];
    const body = (): Buffer => listed({ 'short-team-name': 'A' });
    const pages = names.map((name) => describePage(() => parser.parse(received(body()), reading(name))));
    const expected = names.map((name) => describePage(() => parseInline(received(body()), reading(name))));
    expect(await Promise.all(pages)).toEqual(await Promise.all(expected));
  });

  it('reads the body of a source next whose bodies have taken less time than those that wait', async () => {
    const page = '{ receivedCount: 1, fingerprint: "", bytes: 0, findings: new Map() }';
    const module = moduleFromCode(
      `export default () => new Promise((resolve) => setTimeout(resolve, 20, { page: ${page} }));`,
    );
    const parser = openParser({ module });
    const order: string[] = [];
    const read = (name: string, sourceNumber: number): Promise<unknown> =>
      parser.parse(received(listed()), reading(name, false, sourceNumber)).then(() => order.push(name));
    const slow = ['slow', 'slow', 'slow'].map((name) => read(name, 1));
    await Promise.all([...slow, read('other', 2)]);
    expect(order).toEqual(['slow', 'other', 'slow', 'slow']);
  });

  it('reads a body of up to 2 MiB while a larger one of another source takes its time', async () => {
    const page = '{ receivedCount: 7, fingerprint: "", bytes: 0, findings: new Map() }';
    const module = moduleFromCode(
      `export default ({ body }) => (body.length > 2 ** 21 ? new Promise(() => {}) : { page: ${page} });`,
    );
    const parser = openParser({ module });
    const large = parser.parse(received(Buffer.alloc(2 ** 21 + 1)), LIST);
    const small = parser.parse(received(Buffer.alloc(2 ** 21)), reading('Two', false, 2));
    expect(await small).toMatchObject({ receivedCount: 7 });
    parser.close();
    await expect(large).rejects.toMatchObject({ reason: 'internal' });
  });

  it('does not change other data in the buffer of a body', async () => {
    const whole = Buffer.from('..[{"short-team-name":"A"}]..');
    expect(await openParser().parse(received(whole.subarray(2, -2)), LIST)).toMatchObject({ receivedCount: 1 });
    expect(whole.toString()).toBe('..[{"short-team-name":"A"}]..');
  });

  it.each([
    ['time', 'while (true);', { timeout: 3_000 }],
    ['memory', `const all = []; for (const text = '[1' + ',1'.repeat(999) + ']';;) all.push(JSON.parse(text));`, {}],
  ])('rejects a body that takes too much %s, and reads the next one', async (_what, code, options) => {
    const page = '{ receivedCount: 7, fingerprint: "", bytes: 0, findings: new Map() }';
    const module = moduleFromCode(
      `export default ({ format }) => { if (format.kind === 'item') { ${code} } return { page: ${page} }; };`,
    );
    const parser = openParser({ module, maxBody: 0, ...options });
    const [bad, good] = [parser.parse(received(listed()), ITEM), parser.parse(received(listed()), LIST)];
    await expect(bad).rejects.toMatchObject({ reason: 'size' });
    expect(await good).toMatchObject({ receivedCount: 7 });
  });

  it.each([
    ['cannot be started', new URL('file:///nowhere/thread.js')],
    ['throws', moduleFromCode('export default () => { throw new Error("broken"); };')],
  ])('rejects all bodies where it %s', async (_what, module) => {
    const parser = openParser({ module });
    const pages = [parser.parse(received(listed()), LIST), parser.parse(received(listed()), LIST)];
    const results = await Promise.allSettled(pages);
    expect(results).toMatchObject([{ reason: { reason: 'internal' } }, { reason: { reason: 'internal' } }]);
  });

  it('rejects all pending bodies when it is closed', async () => {
    const parser = openParser();
    const pages = [parser.parse(received(listed()), LIST), parser.parse(received(listed()), LIST)];
    parser.close();
    expect(await Promise.allSettled(pages)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  });
});

describe('records of a page received from another thread', () => {
  it('are complete and in order, and are unpacked over several turns of the event loop', async () => {
    const packer = new RecordPacker(directoryTeams);
    for (let nth = 0; nth < 4_000; nth += 1)
      packer.add({ values: [], extraProperties: Object.entries(wide(nth, 180)) });
    const { port1, port2 } = new MessageChannel();
    for (const sheet of packer.sheets) port2.postMessage(sheet);
    let turns = 0;
    const count = (): void => {
      turns += 1;
      probe = setImmediate(count);
    };
    let probe = setImmediate(count);
    const records = await receiveRecords(port1);
    clearImmediate(probe);
    port1.close();
    expect(records.map(({ extraNames: [first] }) => first)).toEqual(
      Array.from({ length: 4_000 }, (_, nth) => `k${nth}-0`),
    );
    expect(turns).toBeGreaterThan(1);
  });
});

function wide(nth: number, count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${nth}-${at}`, `v${at}`]));
}
