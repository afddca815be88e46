import { expect, it } from 'vitest';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { defaultScopeAccess } from '../../src/model/resources/team-scopes.js';
import { parseQuery } from '../../src/query/parse-query.js';

const vocabulary = {
  resource: directoryTeams,
  sourceNames: ['First', 'Meta'],
  codes: ['first', 'meta'],
  properties: ['rank'],
  aggregate: true,
};
const rules = { vocabulary, limit: { default: 100, max: 10_000 }, envelope: false, scopeAccess: defaultScopeAccess };

it.each([
  ['-last-modified', 'last-modified', true],
  ['-short-team-name', 'short-team-name', true],
  ['-rank', 'rank', true],
  ['-first-member-type', '-first-member-type', false],
  ['--first-member-type', '-first-member-type', true],
  ['-elsewhere-member-type', '-elsewhere-member-type', false],
  ['--elsewhere-member-type', '-elsewhere-member-type', true],
])(
  'with an aggregate, which may have any property, sort=%s sorts by %s (descending: %s)',
  (sort, property, descending) => {
    const parsed = parseQuery(`sort=${sort}`, rules, 'public');
    expect(parsed).toMatchObject({ query: { order: [{ property, descending }] } });
  },
);
