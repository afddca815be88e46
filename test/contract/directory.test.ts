import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { testDraining } from './draining-contract.js';

testDraining({
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
});
