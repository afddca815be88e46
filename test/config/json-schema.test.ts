import { readFileSync, readdirSync } from 'node:fs';
import { Ajv } from 'ajv';
import { parse as parseYaml } from 'yaml';
import { describe, expect, it, vi } from 'vitest';
import { main } from '../../src/cli/main.js';
import { parseConfig } from '../../src/config/parse-config.js';
import { generateBadConfig } from './recorded/bad-configs.js';

/** What `rollcall schema` prints. */
async function printSchema(): Promise<object> {
  let printed = '';
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed += String(text)), true));
  expect(await main(['schema'])).toBe(0);
  write.mockRestore();
  return JSON.parse(printed) as object;
}

const schema = await printSchema();
const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);

function errorsOf(text: string): readonly string[] {
  return validate(parseYaml(text))
    ? []
    : (validate.errors ?? []).map((one) => `${one.instancePath} ${String(one.message)}`);
}

const FOLDER = new URL('../../config/', import.meta.url);
const EXAMPLES = readdirSync(new URL('examples/', FOLDER)).filter((name) => name.endsWith('.yaml'));

describe('the JSON Schema of the configuration', () => {
  it.each([
    new URL('demo.yaml', FOLDER),
    ...EXAMPLES.map((name) => new URL(`examples/${name}`, FOLDER)),
    new URL('recorded/full-config.yaml', import.meta.url),
  ])('accepts %s', (file) => {
    expect(errorsOf(readFileSync(file, 'utf8'))).toEqual([]);
  });

  it('accepts every generated configuration that Rollcall accepts', () => {
    const valid = Array.from({ length: 2000 }, (_, number) => generateBadConfig(number)).filter(
      ({ text, environment }) => 'config' in parseConfig(text, environment),
    );
    expect(valid.length).toBeGreaterThan(20);
    for (const { text } of valid) expect(errorsOf(text), text).toEqual([]);
  });

  it('accepts values with variables, also in place of numbers and words', () => {
    expect(
      errorsOf("server: { port: '${PORT}', log: '${LOG}', explorer: { enabled: '${PAGES}' } }\nsources: {}"),
    ).toEqual([]);
  });

  it.each([
    ['server: { prot: 80 }', '/server must NOT have additional properties'],
    ['server: { port: 65536 }', '/server/port must be <= 65535'],
    ['server: { port: x }', '/server/port must match pattern'],
    ['server: { deadline: 10 }', '/server/deadline must be string'],
    ['server: { log: some }', '/server/log must be equal to one of the allowed values'],
    ['server: { explorer: { enabled: yes } }', '/server/explorer/enabled must match pattern'],
    ['defaults: { max-body: 1kb }', '/defaults/max-body must match pattern'],
    ['sources: { a: { directory: https://a.example.org } }', "/sources/a must have required property 'number'"],
    ['sources: { a: { number: 1, prefixes: b } }', '/sources/a/prefixes must be array'],
    ['sources: { a: { number: 1, feed: [{ titel: b }] } }', '/sources/a/feed/0 must NOT have additional properties'],
    [
      'sources: { a: { number: 1, supports: { teams: { totl: true } } } }',
      '/sources/a/supports/teams must NOT have additional',
    ],
    [
      'access: { clients: [{ name: a, key-sha256: b, access: all }] }',
      '/access/clients/0/key-sha256 must match pattern',
    ],
  ])('refuses %s', (text, error) => {
    expect(errorsOf(text).filter((one) => one.startsWith(error))).not.toEqual([]);
  });

  it('has the defaults as the file writes them, and marks secrets', () => {
    expect(schema).toMatchObject({
      properties: {
        server: {
          properties: {
            port: { default: 8080 },
            deadline: { default: '10s' },
          },
        },
        admin: { properties: { 'key-sha256': { writeOnly: true } } },
        defaults: {
          properties: {
            'max-body': { default: '16MiB' },
            'stale-if-error': { default: '1d', description: expect.stringMatching(/^time beyond ttl/) as unknown },
          },
        },
      },
    });
  });
});
