import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/config/parse-config.js';
import type { ConfigFiles } from '../../../src/config/parse-config.js';
import { createSelfSignedCertificate } from '../../support/tls/self-signed-certificate.js';
import { CANARY, generateBadConfig } from './bad-configs.js';

/** `RECORD=1` writes it anew: every difference is a changed error, which the change log mentions. */
const RECORDED = new URL('bad-configs.txt', import.meta.url);

const certificate = createSelfSignedCertificate();
const CONTENTS: ReadonlyMap<string, string> = new Map([
  ['cert.pem', certificate.cert],
  ['key.pem', certificate.key],
]);

const FILES: ConfigFiles = {
  folder: '/etc/rollcall',
  readFile: (path) => {
    const content = CONTENTS.get(path);
    return content === undefined ? { problem: `the file ${path} cannot be read: ENOENT` } : { content };
  },
  findFileProblem: (path) => (path === 'missing.csv' ? `the file ${path} cannot be read: ENOENT` : undefined),
};

/** As `line:column path: message`; none if the configuration is valid. The long list of all functions is left out. */
function errorsOf(number: number): readonly string[] {
  const { text, environment } = generateBadConfig(number);
  const parsed = parseConfig(text, environment, ['harbour', 'quay'], FILES);
  const errors = 'errors' in parsed ? parsed.errors : [];
  return errors.map(({ line, column, path, message }) =>
    `${line}:${column} ${path}: ${message}`.replace(/\(known: abs\(\), .*/, '(known: …)'),
  );
}

describe('the errors of 200 generated configurations', () => {
  const numbers = Array.from({ length: 200 }, (_, at) => at);
  const found = numbers.map((number) => [`# ${number}`, ...errorsOf(number)].join('\n'));
  if (process.env['RECORD'] === '1') writeFileSync(RECORDED, `${found.join('\n')}\n`);
  const recorded = readFileSync(RECORDED, 'utf8')
    .trimEnd()
    .split(/\n(?=# )/);

  it.each(numbers)('are those that were recorded, at the same places: number %i', (number) => {
    expect(found[number], generateBadConfig(number).text).toEqual(recorded[number]);
  });

  it('contain no secret', () => {
    expect(found.join('\n')).not.toContain(CANARY);
  });
});
