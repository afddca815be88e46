import { describe, expect, it } from 'vitest';
import { send, startDocument } from './document-scene.js';
import type { DocumentScene } from './document-scene.js';

const document = (address: string): object => ({
  url: `${address}/teams`,
  map: { id: 'uuid', 'short-team-name': 'name', email: 'mail' },
});

async function idsOf({ gateway }: DocumentScene): Promise<unknown> {
  const { json } = await gateway.get('/data/v1/teams?fields=id,team&envelope=false&pretty=0');
  return json;
}

describe('the identity of a team in a document', () => {
  it('is what its expression gives, else it is made of the name', async () => {
    const scene = await startDocument(
      send([
        { uuid: 'u-1', name: 'ACORN' },
        { uuid: 7, name: 'BIRCH' },
        { name: 'CEDAR' },
        { uuid: ' ', name: 'DOGWOOD' },
      ]),
      document,
    );
    expect(await idsOf(scene)).toEqual([
      { id: 'one.u-1', team: 'ACORN' },
      { id: 'one.7', team: 'BIRCH' },
      { id: 'one.cedar', team: 'CEDAR' },
      { id: 'one.dogwood', team: 'DOGWOOD' },
    ]);
  });

  it('stays when the team gets another name, and is read in the worker thread too', async () => {
    const entries = Array.from({ length: 4_000 }, (_, at) => ({
      uuid: `u-${at}`,
      name: `T${at}`,
      mail: 'a@example.org',
    }));
    const scene = await startDocument(send(entries), document);
    const find = (name: string): Promise<unknown> =>
      scene.gateway.get(`/data/v1/teams?team=${name}&fields=id&envelope=false&pretty=0`).then(({ json }) => json);
    expect(await find('T3999')).toEqual([{ id: 'one.u-3999' }]);
    scene.upstream.handler = send(entries.map((entry) => ({ ...entry, name: `New ${entry.name}` })));
    scene.clock.advance(3_600_000);
    expect(await find('New%20T3999')).toEqual([{ id: 'one.u-3999' }]);
  });

  it('that several teams claim is of none of them, and no team is lost', async () => {
    const scene = await startDocument(
      send([
        { uuid: 'u-1', name: 'ACORN', mail: 'a@example.org' },
        { uuid: 'u-1', name: 'BIRCH', mail: 'b@example.org' },
      ]),
      document,
    );
    const ids = await idsOf(scene);
    expect(ids).toHaveLength(2);
    expect(JSON.stringify(ids)).toMatch(/"one\.~[0-9a-f]{8}".*"one\.~[0-9a-f]{8}"/);
  });

  it('is that of the team where the list has the same team several times: the copies are left out', async () => {
    const acorn = { uuid: 'u-1', name: 'ACORN', mail: 'a@example.org' };
    const scene = await startDocument(send([acorn, { uuid: 'u-2', name: 'BIRCH' }, acorn, acorn]), document);
    const { headers, json } = await scene.gateway.get('/data/v1/teams?fields=id&envelope=false&pretty=0');
    expect(json).toEqual([{ id: 'one.u-1' }, { id: 'one.u-2' }]);
    expect(headers.get('source-status')).toContain('state=fresh;records=2');
    expect(scene.gateway.log.find(({ message }) => message === 'source drained')?.facts).toMatchObject({
      findings: { 'repeated-id id': 2 },
    });
    expect((await scene.gateway.get('/data/v1/teams/one.u-1')).status).toBe(200);
  });

  it('makes no two teams one by a number that is rounded before `to_string` reads it', async () => {
    const body = '[{"uuid":12345678901234567890,"name":"ACORN"},{"uuid":12345678901234567891,"name":"ACORN"}]';
    const scene = await startDocument(send(body), (address) => ({
      url: `${address}/teams`,
      format: 'json',
      map: { id: 'to_string(uuid)', 'short-team-name': 'name' },
    }));
    expect(await idsOf(scene)).toHaveLength(2);
  });
});
