import { afterEach, describe, expect, it } from 'vitest';
import { closeAdminPorts } from '../../support/gateway/admin-port.js';
import { actOn, findBy, readListStatus } from '../../support/admin/sources-report.js';
import { fieldsOf } from '../../support/gateway/data-gateway.js';
import { ACCESS, AS_MEMBER } from '../../support/gateway/members-gateway.js';
import { closeInstances, servesTeams, startInstances } from '../../support/gateway/sharing/operated-instances.js';
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

describe('refresh in one of several instances', () => {
  it('gives all of them what it fetched, with one request to the source', async () => {
    const { instances, one, pass, whileTimePasses } = await startInstances(servesTeams(2));
    for (const { ask } of instances) await ask();
    const requestsOfOneFetch = one.requests.length;
    await pass(2_000);
    one.handler = servesTeams(5);
    one.forget();
    const { text } = await whileTimePasses(actOn(instances[1].admin, 'refresh'));
    expect(listIn(text)).toMatchObject({ state: 'fresh', records: 5 });
    await pass(500);
    for (const { ask } of instances) expect(await ask()).toMatch(/^one;state=fresh;records=5;/);
    expect(one.requests).toHaveLength(requestsOfOneFetch);
  });
});

describe('refresh in an instance that does not reach the others', () => {
  it('reports that what it fetched is not shared, before it is known why', async () => {
    const { instances, one, pass, whileTimePasses } = await startInstances(servesTeams(2));
    for (const { ask } of instances) await ask();
    await pass(2_000);
    one.handler = servesTeams(5);
    const [first, second] = instances;
    first.shared.connection.isAvailable = false;
    const refreshed = JSON.parse((await actOn(first.admin, 'refresh')).text) as unknown;
    expect(refreshed).toMatchObject({ onlyThisInstance: true, lists: [{ state: 'fresh', records: 5 }] });
    expect(await second.ask()).toContain('records=2');
    first.shared.connection.isAvailable = true;
    await pass(2_000);
    one.handler = servesTeams(4);
    const { text } = await whileTimePasses(actOn(first.admin, 'refresh'));
    expect(JSON.parse(text)).toEqual({ lists: [expect.objectContaining({ records: 4 })] });
  });

  it('reports that where it fetched nothing', async () => {
    const { instances, one, pass } = await startInstances(servesTeams(2));
    const [first] = instances;
    await first.ask();
    await pass(2_000);
    first.shared.connection.isAvailable = false;
    await pass(2_000);
    one.handler = faulty.status(500);
    const refreshed = JSON.parse((await actOn(first.admin, 'refresh')).text) as unknown;
    expect(refreshed).toMatchObject({ onlyThisInstance: true, lists: [{ state: 'stale', records: 2 }] });
  });
});

describe('confirm-shrink in one of several instances', () => {
  it('accepts the number that another instance doubts, in all instances', async () => {
    const { instances, one, clock, pass, whileTimePasses } = await startInstances(servesTeams(50));
    for (const { ask } of instances) await ask();
    await pass(2_000);
    one.handler = servesTeams(3);
    clock.advance(HOUR);
    const [first, second, third] = instances;
    await whileTimePasses(first.ask());
    expect(await first.ask()).toContain('reason=shrunk');
    expect(await readListStatus(first.admin)).toMatchObject({ doubt: { records: 3, trustedRecords: 50 } });
    const { status, text } = await whileTimePasses(actOn(second.admin, 'confirm-shrink'));
    expect(status).toBe(200);
    expect(listIn(text)).toMatchObject({ state: 'fresh', records: 3 });
    await pass(500);
    for (const { ask, admin } of instances) {
      expect(await ask()).toMatch(/^one;state=fresh;records=3;/);
      expect(await readListStatus(admin)).not.toHaveProperty('doubt');
    }
    expect(await actOn(third.admin, 'confirm-shrink')).toMatchObject({ status: 409 });
  });

  it('is not undone by the result of an instance that doubts the number still', async () => {
    const { instances, one, clock, pass, whileTimePasses } = await startInstances(servesTeams(50));
    for (const { ask } of instances) await ask();
    await pass(2_000);
    one.handler = servesTeams(0);
    clock.advance(HOUR);
    const [first, second] = instances;
    await whileTimePasses(first.ask());
    await first.ask();
    const held = faulty.holdResponses(servesTeams(0));
    one.handler = held.handler;
    one.forget();
    const refresh = actOn(first.admin, 'refresh');
    await expect.poll(() => one.requests.length).toBeGreaterThan(0);
    const confirmation = actOn(second.admin, 'confirm-shrink');
    await pass(500);
    one.handler = servesTeams(0);
    held.release();
    expect(listIn((await whileTimePasses(refresh)).text)).toMatchObject({ state: 'stale', reason: 'shrunk' });
    expect(listIn((await whileTimePasses(confirmation)).text)).toMatchObject({ state: 'fresh', records: 0 });
    await pass(2_000);
    expect(await first.ask()).toMatch(/^one;state=fresh;records=0;/);
  });
});

describe('a smaller number of records', () => {
  it('is accepted after confirm-shrink, whichever instances fetch meanwhile', async () => {
    const { instances, one, clock, pass, whileTimePasses } = await startInstances(servesTeams(50), {
      defaults: { ttl: '10m', 'confirm-shrink': '1h', 'stale-if-error': '24h' },
    });
    for (const { ask } of instances) await ask();
    await pass(2_000);
    one.handler = servesTeams(3);
    const states: string[] = [];
    for (let at = 0; at < 8; at += 1) {
      clock.advance(11 * MINUTE);
      const { ask } = instances[at % 3] ?? instances[0];
      await whileTimePasses(ask());
      await pass(300);
      states.push((await ask()).includes('records=3') ? 'accepted' : 'doubted');
    }
    expect(states).toEqual([...Array<string>(6).fill('doubted'), 'accepted', 'accepted']);
  });

  it('is doubted by an instance that sees the source for the first time', async () => {
    const { instances, one, clock, pass, whileTimePasses } = await startInstances(servesTeams(50));
    const [first, second, third] = instances;
    await first.ask();
    await pass(2_000);
    one.handler = servesTeams(3);
    clock.advance(HOUR);
    await whileTimePasses(first.ask());
    await first.ask();
    expect(await whileTimePasses(second.ask())).toMatch(/^one;state=stale;reason=shrunk;records=50;/);
    expect(await readListStatus(second.admin)).toMatchObject({ doubt: { records: 3, trustedRecords: 50 } });
    expect(await whileTimePasses(actOn(third.admin, 'confirm-shrink'))).toMatchObject({ status: 200 });
  });
});

describe('forget in one of several instances', () => {
  it('lets no instance serve what was forgotten', async () => {
    const { instances, one, pass } = await startInstances(servesTeams(50));
    const [first, second, third] = instances;
    await first.ask();
    await second.ask();
    await pass(2_000);
    one.handler = faulty.status(500);
    const { text } = await actOn(third.admin, 'forget');
    expect(JSON.parse(text)).toEqual({ forgotten: true });
    await pass(500);
    for (const { gateway, admin } of instances) {
      expect(await gateway.get('/data/v1/teams')).toMatchObject({ status: 502 });
      expect(await readListStatus(admin)).not.toHaveProperty('records');
    }
  });

  it('drops the trusted number of records in all instances', async () => {
    const { instances, one, pass, whileTimePasses } = await startInstances(servesTeams(50));
    const [first, second, third] = instances;
    for (const { ask } of instances) await ask();
    await pass(2_000);
    await actOn(first.admin, 'forget');
    await pass(500);
    one.handler = servesTeams(1);
    expect(await whileTimePasses(second.ask())).toMatch(/^one;state=fresh;records=1;/);
    await pass(2_000);
    expect(await third.ask()).toMatch(/^one;state=fresh;records=1;/);
  });

  it('keeps what is fetched afterwards, also in the instance that forgets', async () => {
    const { instances, one, pass, whileTimePasses } = await startInstances(servesTeams(50));
    for (const { ask } of instances) await ask();
    const requestsOfOneFetch = one.requests.length;
    await pass(2_000);
    one.handler = servesTeams(4);
    await actOn(instances[0].admin, 'forget');
    one.forget();
    await whileTimePasses(instances[0].ask());
    await pass(3_000);
    for (const { ask } of instances) expect(await ask()).toMatch(/^one;state=fresh;records=4;/);
    expect(one.requests).toHaveLength(requestsOfOneFetch);
  });

  it('starts a fetch in progress in another instance again', async () => {
    const { instances, one, pass, whileTimePasses } = await startInstances(servesTeams(2));
    const held = faulty.holdResponses(servesTeams(50));
    one.handler = held.handler;
    one.forget();
    const [first, second] = instances;
    const waiting = second.ask();
    await expect.poll(() => one.requests.length).toBeGreaterThan(0);
    await actOn(first.admin, 'forget');
    await pass(500);
    one.handler = servesTeams(3);
    held.release();
    expect(await whileTimePasses(waiting)).toMatch(/^one;state=fresh;records=3;/);
  });

  it('does not let a snapshot come into force that was published before', async () => {
    const { instances, one, pass, whileTimePasses } = await startInstances(servesTeams(2));
    for (const { ask } of instances) await ask();
    await pass(2_000);
    one.handler = servesTeams(50);
    const [first, second] = instances;
    const refresh = actOn(second.admin, 'refresh');
    await pass(200);
    one.handler = servesTeams(3);
    await actOn(first.admin, 'forget');
    await whileTimePasses(refresh);
    await pass(3_000);
    for (const { ask } of instances) expect(await ask()).toMatch(/^one;state=fresh;records=3;/);
  });

  it('concerns members data, too', async () => {
    const { instances, one, pass } = await startInstances(servesTeams(2), {
      access: ACCESS,
    });
    const [first, second] = instances;
    for (const { gateway } of instances) await gateway.get('/data/v1/teams?scope=members', AS_MEMBER);
    await pass(2_000);
    await actOn(first.admin, 'forget');
    await pass(500);
    one.handler = faulty.status(500);
    expect(await second.gateway.get('/data/v1/teams?scope=members', AS_MEMBER)).toMatchObject({ status: 502 });
  });

  it('reports where the others cannot be reached, which forget when they reach the memory again', async () => {
    const { instances, one, pass } = await startInstances(servesTeams(50));
    const [first, second, third] = instances;
    for (const { ask } of instances) await ask();
    await pass(2_000);
    first.shared.connection.isAvailable = false;
    expect(JSON.parse((await actOn(first.admin, 'forget')).text)).toEqual({ forgotten: true, onlyThisInstance: true });
    expect(await second.ask()).toContain('records=50');
    third.shared.connection.isAvailable = false;
    await actOn(second.admin, 'forget');
    await pass(1_000);
    one.handler = faulty.status(500);
    expect(await third.ask()).toContain('records=50');
    third.shared.connection.isAvailable = true;
    await pass(1_000);
    expect(await third.gateway.get('/data/v1/teams')).toMatchObject({ status: 502 });
  });
});
