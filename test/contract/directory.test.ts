import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { testConformance } from './conformance.js';
import { testOffsetPaging } from './offset-paging.js';
import { OFFSET_PAGES } from './offset-paging/offset-fixture.js';
import type { OffsetDialectFixture } from './offset-paging/offset-fixture.js';

const directoryTeams: OffsetDialectFixture = {
  ...OFFSET_PAGES,
  name: 'directory teams',
  list: '/directory/v1/teams',
  records: (count) =>
    Array.from({ length: count }, (_, at) => ({
      'short-team-name': `Team ${String(at).padStart(5, '0')}`,
      email: `team-${at}@example.org`,
    })),
  serve: directoryUpstream,
  source: (address) => ({ directory: address }),
  short: ['inconsistent', 'total'],
  nameOf: (record) => String(record['short-team-name']),
};

testConformance(directoryTeams);
testOffsetPaging(directoryTeams);
