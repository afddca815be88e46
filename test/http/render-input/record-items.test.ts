import { describe, expect, it } from 'vitest';
import { createRecordItems } from '../../../src/http/render-input/record-items.js';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import { createProjector } from '../../../src/projection/record-projector.js';
import { teamRecordSet } from '../../support/unit/team-record-set.js';

const { records } = teamRecordSet('harbour', 1, [
  { slug: 'a b', 'short-team-name': 'A', 'official-team-name': 'Team A', host: 'H' },
  { slug: 'c', 'official-team-name': 'Team C' },
]);

const project = createProjector(directoryTeams, 'public', ['host']);

describe('the items of a list', () => {
  it('have id, name, source and address whatever properties are shown', () => {
    const items = createRecordItems(records, {
      resource: directoryTeams,
      project,
      listAddress: 'https://r.example/directory/v1/teams',
    });
    expect([...items]).toMatchObject([
      {
        title: 'A',
        sourceName: 'harbour',
        address: `https://r.example/directory/v1/teams/${encodeURIComponent(records[0]?.id ?? '')}.json`,
        properties: new Map([['host', 'H']]),
      },
      { title: 'Team C', properties: new Map() },
    ]);
  });

  it('have the statements about their keys', () => {
    const [first] = records;
    const keyProblems = new Map(first === undefined ? [] : [[first, ['Key: cannot be read']]]);
    const items = createRecordItems(records, { resource: directoryTeams, project, listAddress: '', keyProblems });
    expect(Array.from(items, (item) => item.keyProblems)).toEqual([['Key: cannot be read'], undefined]);
  });

  it('have no address where the id has no UTF-8', () => {
    const { records: odd } = teamRecordSet('harbour', 1, [{ slug: '\ud800' }]);
    const listAddress = 'https://r.example/directory/v1/teams';
    const [item] = createRecordItems(odd, { resource: directoryTeams, project, listAddress });
    expect([item?.id.endsWith('\ud800'), item?.address]).toEqual([true, undefined]);
  });

  it('have no address where the gateway has no public URL', () => {
    const [item] = createRecordItems(records, { resource: directoryTeams, project, listAddress: undefined });
    expect([item?.id, item?.address]).toEqual([records[0]?.id, undefined]);
  });
});
