import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WorkerThread } from '../../src/workers/worker-thread.js';
import type { WorkerThreadOptions } from '../../src/workers/worker-thread.js';
import { moduleFromCode } from '../support/gateway/threads/worker-modules.js';

const open: { close(): void }[] = [];

/** The limits of time are those of a fake clock. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  for (const pool of open.splice(0)) pool.close();
  vi.useRealTimers();
});

const LIMITS = { memory: 32, timeout: 60_000 };

/** A pool that runs a function of one number, given as JavaScript. */
function pool(code: string, options: Partial<WorkerThreadOptions> = {}): WorkerThread<number, number> {
  const made = new WorkerThread<number, number>({
    module: moduleFromCode(`export default ${code};`),
    ...LIMITS,
    ...options,
  });
  open.push(made);
  return made;
}

it('returns the result of each task', async () => {
  const twice = pool('(n) => n * 2');
  expect(await Promise.all([1, 2, 3].map((n) => twice.run(n)))).toEqual([2, 4, 6]);
});

it('runs tasks outside the calling thread', async () => {
  const { run } = { run: (n: number) => pool(`async () => (await import('node:worker_threads')).threadId`).run(n) };
  expect(await run(1)).toBeGreaterThan(0);
});

it('rejects a task that fails, and continues with the next one', async () => {
  const picky = pool(`(n) => { if (n === 1) throw new Error('no ones'); return n; }`);
  await expect(picky.run(1)).rejects.toThrow('no ones');
  expect(await picky.run(2)).toBe(2);
});

it('rejects a task that exceeds its memory, and starts another thread for the next one', async () => {
  // A loop that calls a function: V8 of Node 24 does not interrupt a compiled loop that only allocates, and lets it outgrow its limit.
  const code = `(n) => { const all = []; const text = '[1' + ',1'.repeat(999) + ']'; while (n === 1) all.push(JSON.parse(text)); return n; }`;
  const greedy = pool(code, { memory: 16 });
  await expect(greedy.run(1)).rejects.toMatchObject({ reason: 'memory' });
  expect(await greedy.run(2)).toBe(2);
});

it('rejects a task that exceeds its time, and starts another thread for the next one', async () => {
  const endless = pool('(n) => { while (n === 1); return n; }');
  const rejected = expect(endless.run(1)).rejects.toMatchObject({ reason: 'time' });
  await nextTurn();
  vi.advanceTimersByTime(60_000);
  await rejected;
  expect(await endless.run(2)).toBe(2);
});

it('measures the time of a task from the end of the previous tasks', async () => {
  const gates = new Int32Array(new SharedArrayBuffer(4 * 6));
  const code = '({ gates, n }) => { Atomics.wait(gates, n, 0); return n; }';
  const slow = new WorkerThread<{ gates: Int32Array; n: number }, number>({
    module: moduleFromCode(`export default ${code};`),
    ...LIMITS,
  });
  open.push(slow);
  const tasks = Array.from(gates, (_, n) => slow.run({ gates, n }));
  for (const [n, task] of tasks.entries()) {
    await nextTurn();
    vi.advanceTimersByTime(40_000);
    Atomics.store(gates, n, 1);
    Atomics.notify(gates, n);
    expect(await task).toBe(n);
  }
});

it('runs the next task correctly where a task ends just after its time limit', async () => {
  const [MAY_END, HAS_ENDED] = [0, 1];
  const flags = new Int32Array(new SharedArrayBuffer(8));
  const code = `({ flags }) => {
    if (flags === undefined) return 1;
    Atomics.wait(flags, ${MAY_END}, 0);
    setTimeout(() => { Atomics.store(flags, ${HAS_ENDED}, 1); Atomics.notify(flags, ${HAS_ENDED}); });
    return 1;
  }`;
  const slow = new WorkerThread<{ flags?: Int32Array }, number>({
    module: moduleFromCode(`export default ${code};`),
    ...LIMITS,
  });
  open.push(slow);
  await slow.run({});
  const results = Promise.allSettled([slow.run({ flags }), slow.run({})]);
  await nextTurn();
  Atomics.store(flags, MAY_END, 1);
  Atomics.notify(flags, MAY_END);
  // The result of the first task waits in the queue of this thread when its time is over.
  Atomics.wait(flags, HAS_ENDED, 0);
  vi.advanceTimersByTime(60_000);
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
});

it('rejects all queued tasks when it is closed', async () => {
  const endless = pool('(n) => { while (n === 1); return n; }');
  const results = Promise.allSettled([endless.run(1), endless.run(2), endless.run(3)]);
  await nextTurn();
  endless.close();
  expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
});

it('rejects all tasks where its module does not exist', async () => {
  const nowhere = pool('', { module: new URL('file:///nowhere/module.js') });
  const results = await Promise.allSettled([nowhere.run(1), nowhere.run(2)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(nowhere.run(3)).rejects.toThrow();
});

it('rejects the running task when it is closed, and starts another thread for the next task', async () => {
  const endless = pool('(n) => { while (n === 1); return n; }');
  const under = endless.run(1);
  const rejected = expect(under).rejects.toMatchObject({ reason: 'closed' });
  await nextTurn();
  endless.close();
  await rejected;
  expect(await endless.run(2)).toBe(2);
});

it('tolerates a thread that fails while the pool is closed', async () => {
  const ended = new Int32Array(new SharedArrayBuffer(4));
  const code = `({ ended }) => {
    if (ended === undefined) return 1;
    process.on('exit', () => { Atomics.store(ended, 0, 1); Atomics.notify(ended, 0); });
    return new Promise(() => setTimeout(() => { throw new Error('broken'); }));
  }`;
  const fragile = new WorkerThread<{ ended?: Int32Array }, number>({
    module: moduleFromCode(`export default ${code};`),
    ...LIMITS,
  });
  open.push(fragile);
  await fragile.run({});
  const broken = expect(fragile.run({ ended })).rejects.toThrow();
  await nextTurn();
  // The exit message of the thread waits in the queue of this thread.
  Atomics.wait(ended, 0, 0);
  fragile.close();
  await broken;
  await nextTurn();
  expect(await fragile.run({})).toBe(1);
});

it('rejects a task whose thread exits, and starts another thread for the next one', async () => {
  const leaving = pool('(n) => { if (n === 1) process.exit(3); return n; }');
  await expect(leaving.run(1)).rejects.toThrow('exited with code 3');
  expect(await leaving.run(2)).toBe(2);
});

it('rejects a task that cannot be cloned, and continues with the next one', async () => {
  const thread = new WorkerThread<unknown, unknown>({ module: moduleFromCode('export default (n) => n;'), ...LIMITS });
  open.push(thread);
  await expect(thread.run(() => 1)).rejects.toThrow('could not be cloned');
  expect(await thread.run(2)).toBe(2);
});

it('moves the transferred objects of a task to the thread', async () => {
  const code = 'export default (bytes) => bytes.byteLength;';
  const thread = new WorkerThread<ArrayBuffer, number>({ module: moduleFromCode(code), ...LIMITS });
  open.push(thread);
  const bytes = new ArrayBuffer(8);
  expect(await thread.run(bytes, { transfer: [bytes] })).toBe(8);
  expect(bytes.byteLength).toBe(0);
});

it('ends an idle thread', async () => {
  const thread = pool(`async () => (await import('node:worker_threads')).threadId`);
  const first = await thread.run(1);
  vi.advanceTimersByTime(2_000);
  expect(await thread.run(1)).not.toBe(first);
});
