import { describe, expect, it } from 'vitest';
import { send, startDocument } from './document-scene.js';

const entries = (count: number): Record<string, unknown>[] =>
  Array.from({ length: count }, (_, at) => ({
    uuid: `u${at}`,
    name: `T${at}`,
    mail: `t${at}@example.org`,
    country: 'no',
  }));

const document = (address: string): object => ({
  url: `${address}/teams`,
  map: { id: 'uuid', 'short-team-name': 'name', email: 'mail', 'country-code': 'upper(country)', host: 'host' },
  defaults: { 'country-code': 'AT' },
});

const TEAMS = '/directory/v1/teams?limit=1';

const rename = (list: readonly Record<string, unknown>[], from: string): object[] =>
  list.map(({ [from]: value, ...entry }) => ({ ...entry, renamed: value }));

describe('a document with another shape than before', () => {
  it.each([
    ['mail', 'email'],
    // Its default would make every team one of another country.
    ['country', 'country-code'],
    // All teams would get other ids.
    ['uuid', 'id'],
    ['name', 'short-team-name'],
  ])(
    'is served stale when the column %s has another name, and the status names the property %s',
    async (from, property) => {
      const scene = await startDocument(send(entries(4)), document);
      const before = await scene.gateway.get(TEAMS);
      scene.upstream.handler = send(rename(entries(5), from));
      scene.clock.advance(3_600_000);
      const stale = await scene.gateway.get(TEAMS);
      expect(stale.text).toBe(before.text);
      expect(stale.headers.get('source-status')).toContain(`reason=schema;missing=${property}`);
      const failed = scene.gateway.log.find(({ message }) => message === 'source failed');
      expect(failed?.facts).toMatchObject({ reason: 'schema', missing: property });
    },
  );

  it('is served stale when half of its records lack the name', async () => {
    const scene = await startDocument(send(entries(4)), document);
    await scene.gateway.get(TEAMS);
    scene.upstream.handler = send([...entries(2), ...rename(entries(4).slice(2), 'name')]);
    scene.clock.advance(3_600_000);
    const stale = await scene.gateway.get(TEAMS);
    expect(stale.headers.get('source-status')).toMatch(/state=stale;.*missing=short-team-name.*records=4/);
  });

  it('is accepted when the last snapshot is too old to be served', async () => {
    const scene = await startDocument(send(entries(4)), document);
    await scene.gateway.get(TEAMS);
    scene.upstream.handler = send(rename(entries(5), 'mail'));
    scene.clock.advance(26 * 3_600_000);
    const accepted = await scene.gateway.get(TEAMS);
    expect(accepted.headers.get('source-status')).toContain('state=fresh;records=5');
  });

  it('is accepted when an optional property of few records disappears', async () => {
    const [first, ...others] = entries(4);
    const scene = await startDocument(send([{ ...first, host: 'Acorn' }, ...others]), document);
    await scene.gateway.get(TEAMS);
    scene.upstream.handler = send(entries(4));
    scene.clock.advance(3_600_000);
    expect((await scene.gateway.get(TEAMS)).headers.get('source-status')).toContain('state=fresh;records=4');
  });

  it('names each expression that gives nothing for any record as a finding', async () => {
    const scene = await startDocument(send(entries(3)), document);
    await scene.gateway.get(TEAMS);
    const drained = scene.gateway.log.find(({ message }) => message === 'source drained');
    expect(drained?.facts).toMatchObject({ findings: { 'expression-empty host': 1 } });
  });
});
