import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { withEntityTags } from '../support/upstream/conditional-responses.js';
import { openGroup, read } from './instance-group.js';
import type { GroupMember, InstanceGroup } from './instance-group.js';

/** Holds the reports of an instance up, which does not know whether the memory still answers. */
function holdReports({ shared }: GroupMember): { readonly resume: () => void } {
  let resume = (): void => undefined;
  const held = new Promise<void>((resolve) => (resume = resolve));
  shared.connection.beforeCommand = (command) => (command === 'synchronize' ? held : Promise.resolve());
  return { resume };
}

describe('Two instances with one shared memory', () => {
  let group: InstanceGroup | undefined;

  afterEach(async () => {
    await group?.close();
    group = undefined;
  });

  it('never let a date go back although their clocks differ by less than a quarter of a second', async () => {
    for (const ahead of [
      [240, 0],
      [0, -240],
    ]) {
      group = await openGroup({ ahead });
      const [one, other] = group.members;
      let newest = 0;
      let dated = 0;
      for (const name of ['First', 'Second', 'Third']) {
        group.setTeam(name);
        for (let step = 0; step < 130; step += 1) {
          await group.pass(100);
          for (const member of [one, other]) {
            const { date } = read(await member.get());
            if (date === undefined) continue;
            expect(date, `after ${name}, step ${step}`).toBeGreaterThanOrEqual(newest);
            newest = date;
            dated += 1;
          }
        }
      }
      expect(dated).toBeGreaterThan(300);
      await group.close();
    }
    group = undefined;
  });

  it('show no date of a list that its source confirmed for one of them alone', async () => {
    group = await openGroup();
    const [one, other] = group.members;
    group.upstream.handler = withEntityTags(group.upstream.handler);
    await group.pass(45_000);
    await one.get();
    await other.get();
    await group.pass(1_500, 250);
    expect(read(await one.get()).date).toBeDefined();
    // Only claims are not answered in time, so that reports still arrive.
    one.shared.connection.beforeCommand = (command) =>
      command === 'claim' ? Promise.reject(new Error('too slow')) : Promise.resolve();
    await group.pass(45_000);
    const { headers } = await one.get();
    expect(headers.get('source-status')).toMatch(/state=fresh/);
    expect(headers.get('last-modified')).toBeNull();
    one.shared.connection.beforeCommand = () => Promise.resolve();
    await group.pass(2_000, 250);
    expect(read(await one.get())).toEqual(read(await other.get()));
    expect(read(await one.get()).date).toBeDefined();
  });

  it('do not share what one of them fetched by a wrong clock', async () => {
    group = await openGroup({ ahead: [3_600_000, 0] });
    const [wrong, right] = group.members;
    const drains = (): number =>
      group?.upstream.requests.filter(({ query }) => query.get('offset') === '0').length ?? 0;
    expect(read(await wrong.get()).name).toBe('First');
    expect(group.memory.takeSnapshot().entries.size).toBe(0);
    expect(read(await right.get()).name).toBe('First');
    expect(drains()).toBe(2);
    group.setTeam('Second');
    await group.pass(45_000);
    expect(read(await right.get()).name).toBe('Second');
  });

  it('forget a source that an operator has another one forget, although their clock is ahead', async () => {
    group = await openGroup({ ahead: [600_000, 0] });
    const [wrong, right] = group.members;
    await wrong.get();
    await right.get();
    group.setTeam('Second');
    await group.pass(500, 100);
    expect(read(await wrong.get()).name).toBe('First');
    expect(await right.gateway.app.levels.public?.sources[0]?.operations.forget()).toBe(true);
    await group.pass(500, 100);
    expect(read(await wrong.get()).name).toBe('Second');
  });

  it('date no answer with one list of before and one of after a change of another instance', async () => {
    group = await openGroup();
    const [one] = group.members;
    await one.get();
    await group.pass(2_000, 250);
    expect(read(await one.get()).date).toBeDefined();
    group.setTeam('Second');
    await group.pass(11_000, 250);
    await one.get();
    // The new list becomes active: for a moment another one may have been read before.
    const shown: boolean[] = [];
    for (let step = 0; step < 30; step += 1) {
      await group.pass(100);
      const { name, date } = read(await one.get());
      if (name === 'Second') shown.push(date !== undefined);
    }
    expect(shown.slice(0, 4)).toEqual([false, false, false, false]);
    expect(shown.at(-1)).toBe(true);
  });

  it('try less and less often to publish a list that the memory refuses', async () => {
    group = await openGroup();
    const [one] = group.members;
    let attempts = 0;
    one.shared.connection.beforeCommand = (command) => {
      if (command !== 'writeRecords') return Promise.resolve();
      attempts += 1;
      return Promise.reject(new Error('OOM'));
    };
    await one.get();
    await group.pass(9_000, 100);
    expect(attempts).toBeGreaterThan(3);
    expect(attempts).toBeLessThan(8);
    one.shared.connection.beforeCommand = () => Promise.resolve();
    await group.pass(10_000, 250);
    await one.get();
    await group.pass(3_000, 250);
    expect(read(await one.get()).date).toBeDefined();
  });

  it('never let a date go back while a source crosses its drain-threshold, in either direction', async () => {
    group = await openGroup({ source: { 'drain-threshold': 5, 'page-size': 5 } });
    const [one, other] = group.members;
    const serveTeams = (count: number): void => {
      const teams = Array.from({ length: count }, (_, at) => ({ 'short-team-name': `T${at}`, host: 'h' }));
      if (group !== undefined) group.upstream.handler = directoryUpstream(teams);
    };
    let newest = 0;
    const check = async (member: GroupMember, message: string): Promise<number | undefined> => {
      const { date } = read(await member.get());
      if (date !== undefined) expect(date, message).toBeGreaterThanOrEqual(newest);
      newest = date ?? newest;
      return date;
    };
    serveTeams(3);
    await group.pass(45_000);
    for (const count of [8, 3, 9]) {
      for (let step = 0; step < 12; step += 1) {
        await group.pass(250);
        for (const member of group.members) await check(member, `before ${count} teams`);
      }
      expect(newest).toBeGreaterThan(0);
      serveTeams(count);
      await group.pass(10_500);
      const before = newest;
      for (let step = 0; step < 240 && newest === before; step += 1) {
        await group.pass(250);
        await check(one, `${count} teams`);
      }
      expect(newest, `${count} teams have a date`).toBeGreaterThan(before);
      await check(other, `${count} teams at the other instance`);
    }
  });

  it('date no answer that began while a snapshot had to be replaced, although it is when the answer is complete', async () => {
    group = await openGroup();
    const [one] = group.members;
    const { gateway, shared } = one;
    await one.get();
    await group.pass(2_000, 250);
    const level = gateway.app.levels.public;
    if (level === undefined) throw new Error('there is no public level');
    const readDate = async (target: string): Promise<string | null> =>
      (await gateway.get(target)).headers.get('last-modified');
    expect(await readDate('/directory/v1/teams?limit=7')).not.toBeNull();
    let calls = 0;
    level.gateway.agreement = {
      clockTolerance: shared.memory.clockTolerance,
      agreedSince: () => ((calls += 1) === 1 ? undefined : shared.memory.agreedSince()),
    };
    expect(await readDate('/directory/v1/teams?country=PT')).toBeNull();
    expect(calls).toBe(2);
    expect(await readDate('/directory/v1/teams?country=PT')).not.toBeNull();
  });

  it('adopt what another one fetched later, although its clock is behind', async () => {
    group = await openGroup({ ahead: [240, -240] });
    const [ahead, behind] = group.members;
    await ahead.get();
    await behind.get();
    group.setTeam('Second');
    await group.pass(45_000);
    expect(read(await ahead.get()).name).toBe('Second');
    group.setTeam('Third');
    await group.pass(100);
    const [source] = behind.gateway.app.levels.public?.sources ?? [];
    const refreshed = source?.operations.refreshNow(AbortSignal.timeout(5_000));
    await group.pass(2_000, 100);
    await refreshed;
    expect([read(await ahead.get()).name, read(await behind.get()).name]).toEqual(['Third', 'Third']);
  });

  it('leave no rejection unhandled where the memory is closed while one waits to read an entry', async () => {
    group = await openGroup();
    const [one, other] = group.members;
    await one.get();
    await other.get();
    one.shared.connection.beforeCommand = (command) =>
      command === 'read' ? Promise.reject(new Error('too slow')) : Promise.resolve();
    group.setTeam('Second');
    await group.pass(45_000);
    await other.get();
    await group.pass(500, 250);
    await one.shared.close();
    // An unhandled rejection would fail the test run.
    await sleep(30);
  });

  it('give notice of a snapshot although the entry that it replaces was evicted', async () => {
    group = await openGroup();
    const [one, other] = group.members;
    await one.get();
    await group.pass(2_000);
    const { date: before = 0 } = read(await other.get());
    expect(before).toBeGreaterThan(0);
    group.setTeam('Second');
    // The second instance reports for the last time shortly before, and learns of nothing.
    await group.pass(8_450);
    other.shared.connection.receivesHints = false;
    let endSilence = (): void => undefined;
    const silence = new Promise<void>((resolve) => (endSilence = resolve));
    other.shared.connection.beforeCommand = () => silence;
    await sleep(20);
    group.memory.tamper(({ entries }) => {
      entries.clear();
    });
    let newest = 0;
    await one.get();
    await sleep(50);
    for (let step = 0; step < 20; step += 1) {
      await group.pass(50);
      for (const member of [one, other]) {
        const { date } = read(await member.get());
        if (date !== undefined) expect(date, `step ${step}`).toBeGreaterThanOrEqual(newest);
        newest = date ?? newest;
      }
    }
    endSilence();
  });

  it('fetch a list where the entry becomes active too late to wait for it', async () => {
    group = await openGroup();
    const [one, other] = group.members;
    await one.get();
    group.memory.tamper(({ entries }) => {
      for (const [name, entry] of entries) entries.set(name, { ...entry, activeAt: entry.activeAt + 10 ** 12 });
    });
    expect(read(await other.get()).name).toBe('First');
  });

  it('go on after the numbers of a restored memory went back', async () => {
    group = await openGroup();
    const [one, other] = group.members;
    const empty = group.memory.takeSnapshot();
    await one.get();
    await other.get();
    group.memory.tamper(({ entries }) => {
      for (const [name, entry] of entries) entries.set(name, { ...entry, version: entry.version - 10 ** 6 });
    });
    let commands = 0;
    other.shared.connection.beforeCommand = (command) => {
      if (command === 'claim') commands += 1;
      return Promise.resolve();
    };
    group.setTeam('Second');
    await group.pass(45_000);
    expect(read(await other.get()).name).toBe('Second');
    expect(commands).toBeLessThan(10);
    group.memory.rollBack(empty);
  });

  it('show no date of an entry that follows one which a failover lost, before they have reported', async () => {
    group = await openGroup({ source: { 'stale-while-revalidate': '1s' } });
    const [one, other] = group.members;
    await one.get();
    await other.get();
    await group.pass(12_000);
    // All until the failover happens within one second, the resolution of dates.
    await group.pass(1_000 - (one.shared.memory.clock.now() % 1_000));
    const reports = group.members.map(holdReports);
    await sleep(20);
    const replica = group.memory.takeSnapshot();
    group.setTeam('Second');
    expect(read(await one.get()).name).toBe('Second');
    await group.pass(600);
    const lost = read(await one.get());
    expect(lost.name).toBe('Second');
    expect(lost.date).toBeDefined();
    group.memory.rollBack(replica);
    group.setTeam('Third');
    await group.pass(100);
    const answer = other.get();
    await Promise.race([answer, sleep(200)]);
    for (const { resume } of reports) resume();
    const next = read(await answer);
    expect(next.name).toBe('Third');
    expect(next.date).not.toBe(lost.date);
    const condition = { 'if-modified-since': new Date(lost.date ?? 0).toUTCString() };
    expect((await other.get(condition)).status).toBe(200);
    for (let step = 0; step < 20; step += 1) await group.pass(100);
    const dates = [read(await one.get()), read(await other.get())].map(({ date = 0 }) => date);
    for (const date of dates) expect(date).toBeGreaterThan(lost.date ?? Infinity);
  });

  it('fetch a list alone where they cannot report in a new epoch', async () => {
    group = await openGroup();
    const [, other] = group.members;
    let fail = (): void => undefined;
    const failure = new Promise<void>((_, reject) => (fail = () => reject(new Error('no reply'))));
    failure.catch(() => undefined);
    let claims = 0;
    other.shared.connection.beforeCommand = (command) => {
      if (command === 'claim') claims += 1;
      return command === 'synchronize' ? failure : Promise.resolve();
    };
    await sleep(20);
    group.memory.restartEmpty();
    const answer = other.get();
    await expect.poll(() => claims).toBe(1);
    fail();
    expect(read(await answer)).toEqual({ name: 'First' });
    expect(claims).toBe(2);
  });

  it('give up the lease of an earlier epoch, so that a list is shared in the new one without waiting for its end', async () => {
    group = await openGroup();
    const { memory, upstream, members } = group;
    const serveFirst = upstream.handler;
    upstream.handler = (request, response) => {
      memory.rollBack(memory.takeSnapshot());
      upstream.handler = serveFirst;
      serveFirst(request, response);
    };
    expect(read(await members[0].get()).name).toBe('First');
    // The clock stands still.
    await expect.poll(() => memory.takeSnapshot().entries.size).toBe(1);
  });
});
