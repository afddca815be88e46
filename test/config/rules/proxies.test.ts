import { describe, expect, test } from 'vitest';
import { fingerprintConfig } from '../../../src/config/config-fingerprint.js';
import { parseConfig } from '../../../src/config/parse-config.js';
import type { ParsedConfig } from '../../../src/config/parse-config.js';
import type { Environment } from '../../../src/config/yaml/expand-variables.js';

const LOOPBACK = 'localhost,127.0.0.1,[::1]';

function parseWith(settings: string, environment: Environment = {}): ParsedConfig {
  return parseConfig(`sources:\n  a:\n    number: 1\n    ${settings}\n`, environment);
}

const REMOTE = "data: 'https://a.example.org'";

function proxiesOf(settings: string, environment?: Environment): unknown {
  const parsed = parseWith(settings, environment);
  return 'config' in parsed ? parsed.config.sources[0]?.connection.proxies : parsed.errors;
}

describe('sources.<code>.proxy', () => {
  test.each([
    ['http://proxy.example.org:3128', 'http://proxy.example.org:3128/'],
    ['https://proxy.example.org', 'https://proxy.example.org/'],
    ['http://gateway:p%40ss@proxy.example.org:3128/', 'http://gateway:p%40ss@proxy.example.org:3128/'],
    ['"http://gateway:${PASSWORD}@[2001:db8::1]:3128"', 'http://gateway:abc@[2001:db8::1]:3128/'],
  ])('accepts %s', (setting, url) => {
    const proxies = { http: url, https: url, noProxy: '' };
    expect(proxiesOf(`${REMOTE}\n    proxy: ${setting}`, { PASSWORD: 'abc' })).toEqual(proxies);
  });

  test.each([
    'proxy.example.org:3128',
    'socks5://proxy.example.org',
    'http://proxy.example.org/path',
    'http://proxy.example.org?x',
    'http://gateway@proxy.example.org',
    'http://:abc@proxy.example.org',
    'http://gateway:a%zz@proxy.example.org',
    'http://gateway:a@b@proxy.example.org',
    '"http://proxy.example.org:99999"',
    'NONE',
    '""',
  ])('refuses %s, without repeating it', (setting) => {
    const parsed = parseWith(`${REMOTE}\n    proxy: ${setting}`);
    expect(parsed).toMatchObject({ errors: [{ path: 'sources.a.proxy', line: 5, column: 12 }] });
    expect(JSON.stringify(parsed)).not.toMatch(/gateway|socks5|99999/);
  });

  test('is not a setting of a file', () => {
    const parsed = parseWith(`document: { file: a.json, map: { short-team-name: n } }\n    proxy: none`);
    expect(parsed).toMatchObject({ errors: [{ path: 'sources.a.proxy', message: 'is not a setting of a file' }] });
  });

  test('does not change the hash of the configuration, with which passwords could be tested', () => {
    const parsed = ['none', 'http://a:b@c.example.org', 'http://a:d@c.example.org'].map((proxy) =>
      parseWith(`${REMOTE}\n    proxy: ${proxy}\n    headers: { X-Proxy: '${proxy}' }`),
    );
    const hashes = parsed.map((one) => ('config' in one ? fingerprintConfig(one.config) : 'invalid'));
    expect(new Set(hashes).size).toBe(1);
    expect(hashes).not.toContain('invalid');
  });
});

describe('the proxies of the environment', () => {
  const PROXY = 'http://proxy.example.org:3128/';
  const OTHER = 'http://other.example.org/';

  test.each<[Environment, object | undefined]>([
    [{}, undefined],
    [{ HTTP_PROXY: '' }, undefined],
    [{ HTTP_PROXY: PROXY }, { http: PROXY, https: undefined, noProxy: `,${LOOPBACK}` }],
    [
      { HTTP_PROXY: OTHER, http_proxy: PROXY },
      { http: PROXY, https: undefined, noProxy: `,${LOOPBACK}` },
    ],
    [
      { HTTPS_PROXY: PROXY, NO_PROXY: 'a, b' },
      { http: undefined, https: PROXY, noProxy: `a, b,${LOOPBACK}` },
    ],
    [
      { HTTP_PROXY: 'proxy.example.org:3128', no_proxy: 'c' },
      { http: PROXY, https: undefined, noProxy: `c,${LOOPBACK}` },
    ],
    [{ HTTP_PROXY: PROXY, NO_PROXY: '*' }, undefined],
    [{ ALL_PROXY: PROXY }, undefined],
  ])('are %o', (environment, proxies) => {
    expect(proxiesOf(REMOTE, environment)).toEqual(proxies);
  });

  test('do not apply to a source with a setting', () => {
    expect(proxiesOf(`${REMOTE}\n    proxy: none`, { HTTPS_PROXY: PROXY })).toBeUndefined();
    expect(proxiesOf(`${REMOTE}\n    proxy: ${OTHER}`, { HTTPS_PROXY: PROXY })).toMatchObject({ https: OTHER });
  });

  test.each([
    ['HTTPS_PROXY', { HTTPS_PROXY: 'socks5://user:secret@proxy.example.org' }],
    ['https_proxy', { HTTPS_PROXY: PROXY, https_proxy: 'http://secret@proxy.example.org' }],
    ['HTTP_PROXY', { HTTP_PROXY: 'http://secret:%zz@proxy.example.org' }],
  ])('are refused at the first source that would use an invalid one: %s', (name, environment) => {
    const parsed = parseWith(REMOTE, environment);
    const message = expect.stringContaining(`the environment variable ${name} must be an http or https URL`) as unknown;
    expect(parsed).toMatchObject({ errors: [{ path: 'sources.a', line: 2, column: 3, message }] });
    expect(JSON.stringify(parsed)).not.toContain('secret');
  });

  test.each([
    ["data: 'http://127.0.0.1:8081/v1'"],
    ["data: 'http://localhost:8081/v1'"],
    ["data: 'http://[::1]:8081/v1'"],
    [`${REMOTE}\n    proxy: none`],
  ])('may be invalid where no source uses them: %s', (settings) => {
    expect(parseWith(settings, { HTTP_PROXY: 'socks5://x', HTTPS_PROXY: 'socks5://x' })).toHaveProperty('config');
  });
});
