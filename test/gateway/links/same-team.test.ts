import { describe, expect, it } from 'vitest';
import { SameTeamFinder } from '../../../src/gateway/links/same-team.js';
import type { LinkReason } from '../../../src/gateway/links/team-link.js';
import type { RecordSet } from '../../../src/records/record-set.js';
import { hashFact } from '../../../src/gateway/links/fact-index.js';
import { teamRecordSet } from '../../support/unit/team-record-set.js';
import type { TeamInput } from '../../support/unit/team-record-set.js';

const NORWAY = { 'country-code': 'NO' };
const NAMED = { ...NORWAY, 'short-team-name': 'Acorn CERT' };
const KEY = '0x0123456789abcdef0123456789abcdef01234567';
const TEAM = { slug: 'acorn', 'short-team-name': 'Acorn CERT', 'country-code': 'NO' };
const SAME_KEY: LinkReason = { kind: 'key', fingerprint: KEY.slice(2).toUpperCase() };
const SAME_ADDRESS: LinkReason = { kind: 'e-mail', address: 'cert@acorn.example.org' };
const SAME_NAME: LinkReason = { kind: 'domain-and-name', domain: 'example.org', name: 'Acorn CERT' };

/** The reasons of all links of the first record of the first set, by the id of the linked record. */
async function reasonsOf(...sets: readonly RecordSet[]): Promise<Record<string, readonly LinkReason[]>> {
  const record = sets[0]?.records[0];
  if (record === undefined) throw new Error('there is no record');
  const links = (await SameTeamFinder.over(sets)).find(record);
  return Object.fromEntries(links.map((link) => [link.record.id, link.reasons]));
}

/** The reasons of the links of one team to one team of another repository. */
async function reasonsBetween(
  one: Omit<TeamInput, 'slug'>,
  other: Omit<TeamInput, 'slug'>,
): Promise<readonly LinkReason[]> {
  const sets = [teamRecordSet('one', 1, [{ slug: 'a', ...one }]), teamRecordSet('two', 2, [{ slug: 'b', ...other }])];
  const [forth = []] = Object.values(await reasonsOf(...sets));
  const [back = []] = Object.values(await reasonsOf(...sets.reverse()));
  expect(back.map(({ kind }) => kind)).toEqual(forth.map(({ kind }) => kind));
  return forth;
}

describe('two records of different repositories', () => {
  it('are linked by the same fingerprint in any writing', async () => {
    expect(
      await reasonsBetween(
        { ...NAMED, enckeys: [KEY] },
        { ...NAMED, enckeys: ['0x1234', KEY.toUpperCase().replace('0X', '0x')] },
      ),
    ).toEqual([SAME_KEY]);
  });

  it('are linked by the same e-mail address, one of several, in any case', async () => {
    const several = 'abuse@acorn.example.org; CERT@Acorn.Example.ORG';
    expect(await reasonsBetween({ ...NAMED, email: 'cert@acorn.example.org' }, { ...NAMED, email: several })).toEqual([
      SAME_ADDRESS,
      SAME_NAME,
    ]);
  });

  it('are linked by names that are equal after folding, in the same registrable domain', async () => {
    const one = { 'short-team-name': 'Acorn CERT', email: 'cert@acorn.example.org' };
    const other = { 'short-team-name': 'ÁCORN-cert', website: ['https://www.example.org/security'] };
    expect(await reasonsBetween({ ...NORWAY, ...one }, { ...NORWAY, ...other })).toEqual([SAME_NAME]);
    const official = { 'official-team-name': 'Acorn Response' };
    expect(await reasonsBetween({ ...one, ...official }, { ...NORWAY, ...other, ...official })).toEqual([SAME_NAME]);
    const [eth, plain] = ['Sparisjóður', 'Sparisjodur'].map((name) => ({ ...NORWAY, 'official-team-name': name }));
    expect(await reasonsBetween({ ...one, ...eth }, { ...other, ...plain })).toEqual([SAME_NAME]);
    for (const without of [other, { ...other, ...official }])
      expect(await reasonsBetween(one, { ...NORWAY, ...without })).toEqual([]);
  });

  it.each([
    ['a short key id', { enckeys: ['0x0123456789abcdef'] }, { enckeys: ['0x0123456789abcdef'] }],
    [
      'a placeholder in the form of a fingerprint',
      { enckeys: [`0x${'0'.repeat(40)}`] },
      { enckeys: [`0x${'0'.repeat(40)}`] },
    ],
    ['a domain', { website: ['https://a.gov.example.org'] }, { website: ['https://b.gov.example.org'] }],
    ['a name', { 'short-team-name': 'Acorn CERT' }, { 'short-team-name': 'Acorn CERT' }],
    ['text that is no address', { email: 'on request' }, { email: 'on request' }],
    ['an empty record', {}, {}],
  ])('are not linked by %s alone', async (_fact, one, other) => {
    expect(await reasonsBetween({ ...NORWAY, ...one }, { ...NORWAY, ...other })).toEqual([]);
  });

  const named = {
    'short-team-name': 'Acorn CERT',
    'official-team-name': 'Acorn Response',
    'country-code': 'NO',
    website: ['https://acorn.example.org'],
  };
  it.each([
    ['another official name', { 'official-team-name': 'Acorn Response of Denmark' }],
    ['another short name', { 'short-team-name': 'Acorn' }],
    ['another country', { 'country-code': 'DK' }],
    ['another domain', { website: ['https://acorn.example.net'] }],
    ['a domain of a provider', { website: ['https://acorn.github.io'] }],
  ])('with equal names and domains are not linked if one has %s', async (_difference, other) => {
    expect(await reasonsBetween(named, named)).toHaveLength(1);
    expect(await reasonsBetween(named, { ...named, ...other })).toEqual([]);
  });

  it.each(['CERT', 'National CSIRT', 'Gov-CERT', 'Security Team', 'Computer Emergency Response Team'])(
    'are not linked by the name %s, which many teams have',
    async (name) => {
      const team = { 'short-team-name': name, website: ['https://ministry.example.org'] };
      expect(await reasonsBetween(team, team)).toEqual([]);
    },
  );

  it('are not linked by a mailbox at a provider and a name', async () => {
    const team = (user: string): Omit<TeamInput, 'slug'> => ({
      'short-team-name': 'Acorn CERT',
      email: `${user}@gmail.com`,
    });
    expect(await reasonsBetween(team('a'), team('b'))).toEqual([]);
  });

  const shared = { enckeys: [KEY], email: 'cert@acorn.example.org' };
  const acorn = { ...shared, 'short-team-name': 'Acorn CERT', 'official-team-name': 'Acorn', 'country-code': 'NO' };
  it.each([
    ['another country', { 'country-code': 'GB' }],
    ['other names', { 'short-team-name': 'Birch CERT', 'official-team-name': 'Birch' }],
    ['another kind of team', { 'short-team-name': 'Acorn PSIRT', 'official-team-name': 'Acorn Products' }],
    ['no names', { 'short-team-name': [], 'official-team-name': [] }],
    ['one other name and no country', { 'official-team-name': 'Acorn of Denmark', 'country-code': [] }],
  ])('with the same key and address are not linked if one has %s', async (_difference, other) => {
    expect(await reasonsBetween(acorn, acorn)).toEqual([SAME_KEY, SAME_ADDRESS, SAME_NAME]);
    expect(await reasonsBetween(acorn, { ...acorn, ...other })).toEqual([]);
  });

  it.each([
    ['one other name in the same country', { 'official-team-name': 'Acorn of Oslo' }],
    ['a name without the kind of team in the same country', { 'short-team-name': 'Acorn', 'official-team-name': [] }],
    ['no country', { 'country-code': [] }],
  ])('with the same key and address are linked if one has %s', async (_difference, other) => {
    const reasons = await reasonsBetween(acorn, { ...acorn, ...other });
    expect(reasons.slice(0, 2)).toEqual([SAME_KEY, SAME_ADDRESS]);
  });

  it('with the same generic name, country, key and address are not linked', async () => {
    const desk = { ...shared, 'short-team-name': 'CERT', 'country-code': 'NO' };
    expect(await reasonsBetween(desk, desk)).toEqual([]);
  });
});

describe('a fact that a repository has of several records', () => {
  const team = { ...TEAM, email: 'cert@acorn.example.org', enckeys: [KEY] };
  const one = teamRecordSet('one', 1, [team]);
  const two = teamRecordSet('two', 2, [team]);
  const copies = (count: number): RecordSet =>
    teamRecordSet(
      'three',
      3,
      Array.from({ length: count }, (_, at) => ({ ...team, slug: `s${at}` })),
    );

  it.each([2, 101, 1_000])(
    'links the records of others, says how many have it, and links none of the %i to which a link would lead',
    async (count) => {
      const holders = count + 2;
      const shared = [SAME_KEY, SAME_ADDRESS, SAME_NAME].map((reason) => ({ ...reason, holders }));
      expect(await reasonsOf(one, two, copies(count))).toEqual({ 'two.acorn': shared });
      expect(await reasonsOf(copies(count), one, two)).toEqual({ 'one.acorn': shared, 'two.acorn': shared });
    },
  );

  it('links the one of them whose names confirm it', async () => {
    const others = { slug: 'other', email: team.email, enckeys: team.enckeys };
    const twins = teamRecordSet('two', 2, [team, others]);
    const shared = [SAME_KEY, SAME_ADDRESS].map((reason) => ({ ...reason, holders: 3 }));
    expect(await reasonsOf(one, twins)).toEqual({ 'two.acorn': [...shared, SAME_NAME] });
    expect(await reasonsOf(twins, one)).toEqual({ 'one.acorn': [...shared, SAME_NAME] });
  });

  it('links no record to two teams with one name and domain, and each of these to it', async () => {
    const website = ['https://example.org'];
    const single = teamRecordSet('one', 1, [{ slug: 'a', 'short-team-name': 'Acorn CERT', website, ...NORWAY }]);
    const twins = teamRecordSet('two', 2, [
      { ...TEAM, slug: 'b', website, 'official-team-name': 'Acorn of the Department of Roads' },
      { ...TEAM, slug: 'c', website, 'official-team-name': 'Acorn of the Department of Water' },
    ]);
    expect(await reasonsOf(single, twins)).toEqual({});
    expect(await reasonsOf(twins, single)).toEqual({ 'one.a': [{ ...SAME_NAME, holders: 3 }] });
  });
});

describe('the repositories behind one aggregate', () => {
  it('are different ones, each with its source-name', async () => {
    const [a, b] = [
      { slug: 'a', ...NAMED, email: 'cert@acorn.example.org' },
      { slug: 'b', ...NAMED, email: 'cert@acorn.example.org' },
    ];
    const names = (one: string, other: string): RecordSet =>
      teamRecordSet('relay', 1, [
        { ...a, 'source-name': one },
        { ...b, 'source-name': other },
      ]);
    expect(await reasonsOf(names('First', 'Second'))).toEqual({ 'relay.b': [SAME_ADDRESS, SAME_NAME] });
    expect(await reasonsOf(names('First', 'FIRST'))).toEqual({});
  });
});

describe('the first records of a large source', () => {
  it('are linked to other records, but none to them, because a fact may not be unique there', async () => {
    const [one, two] = [1, 2].map((number) =>
      teamRecordSet(`s${number}`, number, [{ ...TEAM, email: 'cert@acorn.example.org' }], number - 1),
    );
    if (one === undefined || two === undefined) throw new Error('there are two sets');
    expect(await reasonsOf(one, two)).toEqual({});
    expect(await reasonsOf(two, one)).toEqual({ 's1.acorn': [SAME_ADDRESS, SAME_NAME] });
  });
});

/** 2 ** `blocks` addresses whose facts have one hash: each block has two texts after which the hash is the same. */
function collidingAddresses(blocks: number): readonly string[] {
  let users = [''];
  for (let block = 0; block < blocks; block += 1) {
    const seen = new Map<number, string>();
    for (let at = 0; seen.size === at; at += 1) {
      const text = (Math.imul(at, 0x9e3779b1) >>> 0).toString(36).padStart(7, '0');
      const hash = hashFact(`e-mail ${users[0] ?? ''}${text}`);
      const twin = seen.get(hash);
      if (twin === undefined) seen.set(hash, text);
      else users = users.flatMap((user) => [user + twin, user + text]);
    }
  }
  return users.map((user) => `${user}@example.org`);
}

describe('hostile records', () => {
  it('with thousands of addresses, keys and websites are read in part, and link nothing', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => at);
    const hostile = {
      slug: 'h',
      'short-team-name': 'x'.repeat(10_000),
      email: many.map((at) => `a${at}@example.org`).join(' '),
      website: many.map((at) => `https://${at}.example.org`),
      enckeys: many.map((at) => `0x${String(at).padStart(40, '1')}`),
    };
    const other = { slug: 'o', 'short-team-name': 'x'.repeat(10_000), email: 'a9999@example.org' };
    expect(await reasonsOf(teamRecordSet('one', 1, [hostile]), teamRecordSet('two', 2, [other]))).toEqual({});
  });

  it('with one fact in thousands of repositories are not compared with each other', async () => {
    const records = Array.from({ length: 1_000 }, (_, at) => ({
      slug: `s${at}`,
      'source-name': `Source ${at}`,
      email: 'a@example.org',
    }));
    expect(await reasonsOf(teamRecordSet('relay', 1, records))).toEqual({});
  });

  // Patterns that backtrack would take minutes.
  it('with URLs full of slashes and addresses full of dots take no longer than others', async () => {
    const website = (end: string): readonly string[] =>
      Array.from({ length: 20 }, (_, at) => `https://example.org/${'/'.repeat(60_000)}${at}${end}`);
    const email = Array.from({ length: 20 }, () => `a@${'.'.repeat(310)}@`).join(' ');
    const team = { ...TEAM, enckeys: [KEY], email };
    const one = teamRecordSet('one', 1, [{ ...team, website: website('') }]);
    const two = teamRecordSet('two', 2, [{ ...team, website: website('/') }]);
    const [record] = one.records;
    const links = record && (await SameTeamFinder.over([one, two])).find(record);
    const found = links?.map(({ reasons, disagreements }) => [reasons, disagreements.map(({ property }) => property)]);
    expect(found).toEqual([[[SAME_KEY], ['website']]]);
  });

  it('with facts of one hash are not compared, and prove nothing unique', async () => {
    const colliding = collidingAddresses(7);
    const relay = teamRecordSet(
      'relay',
      1,
      colliding.map((email, at) => ({ ...TEAM, slug: `s${at}`, 'short-team-name': `T${at}`, email })),
    );
    const other = teamRecordSet('two', 2, [{ ...TEAM, email: colliding[0] ?? '' }]);
    expect(await reasonsOf(relay, other)).toEqual({});
  });

  it('of one repository behind an aggregate hide no record of another one there', async () => {
    const team = { ...TEAM, email: 'cert@acorn.example.org', enckeys: [KEY] };
    const crowd = Array.from({ length: 300 }, (_, at) => ({ ...team, slug: `s${at}`, 'source-name': 'Crowd' }));
    const relay = teamRecordSet('relay', 1, [...crowd, { ...team, 'source-name': 'Honest' }]);
    const shared = [SAME_KEY, SAME_ADDRESS, SAME_NAME].map((reason) => ({ ...reason, holders: 302 }));
    expect(await reasonsOf(teamRecordSet('two', 2, [team]), relay)).toEqual({ 'relay.acorn': shared });
  });
});

/** The ids of each pair of the group of the record with this id. */
async function pairsOf(id: string, ...sets: readonly RecordSet[]): Promise<readonly string[]> {
  const record = sets.flatMap(({ records }) => records).find((one) => one.id === id);
  if (record === undefined) throw new Error('there is no record');
  const pairs = (await SameTeamFinder.over(sets)).findGroup(record);
  return pairs.map(({ records: [a, b], reasons }) => `${a.id} ${b.id} ${reasons.map(({ kind }) => kind).join()}`);
}

describe('the group of a record', () => {
  const keyed = { ...TEAM, slug: 'a', enckeys: [KEY] };
  const both = { ...keyed, slug: 'b', email: 'cert@acorn.example.org' };
  const addressed = { ...TEAM, slug: 'c', website: ['https://acorn.example.org'] };
  const chain = [[keyed], [both], [addressed]].map((teams, at) => teamRecordSet(`s${at}`, at + 1, teams));

  it('has the links of links, each pair with its reasons, whichever record it is asked for', async () => {
    expect(await pairsOf('s0.a', ...chain)).toEqual(['s0.a s1.b key', 's1.b s2.c domain-and-name']);
    expect(await pairsOf('s1.b', ...chain)).toEqual(['s1.b s0.a key', 's1.b s2.c domain-and-name']);
    expect(await pairsOf('s2.c', ...chain)).toEqual(['s2.c s1.b domain-and-name', 's1.b s0.a key']);
    expect(await pairsOf('s0.a', teamRecordSet('s0', 1, [keyed]))).toEqual([]);
  });

  it('has no second record of a repository by a link of a link', async () => {
    const twin = { ...addressed, slug: 'twin' };
    const sets = [teamRecordSet('s0', 1, [keyed, twin]), teamRecordSet('s1', 2, [both])];
    expect(await pairsOf('s0.a', ...sets)).toEqual(['s0.a s1.b key']);
  });

  it('has no two records that state different countries by a link of a link', async () => {
    const official = { 'official-team-name': 'Acorn Response' };
    const nowhere = { ...both, ...official, 'country-code': '' };
    const [norway, sweden] = [
      { ...keyed, ...official },
      { ...addressed, ...official, 'country-code': 'SE' },
    ];
    const unknown = { ...norway, 'country-code': '' };
    for (const teams of [
      [norway, nowhere, sweden],
      [unknown, nowhere, sweden, { ...sweden, 'country-code': 'NO' }],
    ]) {
      const sets = teams.map((team, at) => teamRecordSet(`s${at}`, at + 1, [team]));
      expect(await pairsOf('s0.a', ...sets)).toEqual(['s0.a s1.b key']);
    }
  });

  it('does not go on from a record to which several copies of one lead', async () => {
    const sets = [teamRecordSet('s0', 1, [keyed, { ...keyed, slug: 'copy' }]), ...chain.slice(1)];
    expect(await pairsOf('s0.a', ...sets)).toEqual(['s0.a s1.b key']);
  });

  it('has at most twenty records', async () => {
    const sets = Array.from({ length: 40 }, (_, at) =>
      teamRecordSet(`s${at}`, at + 1, [{ ...keyed, email: 'c@example.org' }]),
    );
    const pairs = await pairsOf('s0.a', ...sets);
    expect(new Set(pairs.flatMap((pair) => pair.split(' ').slice(0, 2))).size).toBe(20);
  });
});

describe('the disagreements of a link', () => {
  it('are the properties that both have with different facts, not with different spellings', async () => {
    const one = teamRecordSet('one', 1, [
      {
        ...TEAM,
        'official-team-name': 'Acorn Emergency Response',
        'country-code': 'GB',
        email: 'cert@acorn.example.org',
        website: ['https://www.acorn.example.org/', 'https://b.example.org'],
        'phone-numbers': ['+47 22 33 44 55'],
        enckeys: [KEY],
        host: 'Acorn Foundation',
        'operating-hours': '24/7',
      },
    ]);
    const two = teamRecordSet('two', 2, [
      {
        ...TEAM,
        'official-team-name': 'ACORN  emergency-response',
        'country-code': 'UK',
        email: 'CERT@acorn.example.org',
        website: ['http://b.example.org/', 'http://acorn.example.org'],
        'phone-numbers': ['0047 22334455', '+47 999'],
        enckeys: [KEY.replace('0123', '9999')],
        'operating-hours': '24 / 7',
      },
    ]);
    const [record] = one.records;
    const links = record && (await SameTeamFinder.over([one, two])).find(record);
    expect(links?.[0]?.disagreements).toEqual([
      { property: 'phone-numbers', here: ['+47 22 33 44 55'], there: ['0047 22334455', '+47 999'] },
      { property: 'enckeys', here: [KEY], there: [KEY.replace('0123', '9999')] },
    ]);
  });

  it('are values of over 10,000 characters that are written in different ways', async () => {
    const spell = (separator: string): TeamInput => ({
      ...TEAM,
      enckeys: [KEY],
      website: [`https://example.org/${'a'.repeat(10_000)}${separator}`],
      'phone-numbers': [`+${`1${separator}`.repeat(5_001)}`, '+999 5550'],
    });
    const findDifferent = async (separator: string): Promise<readonly string[] | undefined> => {
      const sets = [teamRecordSet('one', 1, [spell('/')]), teamRecordSet('two', 2, [spell(separator)])] as const;
      const [record] = sets[0].records;
      const links = record && (await SameTeamFinder.over(sets)).find(record);
      return links?.[0]?.disagreements.map(({ property }) => property);
    };
    expect(await findDifferent('')).toEqual(['website', 'phone-numbers']);
    expect(await findDifferent('/')).toEqual([]);
  });
});
