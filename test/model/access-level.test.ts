import { expect, it } from 'vitest';
import { MemoryBudget } from '../../src/cache/memory-budget.js';
import { SingleFlight } from '../../src/cache/single-flight.js';
import { MergedList } from '../../src/gateway/merged-list.js';
import type { RenderKey } from '../../src/http/representation/outgoing-response.js';
import { isAccessSufficient } from '../../src/model/access-level.js';
import { dataTeams } from '../../src/model/resources/data-teams.js';
import { RecordSet } from '../../src/records/record-set.js';
import type { SourceQuery } from '../../src/source/request/source-query.js';

it('lets members have everything, and the public only what is public', () => {
  expect(isAccessSufficient('members', 'members')).toBe(true);
  expect(isAccessSufficient('members', 'public')).toBe(true);
  expect(isAccessSufficient('public', 'public')).toBe(true);
  expect(isAccessSufficient('public', 'members')).toBe(false);
});

// `npm run types` fails if one of these lines compiles.
it('is part of the type of every key, query, record set and shared body', () => {
  const level = new MemoryBudget(1).addLevel<object>();
  // @ts-expect-error: a key of a cache begins with an access level
  expect(level.get('data-teams?sort=team')).toBeUndefined();
  // @ts-expect-error: so does the key of shared work
  expect(new SingleFlight().isInFlight('one data-teams  {}')).toBe(false);
  // @ts-expect-error: a query to a source has an access level
  const query: SourceQuery = { resource: dataTeams, parameters: {} };
  // @ts-expect-error: a rendered body is shared between public responses only
  const key: RenderKey = { name: 'members data-teams?sort=team', version: '1' };
  // @ts-expect-error: records have an access level
  const set = new RecordSet(dataTeams, { sourceNumber: 1 }, []);
  expect([query.parameters, key.version, set.sourceNumber]).toEqual([{}, '1', 1]);
});

it('of records must be that of the query whose list they are merged into', () => {
  const members = new RecordSet(dataTeams, { sourceNumber: 1, access: 'members' }, []);
  const selection = { access: 'public', predicates: [], order: [dataTeams.defaultSort] } as const;
  expect(() => new MergedList(selection, [members], 1)).toThrow('another access level');
});
