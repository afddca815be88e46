import { directory } from '../support/directory-upstream.js';
import { dialectContract } from './dialect.js';

dialectContract({
  name: 'directory',
  list: '/directory/v1/teams',
  records: (count) =>
    Array.from({ length: count }, (_, at) => ({
      'short-team-name': `Team ${String(at).padStart(5, '0')}`,
      email: `team-${at}@example.org`,
    })),
  serve: directory,
  source: (address) => ({ directory: address }),
  short: ['inconsistent', 'total'],
  nameOf: (record) => String(record['short-team-name']),
});
