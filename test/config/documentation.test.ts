import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.js';
import type { IncludedFileReader } from '../../src/config/yaml/expand-variables.js';
import { createSelfSignedCertificate } from '../support/tls/self-signed-certificate.js';
import { configFile } from '../../src/config/schema/config-file.js';
import { type Schema, childSchemas, describeSchema } from '../../src/config/schema/setting-types.js';

/**
 * `docs/configuration.md` up to the removed settings: sections are headings, values are rows of a table; `<code>` stands for
 * a key chosen by the operator.
 */
const [page = ''] = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8').split(
  '\n## Removed settings\n',
);

interface Row {
  readonly key: string;
  readonly meaning: string;
  readonly defaultValue: string;
  readonly example: string;
}

const headings = Array.from(page.matchAll(/^#+ `(.+)`$/gm), ([, key = '']) => key);
const rows: Row[] = Array.from(page.matchAll(/^\| `.*\|$/gm), ([line]) => {
  const [, key = '', meaning = '', , defaultValue = '', example = ''] = line.split('|').map((cell) => cell.trim());
  return { key: key.slice(1, -1), meaning: meaning.replaceAll('`', ''), defaultValue, example };
});
const unquoted = (cell: string): string | undefined => /^`([^`]*)`$/.exec(cell)?.[1];

/** Paths of all keys of a schema that are sections (`sections`), or of all that are values. */
function keysOf(schema: Schema, sections: boolean): string[] {
  return Array.from(childSchemas(schema)).flatMap(([key, child]) => {
    const inner = keysOf(child, sections).map((path) => `${key}.${path}`);
    return childSchemas(child).size > 0 === sections ? [key, ...inner] : inner;
  });
}

/** Of the setting at the path, in which `*` is a key chosen by the operator. */
function descriptionAt(path: string): string | undefined {
  const found = path
    .split('.')
    .reduce<Schema | undefined>((schema, key) => schema && childSchemas(schema).get(key), configFile);
  return found && describeSchema(found);
}

interface Settings {
  readonly [key: string]: string | Settings;
}

/** Required settings beside that of a row. */
const REQUIRED: Settings = {
  sources: { own: { number: '1', directory: 'https://a.example.org', data: 'https://b.example.org' } },
};
const MAP: Settings = { 'short-team-name': 'name' };
const JOIN: Settings = { on: '[id, owner]', as: 'added' };

/** Required settings beside one of a document: an address, a map, and those of a second document or of counted pages. */
function requiredOfDocument([key = '', inner = '', last = '']: readonly string[], value = ''): Settings {
  const isFile = key === 'file' || inner === 'file';
  const address: Settings = isFile ? { file: 'own.csv' } : { url: 'https://cert.example.org' };
  const document: Settings = {
    ...(key === 'url' || key === 'file' ? {} : address),
    map: value === 'news' ? { id: 'id', title: 'name' } : MAP,
    ...(key === 'join' && { join: { ...(inner === 'url' || isFile ? {} : address), ...JOIN } }),
  };
  const source: Settings = { number: '1', document };
  const isCounted = [inner, last].some((name) => name === 'from' || name === 'step');
  const page = ['sources', 'own', 'document', ...(key === 'join' ? ['join'] : []), 'page', 'parameter'];
  return isCounted ? withSetting({ sources: { own: source } }, page, 'p') : { sources: { own: source } };
}

const REQUIRED_OF_CLIENT: Settings = { name: 'desk', 'key-sha256': 'a'.repeat(64), access: 'public' };
const REQUIRED_OF_ISSUER: Settings = {
  url: 'https://id.example.org',
  audience: 'rollcall',
  'members-claim': { role: 'analyst' },
};

/** A client certificate and its key are required together. */
const REQUIRED_OF_PAIR: Settings = {
  sources: {
    own: { number: '1', directory: 'https://a.example.org', tls: { cert: 'rollcall.pem', key: 'rollcall.key' } },
  },
};

/** Settings that need a shared memory. */
const NEEDS_REDIS = new Set(['cache.redis-key']);

/** The files that the examples of `tls` name. */
const certificate = createSelfSignedCertificate();
const FILES = {
  folder: '.',
  readFile: ((path) => ({ content: path.endsWith('.key') ? certificate.key : certificate.cert })) as IncludedFileReader,
};

/** Adds a setting; without a value, only the mapping that would contain it. */
function withSetting(
  settings: Settings,
  [step = '', ...inner]: readonly string[],
  value: string | undefined,
): Settings {
  const child = settings[step] ?? {};
  if (inner.length > 0)
    return { ...settings, [step]: withSetting(typeof child === 'string' ? {} : child, inner, value) };
  return value === undefined ? settings : { ...settings, [step]: value };
}

function toYaml(settings: Settings, indent = ''): string {
  const entries = Object.entries(settings);
  if (entries.length === 0) return `${indent}{}\n`;
  return entries
    .map(([key, value]) =>
      typeof value === 'string' ? `${indent}${key}: ${value}\n` : `${indent}${key}:\n${toYaml(value, `${indent}  `)}`,
    )
    .join('');
}

/** Parses a small configuration with one key set to a value, both as written in the table; absent: without the key. */
function parseWith(key: string, value?: string): ReturnType<typeof parseConfig> {
  const steps = key.replace('<property>', 'email').replace('<field>', 'X-Tenant').replace(/<.*>/, 'own').split('.');
  const [section, subsection, ...inner] = steps;
  if (inner[0] === 'document') {
    return parseConfig(toYaml(withSetting(requiredOfDocument(inner.slice(1), value), steps, value)), {});
  }
  if (inner[0] === 'feed') {
    const url = inner[1] === 'url' ? {} : { url: 'https://cert.example.org/' };
    const lines = toYaml(withSetting(url, inner.slice(1), value), '        ');
    return parseConfig(`sources:\n  own:\n    number: 1\n    feed:\n      -\n${lines}`, {});
  }
  if (inner[0] === 'tls') {
    const isPair = value !== undefined && (inner[1] === 'cert' || inner[1] === 'key');
    return parseConfig(toYaml(withSetting(isPair ? REQUIRED_OF_PAIR : REQUIRED, steps, value)), {}, undefined, FILES);
  }
  if (NEEDS_REDIS.has(key)) {
    const redis = withSetting(REQUIRED, ['cache', 'redis'], 'redis://127.0.0.1');
    return parseConfig(toYaml(withSetting(redis, steps, value)), { ROLLCALL_REDIS_KEY: 'k'.repeat(32) });
  }
  if (section !== 'access') return parseConfig(toYaml(withSetting(REQUIRED, steps, value)), {});
  if (subsection === 'clients') {
    const lines = toYaml(withSetting(REQUIRED_OF_CLIENT, inner, value), '      ');
    return parseConfig(`${toYaml(REQUIRED)}access:\n  clients:\n    -\n${lines}`, {});
  }
  const issuer = { ...REQUIRED, access: { issuer: REQUIRED_OF_ISSUER } };
  return parseConfig(toYaml(withSetting(subsection === 'issuer' ? issuer : REQUIRED, steps, value)), {});
}

describe('docs/configuration.md', () => {
  test('has a heading for every section of the schema, and no other', () => {
    expect(headings.map((key) => key.replace(/<.*?>/g, '*')).toSorted()).toEqual(keysOf(configFile, true).toSorted());
  });

  test('has a row for every value of the schema, and no other', () => {
    const documented = rows.map(({ key }) => key.replace(/<.*?>/g, '*'));
    expect(documented.toSorted()).toEqual(keysOf(configFile, false).toSorted());
  });

  test.each(rows)('begins the meaning of $key as the schema does', ({ key, meaning }) => {
    const description = descriptionAt(key.replace(/<.*?>/g, '*'));
    expect(description).toMatch(/\w{3}/);
    if (!/^(as (defaults\.|public|of the first|for teams)|address|file)/.test(meaning))
      expect(meaning.slice(0, description?.length)).toBe(description);
  });

  test.each(rows)('states the actual default of $key', ({ key, defaultValue }) => {
    const value = unquoted(defaultValue);
    if (value === undefined) expect(defaultValue).toMatch(/^(required|none\b.*|the code|as `defaults\..*`)$/);
    else expect(parseWith(key, value)).toEqual(parseWith(key));
  });

  test.each(rows)('has a valid example of $key that differs from the default', ({ key, example }) => {
    const parsed = parseWith(key, unquoted(example) ?? '');
    expect(parsed).toHaveProperty('config');
    expect(parsed).not.toEqual(parseWith(key));
  });

  test('has three complete configurations, both valid', () => {
    const examples = Array.from(page.matchAll(/```yaml\n(.*?)```/gs), ([, text = '']) => text);
    expect(examples).toHaveLength(3);
    for (const text of examples) expect(parseConfig(text, { PORT: '8080' })).toHaveProperty('config');
  });
});
