import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load-config.js';
import { parseConfig } from '../../../src/config/parse-config.js';
import type { ParsedConfig } from '../../../src/config/parse-config.js';
import { createCertificateAuthority } from '../../support/tls/certificate-authority.js';

const authority = createCertificateAuthority();
const client = authority.issue('rollcall.example.net');
const other = authority.issue('other.example.net');
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const DAMAGED = authority.cert.replace(/\n(.{20})/, '\nAAAA$1');

const FILES: Readonly<Record<string, string>> = {
  'ca.pem': authority.cert,
  'bundle.pem': `# two authorities\n${authority.cert}\n${createCertificateAuthority('Second').cert}`,
  'client.pem': client.cert,
  'chain.pem': `${client.cert}${authority.cert}`,
  'client.key': client.key,
  'both.pem': `${client.cert}${client.key}`,
  'other.key': other.key,
  'encrypted.key': privateKey
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
    .toString(),
  'empty.pem': '',
  'damaged.pem': DAMAGED,
  'damaged.key': '-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n',
};

function parseWith(settings: string, address = "data: 'https://a.example.org'"): ParsedConfig {
  const text = `sources:\n  a:\n    number: 1\n    ${address}\n    tls: ${settings}\n`;
  return parseConfig(text, {}, undefined, {
    folder: '.',
    readFile: (path) => {
      const content = FILES[path];
      return content === undefined ? { problem: `the file ${path} cannot be read: ENOENT` } : { content };
    },
  });
}

/** Errors as `line:column path: message`, the path within `tls`. */
function errorsOf(settings: string, address?: string): string[] {
  const parsed = parseWith(settings, address);
  return 'config' in parsed
    ? []
    : parsed.errors.map(
        ({ line, column, path, message }) => `${line}:${column} ${path.replace('sources.a.', '')}: ${message}`,
      );
}

describe('sources.<code>.tls', () => {
  test.each([
    ['{ ca: ca.pem }', { ca: authority.cert }],
    ['{ ca: bundle.pem }', { ca: FILES['bundle.pem'] }],
    ['{ cert: client.pem, key: client.key }', { cert: client.cert, key: client.key }],
    ['{ cert: chain.pem, key: client.key }', { cert: FILES['chain.pem'] }],
    ['{ cert: both.pem, key: both.pem }', { cert: FILES['both.pem'] }],
  ])('accepts %s', (settings, tls) => {
    expect(parseWith(settings)).toMatchObject({ config: { sources: [{ connection: { tls } }] } });
  });

  test.each(['', '{}'])('is none without a value: "%s"', (settings) => {
    expect(parseWith(settings)).toMatchObject({ config: { sources: [{ connection: { tls: undefined } }] } });
  });

  test.each([
    ['{ ca: none.pem }', '5:16 tls.ca: the file none.pem cannot be read: ENOENT'],
    ['{ ca: client.key }', '5:16 tls.ca: the file client.key contains no certificate in PEM'],
    ['{ ca: empty.pem }', '5:16 tls.ca: the file empty.pem contains no certificate in PEM'],
    ['{ ca: damaged.pem }', '5:16 tls.ca: the file damaged.pem contains a certificate that cannot be parsed'],
    ['{ ca: certs/ }', '5:16 tls.ca: must be the path of a file'],
    ['{ cert: client.pem }', '5:12 tls.cert: needs key, the private key of the certificate'],
    ['{ key: client.key }', '5:12 tls.key: needs cert, the certificate of the key'],
    [
      '{ cert: client.pem, key: client.pem }',
      '5:35 tls.key: the file client.pem contains no private key in PEM that can be parsed',
    ],
    [
      '{ cert: client.pem, key: damaged.key }',
      '5:35 tls.key: the file damaged.key contains no private key in PEM that can be parsed',
    ],
    [
      '{ cert: client.pem, key: encrypted.key }',
      '5:35 tls.key: the file encrypted.key contains an encrypted key; Rollcall has no setting for its passphrase',
    ],
    [
      '{ cert: client.pem, key: other.key }',
      '5:30 tls.key: the file other.key is not the key of the certificate in client.pem',
    ],
    ['{ authority: ca.pem }', '5:12 tls.authority: unknown key; known keys: ca, cert, key'],
    ['ca.pem', '5:10 tls: must be a mapping of keys to values'],
  ])('refuses %s', (settings, error) => {
    expect(errorsOf(settings)).toEqual([error]);
  });

  test('names several files at once, each at its place', () => {
    expect(errorsOf('{ ca: none.pem, cert: no.pem, key: no.key }')).toHaveLength(3);
  });

  test('does not repeat the content of a file in an error', () => {
    for (const settings of ['{ ca: damaged.pem }', '{ cert: client.pem, key: damaged.key }'])
      expect(errorsOf(settings).join()).not.toMatch(/BEGIN|c2VjcmV0|secret/);
  });

  test.each([
    ["data: 'http://a.example.org'", ['5:5 tls: needs an address with https']],
    ["{ directory: 'http://a.example.org', data: 'https://a.example.org' }", []],
    ['document: { file: teams.json, map: { short-team-name: name } }', ['5:5 tls: is not a setting of a file']],
    [
      "document: { url: 'http://a.example.org/t.json', map: { short-team-name: name } }",
      ['5:5 tls: needs an address with https'],
    ],
  ])('needs an https address: %s', (address, errors) => {
    const written = address.startsWith('{') ? address.slice(2, -2).replace(', ', '\n    ') : address;
    expect(errorsOf('{ ca: ca.pem }', written)).toEqual(errors);
  });

  test('names files in the folder of the configuration file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rollcall-tls-'));
    try {
      await writeFile(join(folder, 'ca.pem'), authority.cert);
      const file = join(folder, 'rollcall.yaml');
      await writeFile(file, `sources: { a: { number: 1, data: 'https://a.example.org', tls: { ca: ca.pem } } }`);
      const tls = { ca: authority.cert.trimEnd() };
      expect(await loadConfig(file, {})).toMatchObject({ config: { sources: [{ connection: { tls } }] } });
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
