import { describe, expect, it } from 'vitest';
import { banner } from '../../src/demo/banner.js';

const text = banner({
  directory: 'http://127.0.0.1:8080/directory/v1',
  admin: 'http://127.0.0.1:9090',
  samples: new Map([
    ['harbour', 'http://127.0.0.1:8101/directory/v1'],
    ['attic', 'http://127.0.0.1:8103/directory/v1'],
  ]),
});

describe('the banner', () => {
  it('names every address on a line of its own, in columns', () => {
    expect(text.split('\n').slice(2, 6)).toEqual([
      '  Rollcall  http://127.0.0.1:8080/directory/v1/teams',
      '  admin     http://127.0.0.1:9090/readyz',
      '  harbour   http://127.0.0.1:8101/directory/v1',
      '  attic     http://127.0.0.1:8103/directory/v1',
    ]);
  });

  it('offers three queries of the directory that a shell takes as they stand', () => {
    const lines = text.split('\n').filter((line) => line.startsWith('  curl'));
    expect(lines).toHaveLength(3);
    for (const line of lines)
      expect(line).toMatch(/^ {2}curl -s 'http:\/\/127\.0\.0\.1:8080\/directory\/v1\/teams\?[\w=&%.,()-]+'$/);
  });

  it('ends with a line break', () => {
    expect(text.endsWith("'\n")).toBe(true);
  });
});
