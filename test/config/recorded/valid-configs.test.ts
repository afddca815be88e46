import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { maskConfig } from '../../../src/admin/config/masked-config.js';
import { fingerprintSources } from '../../../src/config/config-fingerprint.js';
import { parseConfig } from '../../../src/config/parse-config.js';
import { renderJsonText } from '../../../src/render/json.js';
import { CANARY } from './bad-configs.js';

/** `RECORD=1` writes it anew. */
const RECORDED = new URL('valid-configs.txt', import.meta.url);

const FOLDER = new URL('../../../config/', import.meta.url);

const FILES = [
  new URL('full-config.yaml', import.meta.url),
  new URL('demo.yaml', FOLDER),
  ...readdirSync(new URL('examples/', FOLDER))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => new URL(`examples/${name}`, FOLDER)),
].map((url) => ({ name: url.pathname.split('/').at(-1) ?? '', text: readFileSync(url, 'utf8') }));

const ENVIRONMENT = {
  https_proxy: `http://user:${CANARY}@proxy.example.net`,
  NO_PROXY: 'example.net',
  CEREBRATE_KEY: CANARY,
};

/** What `/config` shows of a file, and the fingerprints by which lists are saved on the disk. */
function viewOf(text: string): unknown {
  const readFile = (): { content: string } => ({ content: CANARY });
  const parsed = parseConfig(text, ENVIRONMENT, undefined, { folder: '/etc/rollcall', readFile });
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  const { config } = parsed;
  const shown: unknown = JSON.parse([...renderJsonText(maskConfig(config), true)].join(''));
  return { shown, fingerprints: fingerprintSources(config.sources).map(({ fingerprints }) => fingerprints) };
}

describe('a valid configuration', () => {
  const found = Object.fromEntries(FILES.map(({ name, text }) => [name, viewOf(text)]));
  if (process.env['RECORD'] === '1') writeFileSync(RECORDED, `${JSON.stringify(found, null, 1)}\n`);
  const recorded: unknown = JSON.parse(readFileSync(RECORDED, 'utf8'));

  it('is shown without secrets and keeps its saved lists, as recorded', () => {
    expect(found).toEqual(recorded);
    expect(JSON.stringify(found)).not.toContain(CANARY);
  });
});
