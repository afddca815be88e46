import { describe, expect, it } from 'vitest';
import { send, startDocument } from './document-scene.js';

const entries = (count: number): Record<string, unknown>[] =>
  Array.from({ length: count }, (_, at) => ({
    uuid: `u${at}`,
    name: `T${at}`,
    mail: `t${at}@example.org`,
    country: 'no',
    level: 'A',
  }));

const document = (address: string): object => ({
  url: `${address}/teams`,
  map: {
    id: 'uuid',
    'short-team-name': 'name',
    email: 'mail',
    'country-code': 'upper(country)',
    host: 'host',
    '-one-level': 'level',
  },
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
    // A name that no token of a structured field may have.
    ['level', '"-one-level"'],
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
      expect(failed?.facts).toMatchObject({ reason: 'schema', missing: property.replaceAll('"', '') });
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

  it.each(["status != 'retired'", "tags[?@ == 'current']", "!(status == 'retired') && name"])(
    'is served stale when the condition %s has nothing to compare any more',
    async (only) => {
      const listed = entries(6).map((entry, at) => ({
        ...entry,
        status: at < 2 ? 'retired' : 'active',
        tags: ['current'],
      }));
      const scene = await startDocument(send(listed), (address) => ({ ...document(address), only }));
      const before = await scene.gateway.get(TEAMS);
      scene.upstream.handler = send(
        listed.map(({ status: state, tags: labels, ...entry }) => ({ ...entry, state, labels })),
      );
      scene.clock.advance(3_600_000);
      const stale = await scene.gateway.get(TEAMS);
      expect(stale.text).toBe(before.text);
      expect(stale.headers.get('source-status')).toMatch(/reason=schema;missing="\(only\) (?:status|tags)"/);
    },
  );

  it.each([
    ['its condition leaves out all entries', entries(6).map((entry) => ({ ...entry, status: 'retired' }))],
    ['its list is empty', []],
  ])('is served stale when %s', async (_what, after) => {
    const listed = entries(6).map((entry) => ({ ...entry, status: 'active' }));
    const only = "status != 'retired'";
    const scene = await startDocument(send(listed), (address) => ({ ...document(address), only }));
    const before = await scene.gateway.get(TEAMS);
    scene.upstream.handler = send(after);
    scene.clock.advance(3_600_000);
    const stale = await scene.gateway.get(TEAMS);
    expect(stale.text).toBe(before.text);
    expect(stale.headers.get('source-status')).toContain('state=stale;reason=schema');
  });

  it('names the first entry for which an expression failed, with what the library says', async () => {
    const [first, second, third] = entries(3);
    const broken = [first, { ...second, country: 7 }, { ...third, country: 8 }];
    const scene = await startDocument(send(broken), document);
    await scene.gateway.get(TEAMS);
    const drained = scene.gateway.log.find(({ message }) => message === 'source drained');
    expect(drained?.facts).toMatchObject({
      findings: { 'expression-failed country-code': 2 },
      failed: { 'country-code': expect.stringMatching(/^entry 2: .*string/) as string },
    });
  });

  it('has no value, and the default, where an expression gives an empty list or only nulls', async () => {
    const scene = await startDocument(send([{ name: 'ACORN', phones: [] }]), (address) => ({
      url: `${address}/teams`,
      map: { 'short-team-name': 'name', 'phone-numbers': 'phones[].number', website: '[web, home]' },
      defaults: { 'phone-numbers': '+47 5550 0100' },
    }));
    const { json } = await scene.gateway.get('/directory/v1/teams?pretty=0');
    expect(json).toEqual([{ 'short-team-name': 'ACORN', 'phone-numbers': ['+47 5550 0100'], 'source-name': 'One' }]);
    const drained = scene.gateway.log.find(({ message }) => message === 'source drained');
    expect(drained?.facts).toMatchObject({ findings: { 'expression-empty phone-numbers': 1 } });
  });
});
