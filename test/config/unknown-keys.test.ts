import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.js';
import { REMOVED_KEYS } from '../../src/config/unknown-keys.js';

const SOURCES = 'sources: { own: { number: 1, directory: https://a.example.org } }';
const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');

describe('a key that earlier versions had', () => {
  test('is an error that says since when it is gone, and what to do instead', () => {
    expect(parseConfig(`server: { workers: 2 }\n${SOURCES}`, {})).toEqual({
      errors: [
        {
          path: 'server.workers',
          line: 1,
          column: 11,
          message: 'was removed in 0.2.0; run several instances behind a proxy (docs/deployment-instances.md)',
        },
      ],
    });
  });

  test.each(REMOVED_KEYS)('%s is no key of the schema', (path, since, instead) => {
    const [last = '', ...outer] = path.replaceAll('*', 'own').split('.').reverse();
    const text = outer.reduce((inner, key) => `{ ${key}: ${inner} }`, `{ ${last}: 1 }`);
    expect(parseConfig(text, {})).toMatchObject({
      errors: expect.arrayContaining([
        expect.objectContaining({ message: `was removed in ${since}; ${instead}` }),
      ]) as unknown,
    });
  });

  test('is listed in docs/configuration.md', () => {
    const [, section = ''] = /\n## Removed settings\n([^]*?)(?=\n## |$)/.exec(page) ?? [];
    const rows = Array.from(section.matchAll(/^\| (?!Setting|-)(.*) \|$/gm), ([, row = '']) =>
      row.split('|').map((cell) => cell.trim()),
    );
    expect(rows.map(([key, since]) => [key, since])).toEqual(
      REMOVED_KEYS.map(([path, since]) => [`\`${path.replaceAll('*', '<code>')}\``, since]),
    );
  });
});
