import { afterEach } from 'vitest';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { ContractFixture } from './contract-fixture.js';
import { OFFSET_PAGES } from './page-walk/offset-fixture.js';
import type { OffsetDialectFixture } from './page-walk/offset-fixture.js';

/** The kind of source with which a layer is tested that is the same for all kinds. */
export const directoryTeams: OffsetDialectFixture = {
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
  twins: 'two-records',
  short: ['inconsistent', 'total'],
  nameOf: (record) => String(record['short-team-name']),
};

/** Starts directories and gateways over them, which are closed after each test. */
export function useDirectory(): ContractFixture<OffsetDialectFixture> {
  const fixture = new ContractFixture(directoryTeams);
  afterEach(() => fixture.clear());
  return fixture;
}
