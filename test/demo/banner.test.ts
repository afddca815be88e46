import { expect, it } from 'vitest';
import { banner } from '../../src/demo/banner.js';

const text = banner({
  page: 'http://127.0.0.1:8080',
  directory: 'http://127.0.0.1:8080/directory/v1',
  data: 'http://127.0.0.1:8080/data/v1',
  samples: 8,
});

it('names the page, three addresses that can be pasted into a shell, and how to stop', () => {
  const lines = text.split('\n');
  expect(lines).toContain('  http://127.0.0.1:8080/   in a browser');
  const safe =
    /^ {4}curl -s 'http:\/\/127\.0\.0\.1:8080\/(directory\/v1\/teams|data\/v1\/news)(\.csv)?\?[\w=&%.,()-]+'$/;
  const commands = lines.filter((line) => line.includes('curl'));
  expect(commands.map((line) => safe.exec(line)?.[1])).toEqual([
    'directory/v1/teams',
    'directory/v1/teams',
    'data/v1/news',
  ]);
  expect(text).toMatch(/Ctrl\+C stops it\.\n$/);
});
