import { describe, expect, it } from 'vitest';
import { banner } from '../../src/demo/banner.js';

const text = banner({
  directory: 'http://127.0.0.1:8080/directory/v1',
  data: 'http://127.0.0.1:8080/data/v1',
  admin: 'http://127.0.0.1:9090',
  samples: new Map([
    ['harbour', { directory: 'http://127.0.0.1:8101/directory/v1' }],
    ['quay', { directory: 'http://127.0.0.1:8106/directory/v1', data: 'http://127.0.0.1:8106/data/v1' }],
    ['ledger', { document: 'http://127.0.0.1:8107/teams.csv' }],
    ['gazette', { feeds: ['http://127.0.0.1:8108/advisories.rss', 'http://127.0.0.1:8108/bulletins.atom'] }],
  ]),
});

describe('the banner', () => {
  it('lists each address on its own line, in columns', () => {
    expect(text.split('\n').slice(2, 11)).toEqual([
      '  Rollcall  http://127.0.0.1:8080/directory/v1/teams',
      '            http://127.0.0.1:8080/data/v1/teams',
      '  admin     http://127.0.0.1:9090/readyz',
      '  harbour   http://127.0.0.1:8101/directory/v1/teams',
      '  quay      http://127.0.0.1:8106/directory/v1/teams',
      '            http://127.0.0.1:8106/data/v1/teams',
      '  ledger    http://127.0.0.1:8107/teams.csv',
      '  gazette   http://127.0.0.1:8108/advisories.rss',
      '            http://127.0.0.1:8108/bulletins.atom',
    ]);
  });

  it('shows three directory queries and one news query that can be pasted into a shell', () => {
    const lines = text.split('\n').filter((line) => line.startsWith('  curl'));
    const safe = /^ {2}curl -s 'http:\/\/127\.0\.0\.1:8080\/(directory\/v1\/teams|data\/v1\/news)\?[\w=&%.,()-]+'$/;
    expect(lines.map((line) => safe.exec(line)?.[1])).toEqual([
      'directory/v1/teams',
      'directory/v1/teams',
      'directory/v1/teams',
      'data/v1/news',
    ]);
  });

  it('ends with a line break', () => {
    expect(text.endsWith("'\n")).toBe(true);
  });
});
