import { afterEach, describe, expect, it } from 'vitest';
import { closeAdminPorts } from '../../support/gateway/admin-port.js';
import { actOn, findBy, readListStatus } from '../../support/admin/sources-report.js';
import { fieldsOf } from '../../support/gateway/data-gateway.js';
import { ACCESS, AS_MEMBER } from '../../support/gateway/members-gateway.js';
import { closeInstances, servesTeams, startInstances } from '../../support/gateway/sharing/operated-instances.js';
import type { OperatedInstances } from '../../support/gateway/sharing/operated-instances.js';
import * as faulty from '../../support/upstream/faulty-responses.js';

afterEach(async () => {
  closeAdminPorts();
  await closeInstances();
});

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function listIn(text: string): Readonly<Record<string, unknown>> {
  return findBy(fieldsOf(JSON.parse(text))['lists'], 'list', 'data-teams');
}

/** What each instance serves, one after the other. */
async function askAll({ instances }: OperatedInstances): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const { ask } of instances) answers.push(await ask());
  return answers;
}

const pollAll = ({ instances }: OperatedInstances): Promise<unknown> =>
  Promise.all(instances.map(({ shared }) => shared.poll()));

const allMatch = (pattern: string): unknown =>
  Array.from({ length: 3 }, () => expect.stringContaining(pattern) as unknown);

describe('refresh in one of several instances', () => {
  it('reads the source once for all, which adopt the list when their own is stale', async () => {
    const all = await startInstances(servesTeams(2));
    await askAll(all);
    const { instances, one, clock } = all;
    const requestsOfOneReading = one.requests.length;
    clock.advance(HOUR);
    one.handler = servesTeams(5);
    one.forget();
    const { text } = await actOn(instances[1].admin, 'refresh');
    expect(listIn(text)).toMatchObject({ state: 'fresh', records: 5 });
    expect(await askAll(all)).toEqual(allMatch('one;state=fresh;records=5;'));
    expect(one.requests).toHaveLength(requestsOfOneReading);
  });

  it('reports that what it read is not shared while the memory is not reached, also where nothing was read', async () => {
    const all = await startInstances(servesTeams(2));
    await askAll(all);
    const { instances, one } = all;
    const [first, second] = instances;
    one.handler = servesTeams(5);
    first.shared.isCutOff = true;
    await first.shared.poll();
    const refresh = async (): Promise<unknown> => JSON.parse((await actOn(first.admin, 'refresh')).text) as unknown;
    expect(await refresh()).toMatchObject({ onlyThisInstance: true, lists: [{ state: 'fresh', records: 5 }] });
    expect(await second.ask()).toContain('records=2');
    one.handler = faulty.status(500);
    expect(await refresh()).toMatchObject({ onlyThisInstance: true, lists: [{ state: 'stale', records: 5 }] });
    first.shared.isCutOff = false;
    await first.shared.poll();
    one.handler = servesTeams(4);
    expect(await refresh()).toEqual({ lists: [expect.objectContaining({ records: 4 })] });
  });
});

describe('confirm-shrink in one of several instances', () => {
  it('accepts the number that another instance doubted first, for all instances', async () => {
    const all = await startInstances(servesTeams(50));
    await askAll(all);
    const { instances, one, clock } = all;
    one.handler = servesTeams(3);
    clock.advance(HOUR);
    one.forget();
    expect(await askAll(all)).toEqual(allMatch('one;state=stale;reason=shrunk;records=50;'));
    const requestsOfOneReading = one.requests.length;
    const [, second, third] = instances;
    expect(await readListStatus(third.admin)).toMatchObject({ doubt: { records: 3, trustedRecords: 50 } });
    one.forget();
    const { status, text } = await actOn(second.admin, 'confirm-shrink');
    expect(status).toBe(200);
    expect(listIn(text)).toMatchObject({ state: 'fresh', records: 3 });
    clock.advance(HOUR);
    expect(await askAll(all)).toEqual(allMatch('one;state=fresh;records=3;'));
    for (const { admin } of instances) expect(await readListStatus(admin)).not.toHaveProperty('doubt');
    expect(one.requests).toHaveLength(2 * requestsOfOneReading);
    expect(await actOn(third.admin, 'confirm-shrink')).toMatchObject({ status: 409 });
  });

  it('is refused by an instance that has not seen the doubt', async () => {
    const { instances, one, clock } = await startInstances(servesTeams(50));
    const [first, second] = instances;
    await first.ask();
    one.handler = servesTeams(3);
    clock.advance(HOUR);
    await first.ask();
    expect(await actOn(second.admin, 'confirm-shrink')).toMatchObject({ status: 409 });
    expect(await second.ask()).toContain('reason=shrunk');
    expect(await actOn(second.admin, 'confirm-shrink')).toMatchObject({ status: 200 });
  });
});

describe('a smaller number of records', () => {
  it('is accepted after confirm-shrink, whichever instances read the list meanwhile', async () => {
    const { instances, one, clock } = await startInstances(servesTeams(50), {
      defaults: { ttl: '10m', 'stale-while-revalidate': '0s', 'confirm-shrink': '1h', 'stale-if-error': '24h' },
    });
    for (const { ask } of instances) await ask();
    one.handler = servesTeams(3);
    const states: string[] = [];
    for (let at = 0; at < 8; at += 1) {
      clock.advance(11 * MINUTE);
      const { ask } = instances[at % 3] ?? instances[0];
      states.push((await ask()).includes('records=3') ? 'accepted' : 'doubted');
    }
    expect(states).toEqual([...Array<string>(6).fill('doubted'), 'accepted', 'accepted']);
  });

  it('is doubted by an instance that sees the source for the first time, which serves the trusted list', async () => {
    const { instances, one, clock } = await startInstances(servesTeams(50));
    const [first, second] = instances;
    await first.ask();
    one.handler = servesTeams(3);
    clock.advance(HOUR);
    await first.ask();
    expect(await second.ask()).toMatch(/^one;state=stale;reason=shrunk;records=50;/);
    expect(await readListStatus(second.admin)).toMatchObject({ doubt: { records: 3, trustedRecords: 50 } });
  });
});

describe('forget in one of several instances', () => {
  it('lets no instance serve what was forgotten', async () => {
    const all = await startInstances(servesTeams(50));
    await askAll(all);
    const { instances, one } = all;
    one.handler = faulty.status(500);
    const { text } = await actOn(instances[2].admin, 'forget');
    expect(JSON.parse(text)).toEqual({ forgotten: true });
    await pollAll(all);
    for (const { gateway, admin } of instances) {
      expect(await gateway.get('/data/v1/teams')).toMatchObject({ status: 502 });
      expect(await readListStatus(admin)).not.toHaveProperty('records');
    }
  });

  it('drops the trusted number of records in all instances, which read the list once', async () => {
    const all = await startInstances(servesTeams(50));
    await askAll(all);
    const { instances, one } = all;
    const requestsOfOneReading = one.requests.length;
    await actOn(instances[0].admin, 'forget');
    await pollAll(all);
    one.handler = servesTeams(1);
    one.forget();
    expect(await askAll(all)).toEqual(allMatch('one;state=fresh;records=1;'));
    expect(one.requests).toHaveLength(requestsOfOneReading);
  });

  it('starts a reading in progress in another instance again', async () => {
    const { instances, one } = await startInstances(servesTeams(2));
    const held = faulty.holdResponses(servesTeams(50));
    one.handler = held.handler;
    const [first, second] = instances;
    const waiting = second.ask();
    await expect.poll(() => one.requests.length).toBeGreaterThan(0);
    await actOn(first.admin, 'forget');
    await second.shared.poll();
    one.handler = servesTeams(3);
    held.release();
    expect(await waiting).toMatch(/^one;state=fresh;records=3;/);
    expect(await first.ask()).toMatch(/^one;state=fresh;records=3;/);
  });

  it('concerns members data, too', async () => {
    const all = await startInstances(servesTeams(2), { access: ACCESS });
    const { instances, one } = all;
    for (const { gateway } of instances) await gateway.get('/data/v1/teams?scope=members', AS_MEMBER);
    await actOn(instances[0].admin, 'forget');
    await pollAll(all);
    one.handler = faulty.status(500);
    const { gateway } = instances[1];
    expect(await gateway.get('/data/v1/teams?scope=members', AS_MEMBER)).toMatchObject({ status: 502 });
  });

  it('reports where the others are not reached, which forget when they reach the memory again', async () => {
    const all = await startInstances(servesTeams(50));
    await askAll(all);
    const { instances, one } = all;
    const [first, second, third] = instances;
    first.shared.isCutOff = true;
    expect(JSON.parse((await actOn(first.admin, 'forget')).text)).toEqual({ forgotten: true, onlyThisInstance: true });
    await pollAll(all);
    expect(await second.ask()).toContain('records=50');
    third.shared.isCutOff = true;
    await actOn(second.admin, 'forget');
    await pollAll(all);
    one.handler = faulty.status(500);
    expect(await third.ask()).toContain('records=50');
    third.shared.isCutOff = false;
    await pollAll(all);
    expect(await third.gateway.get('/data/v1/teams')).toMatchObject({ status: 502 });
  });
});
