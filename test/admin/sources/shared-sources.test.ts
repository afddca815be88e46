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
  it('says that the instance is in agreement with the others', async () => {
    const { instances, pass } = await startInstances(servesTeams(2));
    await pass(2_000);
    expect(await readSharing(instances[0].admin)).toMatchObject({ inAgreement: true });
    expect(await readPage(instances[0].admin)).toContain('This instance is in agreement with the others');
  });

  it('says why it is not, since when, with which consequence and error', async () => {
    const { instances, pass } = await startInstances(servesTeams(2));
    await pass(2_000);
    instances[0].shared.connection.isAvailable = false;
    await pass(2_000);
    expect(await readSharing(instances[0].admin)).toMatchObject({
      inAgreement: false,
      since: expect.stringMatching(/^2026-01-01T00:00:0[234]/) as unknown,
      reason: 'unreachable',
      description: 'Redis does not answer: this instance fetches by itself, and its responses have no Last-Modified',
      lastError: { message: 'the shared memory does not answer' },
    });
    const page = await readPage(instances[0].admin);
    expect(page).toContain('Redis does not answer');
    expect(page).toContain('the shared memory does not answer');
    expect(await readSharing(instances[1].admin)).toMatchObject({ inAgreement: true });
  });

  it('says which instance fetched a list, and whether all serve it', async () => {
    const { instances, pass } = await startInstances(servesTeams(2));
    const [first, second] = instances;
    await first.ask();
    await second.ask();
    await pass(2_000);
    const own = { sharing: { agreed: true, fetchedBy: 'this instance' } };
    const adopted = { sharing: { agreed: true, fetchedBy: 'another instance' } };
    expect(await readListStatus(first.admin)).toMatchObject(own);
    expect(await readListStatus(second.admin)).toMatchObject({ ...adopted, records: 2, condition: 'ok' });
    expect(await readPage(second.admin)).toContain('fetchedBy: another instance');
  });

  it('shows a failure that another instance met, and its end', async () => {
    const { instances, one, clock, pass, whileTimePasses } = await startInstances(servesTeams(2));
    const [first, second] = instances;
    for (const { ask } of instances) await ask();
    await pass(2_000);
    one.handler = faulty.status(403);
    clock.advance(HOUR);
    await whileTimePasses(first.ask());
    await second.ask();
    const failed = { consecutiveFailures: 1, condition: 'warning', lastError: { reason: 'status' } };
    await expect.poll(() => readListStatus(second.admin)).toMatchObject(failed);
    one.handler = servesTeams(3);
    clock.advance(10_000);
    await whileTimePasses(first.ask());
    await pass(2_000);
    expect(await readListStatus(second.admin)).toMatchObject({ consecutiveFailures: 0, condition: 'ok', records: 3 });
  });
});

describe('the metrics of an instance that adopts a list', () => {
  it('have its records and its age, and count no fetch', async () => {
    const { instances, pass } = await startInstances(servesTeams(2));
    const [first, second] = instances;
    await first.ask();
    await second.ask();
    await pass(2_000);
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
