import { expect, it } from 'vitest';
import { send, startDocument } from './document-scene.js';

const TEAMS = '/directory/v1/teams?country=AT';

it.each([
  ['its expression fails', [{ name: 5, country: 'AT' }, { name: 'b' }, { name: 'c' }], 'upper(name)'],
  ['it is no text', '[{"name":12345678901234567890,"country":"AT"},{"name":"b"},{"name":"c"}]', 'name'],
])('a team whose name is lost because %s is not said to be missing', async (_why, body, name) => {
  const scene = await startDocument(send(body), (address) => ({
    url: `${address}/teams`,
    format: 'json',
    map: { 'short-team-name': name, 'country-code': 'country' },
  }));
  const { status, headers } = await scene.gateway.get(TEAMS);
  expect(headers.get('source-status')).toContain('state=partial;reason=unreadable');
  expect(status).toBe(502);
});

it('a team to which the source gives no name is left out, and the others are complete', async () => {
  const scene = await startDocument(send([{ country: 'AT' }, { name: 'b' }, { name: 'c' }]), (address) => ({
    url: `${address}/teams`,
    map: { 'short-team-name': 'name', 'country-code': 'country' },
  }));
  expect((await scene.gateway.get('/directory/v1/teams')).headers.get('source-status')).toContain('state=fresh');
});
