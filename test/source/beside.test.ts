import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { recordsOn } from '../../src/records/packed.js';
import type { Beside } from '../../src/source/beside.js';
import { readBody } from '../../src/source/read-body.js';
import type { PackedPage, Reading } from '../../src/source/read-body.js';
import { RecordReader } from '../../src/source/record-reader.js';
import { eagerBeside, running } from '../support/beside.js';
import { directory } from '../support/directory-upstream.js';
import { startRollcall } from '../support/rollcall.js';
import { openUpstream } from '../support/upstream.js';

const reading = (sourceName = 'One', item = false): Reading => {
  const provenance = { sourceName, number: 1, aggregate: false, codes: ['one'], otherCodes: [], otherNames: [] };
  return { reader: new RecordReader(directoryTeams, provenance), item };
};

const as = reading();

/** Long ago by the machine's clock, which must not be asked: what lies between both is in the future. */
const NOW = Date.UTC(2020, 0, 1);

const listed = (...records: readonly object[]): Buffer => Buffer.from(JSON.stringify(records));

const BODIES = {
  'records in an envelope': JSON.stringify({
    status: 'ok',
    total: 3,
    limit: 100,
    'last-modified': '2026-01-01T00:00:00+00:00',
    data: [{ 'short-team-name': 'A', country: 'PL' }, { 'short-team-name': 'Łódź', note: ['é', 1, true] }, { id: 'x' }],
  }),
  'dates that were in the future when it came': JSON.stringify({
    'last-modified': '2021-01-01T00:00:00+00:00',
    data: [{ 'short-team-name': 'A', establishment: '2019', 'last-modified': '2022-02-02T00:00:00+00:00' }],
  }),
  'an empty list': '[]',
  'more records than one sheet has': JSON.stringify(
    Array.from({ length: 300 }, (_, at) => ({ 'short-team-name': `T${at}` })),
  ),
  'no JSON': '<html>',
  'no UTF-8': Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d]),
  'no list': '{"status":"ok"}',
  'an error': '{"status":"ok","data":[],"error":"gone"}',
};

/** What is told of a page, or of why there is none. */
async function told(page: Promise<PackedPage>): Promise<unknown> {
  try {
    const { sheets, ...facts } = await page;
    return { ...facts, records: recordsOn(sheets).map(({ values, further }) => ({ values, further })) };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { message: error.message, reason: 'reason' in error && error.reason };
  }
}

/** A thread that says of every body that it has -1 records: what is read here has more. */
const MARKING = running(
  `import { parentPort } from 'node:worker_threads';
   parentPort.on('message', ({ nth }) => nth && parentPort.postMessage({ nth, page: { sheets: [], received: -1 } }));
   parentPort.postMessage('ready');`,
);

let beside: Beside | undefined;

/** One whose thread is ready. */
async function ready(options?: Parameters<typeof eagerBeside>[0]): Promise<Beside> {
  beside = eagerBeside(options);
  return anew(beside);
}

async function anew(one: Beside): Promise<Beside> {
  await one.read(listed(), as, NOW);
  while (!one.isReady) await wait(5);
  return one;
}

afterEach(() => beside?.close());

describe('a thread beside', () => {
  it('reads what is read here, and refuses what is refused here', async () => {
    const one = await ready();
    for (const [name, text] of Object.entries(BODIES)) {
      const body = Buffer.from(text);
      expect([name, await told(one.read(body, as, NOW))]).toEqual([name, await told(readBody(body, as, NOW))]);
    }
  });

  it('reads for each source as that is registered, and several bodies at a time', async () => {
    const one = await ready();
    const names = ['One', 'Two', 'One', 'Three'];
    const readings = new Map(names.map((name) => [name, reading(name)]));
    const body = listed({ 'short-team-name': 'A' });
    const pages = names.map((name) => told(one.read(body, readings.get(name) ?? as, NOW)));
    expect(await Promise.all(pages)).toEqual(
      await Promise.all(names.map((name) => told(readBody(body, reading(name), NOW)))),
    );
  });

  it('leaves a body as it is, and what stands beside it in memory', async () => {
    const one = await ready();
    const whole = Buffer.from('..[{"short-team-name":"A"}]..');
    expect(await told(one.read(whole.subarray(2, -2), as, NOW))).toMatchObject({ received: 1 });
    expect(whole.toString()).toBe('..[{"short-team-name":"A"}]..');
  });

  it('is not begun for little, nor for what is over', async () => {
    const one = (beside = eagerBeside({ thread: MARKING, worth: 3 }));
    const read = (): Promise<PackedPage> => one.read(listed(), as, NOW);
    await one.expecting(1, () => one.expecting(1, read));
    await one.expecting(2, () => Promise.reject(new Error('over'))).catch(() => undefined);
    expect(await one.expecting(2, read)).toMatchObject({ received: 0 });
    await wait(200);
    expect(one.isReady).toBe(false);
  });

  it('is begun when much is to come, of whatever number of drains', async () => {
    const one = (beside = eagerBeside({ thread: MARKING, worth: 3 }));
    const read = (): Promise<PackedPage> => one.read(listed(), as, NOW);
    await one.expecting(1, () => one.expecting(2, read));
    while (!one.isReady) await wait(5);
    expect(await read()).toMatchObject({ received: -1 });
  });

  it('is given no item, nor what is too small or too large', async () => {
    const one = await ready({ thread: MARKING, smallest: 3 });
    expect(await one.read(Buffer.from('[ ]'), as, NOW)).toMatchObject({ received: -1 });
    expect(await one.read(listed(), as, NOW)).toMatchObject({ received: 0 });
    expect(await one.read(Buffer.from('{"id":1}'), reading('One', true), NOW)).toMatchObject({ received: 1 });
    const large = Buffer.concat([listed(), Buffer.alloc(2 ** 20, ' ')]);
    expect(await one.read(large, as, NOW)).toMatchObject({ received: 0 });
  });

  it('is given no more at a time than it can read while others wait', async () => {
    const one = await ready({ thread: MARKING });
    const body = Buffer.concat([listed(), Buffer.alloc(2 ** 20 - 2, ' ')]);
    const pages = [one.read(body, as, NOW), one.read(body, as, NOW), one.read(body, as, NOW)];
    expect((await Promise.all(pages)).map(({ received }) => received)).toEqual([-1, -1, 0]);
    expect(await one.read(body, as, NOW)).toMatchObject({ received: -1 });
  });

  it('leaves what it has to this thread when it ends, and is begun anew when more comes', async () => {
    const one = await ready();
    const page = one.read(listed({ 'short-team-name': 'A' }), as, NOW);
    await one.close();
    expect(await told(page)).toMatchObject({ received: 1 });
    await anew(one);
    expect(await told(one.read(listed({ 'short-team-name': 'B' }), as, NOW))).toMatchObject({ received: 1 });
  });

  it.each([
    ['cannot be started', 'throw new Error("no thread")', 'no thread'],
    [
      'breaks',
      `import { parentPort } from 'node:worker_threads';
       parentPort.on('message', ({ nth }) => { if (nth !== undefined) throw new Error('broken'); });
       parentPort.postMessage('ready');`,
      'broken',
    ],
  ])('loses nothing when it %s, tells it once, and is left in peace', async (_, code, message) => {
    const errors: string[] = [];
    beside = eagerBeside({ thread: running(code), broken: (error) => errors.push(error.message) });
    const body = listed({ 'short-team-name': 'A' });
    const readOne = async (): Promise<void> => {
      expect(await beside?.read(body, as, NOW)).toMatchObject({ received: 1 });
      await wait(5);
    };
    while (errors.length === 0) await readOne();
    for (let times = 0; times < 20; times += 1) await readOne();
    expect(errors).toEqual([message]);
  });
});

describe('a gateway with a thread beside', () => {
  const teams = Array.from({ length: 501 }, (_, at) => ({ 'short-team-name': `T${at}`, note: 'x'.repeat(1_000) }));

  it.each([
    { does: 'begins it for a drain of which much is to come', count: 500, told: 'state=fresh', begins: true },
    {
      does: 'begins it for a large source that is drained all the same',
      count: 501,
      told: 'state=fresh',
      begins: true,
    },
    { does: 'does not begin it for less', count: 300, told: 'state=fresh', begins: false },
    {
      does: 'does not begin it for what is too large to be held',
      count: 501,
      told: 'too-large',
      begins: false,
      // A quarter of it is less than 501 records take without any text.
      memory: '512KiB',
    },
  ])('$does', async ({ count, told, begins, memory = '256MiB' }) => {
    const one = (beside = eagerBeside({ worth: 400_000, ...(!begins && { thread: MARKING }) }));
    const upstream = await openUpstream(directory(teams.slice(0, count)));
    const rollcall = await startRollcall(
      {
        cache: { memory },
        sources: { one: { directory: upstream.address, 'page-size': 100, 'drain-threshold': 500 } },
      },
      { beside: one },
    );
    try {
      const { headers } = await rollcall.get('/directory/v1/teams?limit=10');
      expect(headers.get('source-status')).toContain(told);
      if (begins) while (!one.isReady) await wait(5);
      else await wait(200);
      expect(one.isReady).toBe(begins);
    } finally {
      await Promise.all([rollcall.close(), upstream.close()]);
    }
  });
});
