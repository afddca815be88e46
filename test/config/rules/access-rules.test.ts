import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parseConfig } from '../../../src/config/parse-config.js';

const source = "sources: { a: { number: 1, directory: 'https://a.example.org' } }\n";

const ONE = '1'.repeat(64);
const TWO = '2'.repeat(64);
const THREE = '3'.repeat(64);
const EMPTY = createHash('sha256').update('').digest('hex');
const SECRET = 'hunter2';

/** Errors of the `access` section as `path: message`, without `access.`. */
function errorsOf(access: string): string[] {
  const parsed = parseConfig(`${source}access:\n${access}`, { SECRET });
  if ('config' in parsed) return [];
  expect(JSON.stringify(parsed)).not.toContain(SECRET);
  return parsed.errors.map(({ path, message }) => `${path.replace('access.', '')}: ${message}`);
}

function clientErrors(...clients: string[]): string[] {
  return errorsOf(`  clients:\n${clients.map((client) => `    - { ${client} }\n`).join('')}`);
}

function issuerErrors(...settings: string[]): string[] {
  const required = ['url: https://id.example.org', 'audience: rollcall', 'members-claim: { role: analyst }'];
  const names = settings.map((setting) => setting.split(':')[0]);
  const others = required.filter((setting) => !names.includes(setting.split(':')[0]));
  return errorsOf(`  issuer:\n${[...others, ...settings].map((setting) => `    ${setting}\n`).join('')}`);
}

describe('access.scopes', () => {
  test.each([
    ['public: public', 'scopes.public: unknown key; known keys: pgp, minimal, country'],
    ['pgp: Members', 'scopes.pgp: must be public or members'],
    ['country: "${SECRET}"', 'scopes.country: must be public or members'],
  ])('refuse %s', (scope, error) => {
    expect(errorsOf(`  scopes: { ${scope} }`)).toEqual([error]);
  });
});

describe('access.clients', () => {
  test('accept two entries of one client with the same access and rate', () => {
    const shared = 'name: desk, access: members, rate: 60/1m';
    expect(clientErrors(`${shared}, key-sha256: ${ONE}`, `${shared.replace('1m', '60s')}, key-sha256: ${TWO}`)).toEqual(
      [],
    );
  });

  test('refuse a third entry of a client', () => {
    const entries = [ONE, TWO, THREE].map((hash) => `name: desk, access: public, key-sha256: ${hash}`);
    expect(clientErrors(...entries)).toEqual([
      'clients[2].name: is the same as access.clients[0].name and access.clients[1].name; a client has at most two keys',
    ]);
  });

  test('refuse entries of one client that differ in access or rate', () => {
    const shared = 'name: desk, key-sha256';
    const message = 'because both keys are of one client';
    expect(
      clientErrors(`${shared}: ${ONE}, access: members, rate: 1/1s`, `${shared}: ${TWO}, access: public, rate: 2/1s`),
    ).toEqual([
      `clients[1].access: must be the same as access.clients[0].access, ${message}`,
      `clients[1].rate: must be the same as access.clients[0].rate, ${message}`,
    ]);
    expect(clientErrors(`${shared}: ${ONE}, access: public`, `${shared}: ${TWO}, access: public, rate: 1/1s`)).toEqual([
      `clients[1].rate: must be the same as access.clients[0].rate, ${message}`,
    ]);
    expect(clientErrors(`${shared}: ${ONE}, access: public, rate: 1/1s`, `${shared}: ${TWO}, access: public`)).toEqual([
      `clients[1].rate: must be the same as access.clients[0].rate, ${message}`,
    ]);
  });

  test('report a missing access level once, also beside another entry of the client', () => {
    const missing = 'clients[1].access: is required: public or members';
    expect(clientErrors(`name: a, key-sha256: ${ONE}, access: public`, `name: a, key-sha256: ${TWO}`)).toEqual([
      missing,
    ]);
  });

  test('refuse a hash that occurs twice, in any case', () => {
    const hash = 'ab'.repeat(32);
    expect(
      clientErrors(
        `name: a, access: public, key-sha256: ${hash}`,
        `name: b, access: public, key-sha256: ${hash.toUpperCase()}`,
      ),
    ).toEqual(['clients[1].key-sha256: is the same as access.clients[0].key-sha256']);
  });

  test.each([EMPTY, EMPTY.toUpperCase(), ONE.slice(1), `${ONE}1`, 'g'.repeat(64), '"${SECRET}"', '""'])(
    'refuse the hash %s',
    (hash) => {
      expect(clientErrors(`name: a, access: public, key-sha256: ${hash}`)).toEqual([
        'clients[0].key-sha256: must be the SHA-256 hash of a key that is not empty, 64 hexadecimal digits; rollcall hash-key prints it',
      ]);
    },
  );

  test('report what is missing or unknown at its place', () => {
    expect(clientErrors(`name: a, key: ${ONE}`)).toEqual([
      'clients[0].key-sha256: is required: the SHA-256 hash of a key that is not empty, 64 hexadecimal digits; rollcall hash-key prints it',
      'clients[0].access: is required: public or members',
      expect.stringMatching(/^clients\[0\]\.key: unknown key/),
    ]);
    expect(errorsOf('  clients: { name: a }')).toEqual(['clients: must be a list of clients']);
  });

  test.each([
    '2027',
    '2027-03',
    '2027-W01-1',
    '2027-02-30',
    '2027-03-31T12:00',
    '2027-03-31 12:00Z',
    'never',
    '"${SECRET}"',
  ])('refuse the time %s', (expires) => {
    expect(clientErrors(`name: a, access: public, key-sha256: ${ONE}, expires: ${expires}`)).toEqual([
      'clients[0].expires: must be a date such as 2027-03-31, or a time such as 2027-03-31T12:00:00Z',
    ]);
  });

  test.each(['600', '0/1m', '1/0s', '600 / 1m', '1.5/1s', '-1/1s', '1000000000/1s', '1/25h/1', '"${SECRET}"'])(
    'refuse the rate %s',
    (rate) => {
      expect(clientErrors(`name: a, access: public, key-sha256: ${ONE}, rate: ${rate}`)).toEqual([
        'clients[0].rate: must be a number of requests and a duration, such as 600/1m',
      ]);
    },
  );
});

describe('access.issuer', () => {
  test('keeps the url as it is written', () => {
    for (const url of ['https://ID.example.org', 'https://id.example.org/', 'https://id.example.org/a//']) {
      const parsed = parseConfig(
        `${source}access: { issuer: { url: '${url}', audience: a, members-claim: { b: c } } }`,
        {},
      );
      expect(parsed).toMatchObject({ config: { access: { issuer: { url } } } });
    }
  });

  test.each([
    ['url: id.example.org', 'issuer.url: must be an absolute http or https URL'],
    ['url: "https://id.example.org/?a"', 'issuer.url: must be an absolute http or https URL'],
    ['url: "https://id.example.org/#a"', 'issuer.url: must be an absolute http or https URL'],
    ['url: "https://${SECRET}@id.example.org"', 'issuer.url: must be an absolute http or https URL'],
    ['audience: ""', 'issuer.audience: must be'],
    ['members-claim: {}', 'issuer.members-claim: must have at least one claim'],
    ['members-claim: { role: [a] }', 'issuer.members-claim.role: must be text'],
    ['members-claim: { role: "" }', 'issuer.members-claim.role: must be text'],
    ['members-claim: { role: a, __proto__: b }', 'issuer.members-claim.__proto__: is not the name of a claim'],
    ['rate: 5', 'issuer.rate: must be a number of requests'],
    ['issuer: x', 'issuer.issuer: unknown key'],
  ])('refuses %s', (setting, error) => {
    expect(issuerErrors(setting)).toEqual([expect.stringContaining(error)]);
  });

  test('needs url, audience and members-claim', () => {
    expect(errorsOf('  issuer:\n')).toEqual([
      expect.stringContaining('issuer.url: is required'),
      expect.stringContaining('issuer.audience: is required'),
      'issuer.members-claim: must have at least one claim',
    ]);
  });
});
