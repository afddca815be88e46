import { afterEach, describe, expect, it } from 'vitest';
import { closeAdminPorts, requestAdmin } from '../../support/gateway/admin-port.js';
import { readListStatus } from '../../support/admin/sources-report.js';
import { fieldsOf } from '../../support/gateway/data-gateway.js';
import { closeInstances, servesTeams, startInstances } from '../../support/gateway/sharing/operated-instances.js';
import * as faulty from '../../support/upstream/faulty-responses.js';

afterEach(async () => {
  closeAdminPorts();
  await closeInstances();
});

const HOUR = 3_600_000;

async function readSharing(admin: string): Promise<unknown> {
  return fieldsOf(JSON.parse((await requestAdmin(admin, '/sources')).text))['sharing'];
}

async function readPage(admin: string): Promise<string> {
  return (await requestAdmin(admin, '/sources?format=html')).text;
}

describe('/sources of one of several instances', () => {
  it('says that the instance shares its lists, and while it does not, since when and why', async () => {
    const { instances, clock } = await startInstances(servesTeams(2));
    const [{ admin, shared }, other] = instances;
    expect(await readSharing(admin)).toEqual({
      ...{ reachable: true, since: '2026-01-01T00:00:00+00:00' },
      description: 'This instance shares its lists with the others',
    });
    expect(await readPage(admin)).toContain('This instance shares its lists with the others');
    clock.advance(5_000);
    shared.isCutOff = true;
    await Promise.all([shared.poll(), other.shared.poll()]);
    expect(await readSharing(admin)).toEqual({
      ...{ reachable: false, since: '2026-01-01T00:00:05+00:00' },
      description: 'Redis does not answer: this instance reads all lists by itself',
      error: 'Redis is not connected',
    });
    expect(await readPage(admin)).toContain('Redis does not answer');
    expect(await readPage(admin)).toContain('Redis is not connected');
    expect(await readSharing(other.admin)).toMatchObject({ reachable: true });
  });

  it('says which instance read a list', async () => {
    const { instances } = await startInstances(servesTeams(2));
    const [first, second] = instances;
    await first.ask();
    await second.ask();
    expect(await readListStatus(first.admin)).toMatchObject({ sharing: { fetchedBy: 'this instance' } });
    const adopted = { sharing: { fetchedBy: 'another instance' }, records: 2, condition: 'ok' };
    expect(await readListStatus(second.admin)).toMatchObject(adopted);
    expect(await readPage(second.admin)).toContain('fetchedBy: another instance');
  });

  it('shows a failure that another instance met, and its end', async () => {
    const { instances, one, clock } = await startInstances(servesTeams(2));
    const [first, second] = instances;
    for (const { ask } of instances) await ask();
    one.handler = faulty.status(403);
    clock.advance(HOUR);
    await first.ask();
    await second.ask();
    const failed = { consecutiveFailures: 1, condition: 'warning', lastError: { reason: 'status' } };
    expect(await readListStatus(second.admin)).toMatchObject(failed);
    one.handler = servesTeams(3);
    clock.advance(HOUR);
    await first.ask();
    await second.ask();
    expect(await readListStatus(second.admin)).toMatchObject({ consecutiveFailures: 0, condition: 'ok', records: 3 });
  });
});

describe('the metrics of an instance that adopts a list', () => {
  it('have its records and its age, and count no fetch', async () => {
    const { instances } = await startInstances(servesTeams(2));
    const [first, second] = instances;
    await first.ask();
    await second.ask();
    const labels = '{source="one",resource="data-teams"}';
    const fetches = 'rollcall_source_fetches_total{source="one",resource="data-teams",state="fresh",reason=""}';
    const gauges = [
      `rollcall_source_records${labels} 2`,
      `rollcall_source_fetched_timestamp_seconds${labels} 1767225600`,
    ];
    const [ofFirst, ofSecond] = [await first.gateway.metrics(), await second.gateway.metrics()];
    for (const gauge of gauges) expect(ofSecond).toContain(gauge);
    expect(ofFirst).toContain(`${fetches} 1\n`);
    expect(ofSecond).not.toContain(`${fetches} 1\n`);
  });
});
