import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { hashClientKey } from '../src/access/client-keys.js';
import { parseConfig } from '../src/config/parse-config.js';
import { closeDataGateways, fieldsOf, startDataGateway } from './support/gateway/data-gateway.js';
import type { DataGateway } from './support/gateway/data-gateway.js';
import { bearer } from './support/gateway/members-gateway.js';
import type { GatewayResponse } from './support/gateway/test-gateway.js';
import { startIssuer } from './support/issuer/issuer.js';
import type { TestIssuer } from './support/issuer/issuer.js';
import { membersUpstream } from './support/upstream/members-upstream.js';

const page = readFileSync(new URL('../docs/access.md', import.meta.url), 'utf8');

/** Each YAML block of the page. A block in a list item is indented. */
const blocks = Array.from(page.matchAll(/^( *)```yaml\n([^]*?)\n *```$/gm), ([, indent = '', text = '']) =>
  text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
);

/** The block that contains a text, as the setup of a gateway. */
function settingsOf(text: string): Readonly<Record<string, unknown>> {
  return fieldsOf(parse(blocks.find((block) => block.includes(text)) ?? ''));
}

const CLIENT = settingsOf('rate: 600/1m');
const ROTATION = settingsOf('expires: 2027-01-31');
const ISSUER = fieldsOf(fieldsOf(settingsOf('issuer:')['access'])['issuer']);
const CREDENTIALS = fieldsOf(fieldsOf(settingsOf('source-name: FIRST')['sources'])['first'])['credentials'];
const ADDRESS_LIMIT = settingsOf('rate: 120/1m');

const [, KEY = '', HASH = ''] = /^ *key: (\S+)\n *key-sha256: (\S+)$/m.exec(page) ?? [];

const TOKEN = 'token-of-this-gateway';
const PUBLIC_TEAMS = [{ id: 'alpha', team: 'ALPHA', country: 'PT' }];
const MEMBERS_TEAMS = [...PUBLIC_TEAMS, { id: 'gamma', team: 'GAMMA', country: 'PT', 'phone-private': '+1 555 0102' }];

let issuer: TestIssuer | undefined;

afterEach(async () => {
  await closeDataGateways();
  await issuer?.close();
  issuer = undefined;
});

/** Starts a gateway with settings of the page over one source with the credentials of the page. */
function start(settings: object): Promise<DataGateway> {
  const credentials: unknown = JSON.parse(JSON.stringify(CREDENTIALS).replace('${FIRST_TOKEN}', TOKEN));
  const handler = membersUpstream(
    { teams: PUBLIC_TEAMS },
    { authorization: `Bearer ${TOKEN}`, teams: MEMBERS_TEAMS },
    { keys: 'pgp' },
  );
  return startDataGateway({ first: { records: {}, handler, registration: { credentials } } }, settings);
}

/** Starts an issuer, and a gateway with the issuer of the page, whose address is that of the started one. */
async function startWithIssuer(): Promise<{ gateway: DataGateway['gateway']; issuer: TestIssuer }> {
  // The gateway has the time of a fake clock, at which its tokens must be valid.
  issuer = await startIssuer({ now: () => Date.UTC(2026, 0, 1) });
  const { gateway } = await start({ access: { issuer: { ...ISSUER, url: issuer.url } } });
  return { gateway, issuer };
}

const audience = String(ISSUER['audience']);
const MEMBERS_TARGET = '/data/v1/teams?scope=members';

/** Sends the request of the page's `curl` command to a gateway. */
function sendAsCurl(gateway: DataGateway['gateway'], key: string): Promise<GatewayResponse> {
  const command = /^curl -s -H "([^:"]+): ([^"]+)" 'https:\/\/rollcall\.example\.org(\/[^']+)'$/m.exec(page);
  if (command === null) throw new Error('the page has no curl command in the expected form');
  const [, name = '', value = '', target = ''] = command;
  return gateway.get(target, { [name]: value.replace('$ROLLCALL_KEY', key) });
}

describe('the key of docs/access.md', () => {
  it('has the hash that is shown below it', () => {
    expect(KEY).toMatch(/^rck_[\w-]{43}$/);
    expect(hashClientKey(KEY)).toBe(HASH);
  });

  it('is the key of the first client, and the old key of the rotation', () => {
    const hashes = [CLIENT, ROTATION].map(
      ({ access }) => /"key-sha256":"([0-9a-f]+)"/.exec(JSON.stringify(access))?.[1],
    );
    expect(hashes).toEqual([HASH, HASH]);
  });

  it('works until the day at which the rotation ends it, in UTC', async () => {
    const { gateway, clock } = await start(ROTATION);
    clock.advance(Date.UTC(2027, 0, 30, 23, 59, 59) - Date.UTC(2026, 0, 1));
    expect((await gateway.get('/data/v1/teams', bearer(KEY))).status).toBe(200);
    clock.advance(1_000);
    expect((await gateway.get('/data/v1/teams', bearer(KEY))).status).toBe(401);
  });
});

describe('each configuration of docs/access.md', () => {
  it('is found', () => {
    expect(blocks.length).toBe((page.match(/```yaml/g) ?? []).length);
    expect(blocks.length).toBeGreaterThan(6);
  });

  it.each(blocks)('is valid, together with a source:\n%s', (block) => {
    const source = 'sources:\n  other: { number: 9, data: https://other.example.org/data/v1 }\n';
    const text = /^sources:/m.test(block) ? block : `${block}\n${source}`;
    expect(
      parseConfig(text, { FIRST_TOKEN: TOKEN }, [], { folder: '.', readFile: () => ({ content: TOKEN }) }),
    ).toHaveProperty('config');
  });
});

describe('the curl command of docs/access.md', () => {
  it('returns members data, with the envelope and the header fields of the page', async () => {
    const { gateway } = await start(CLIENT);
    const { status, headers, json } = await sendAsCurl(gateway, KEY);
    expect([status, json]).toMatchObject([200, { access: 'members', total: 2, data: [{}, { team: 'GAMMA' }] }]);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(page).toContain('`Cache-Control: private, no-store`');
  });

  it('writes an audit line with the names and the query of the page', async () => {
    const shown = fieldsOf(JSON.parse(/^\{.*"msg":"members data sent"\}$/m.exec(page)?.[0] ?? '{}'));
    const { gateway } = await start({ ...CLIENT, server: { log: 'none' } });
    await sendAsCurl(gateway, KEY);
    const [line, ...others] = gateway.log.filter(({ message }) => message === shown['msg']);
    const facts = fieldsOf(line?.facts);
    expect(others).toEqual([]);
    expect(['level', 'time', ...Object.keys(facts), 'msg']).toEqual(Object.keys(shown));
    expect(facts).toEqual({
      ...facts,
      client: shown['client'],
      credential: shown['credential'],
      query: shown['query'],
    });
  });

  it('has a file name that marks members data', async () => {
    const { gateway } = await start(CLIENT);
    const { headers } = await gateway.get('/data/v1/teams.csv?scope=members', bearer(KEY));
    const name = /teams-\d{4}-\d\d-\d\d\.members\.csv/;
    expect(page).toMatch(name);
    expect(headers.get('content-disposition')).toMatch(name);
  });
});

/** A row of the table of statuses, or a response: status, and `error` of WWW-Authenticate. */
type Refusal = readonly [status: number, error?: string];

function refusalOf({ status, headers }: GatewayResponse): Refusal {
  const error = /error="(\w+)"/.exec(headers.get('www-authenticate') ?? '')?.[1];
  return error === undefined ? [status] : [status, error];
}

/** The rows of the table. */
const rows = Array.from(page.matchAll(/^\| (\d{3}) +\| (.*)\|$/gm), ([, status, text = '']): Refusal => {
  const error = /`error="(\w+)"`/.exec(text)?.[1];
  return error === undefined ? [Number(status)] : [Number(status), error];
});

/** A refused request to a gateway of its own, with the row that describes the response. */
type RefusedRequest = readonly [name: string, row: Refusal, send: () => Promise<GatewayResponse>];

const refusedRequests: readonly RefusedRequest[] = [
  [
    'a request without credentials',
    [401],
    async () => {
      const { gateway } = await start(CLIENT);
      return gateway.get(MEMBERS_TARGET);
    },
  ],
  [
    'a malformed credential',
    [401, 'invalid_token'],
    async () => {
      const { gateway } = await start(CLIENT);
      return gateway.get('/data/v1/teams', { authorization: 'Basic dTpw' });
    },
  ],
  [
    'an unknown key at an address without a resource',
    [401, 'invalid_token'],
    async () => {
      const { gateway } = await start(CLIENT);
      return gateway.get('/', bearer('unknown'));
    },
  ],
  [
    'an expired key, for public data',
    [401, 'invalid_token'],
    async () => {
      const { gateway, clock } = await start(CLIENT);
      clock.advance(Date.UTC(2027, 11, 31) - Date.UTC(2026, 0, 1));
      return gateway.get('/data/v1/teams', bearer(KEY));
    },
  ],
  [
    'a token for another server',
    [401, 'invalid_token'],
    async () => {
      const { gateway, issuer } = await startWithIssuer();
      return gateway.get(MEMBERS_TARGET, bearer(await issuer.issueToken({ audience: 'other' })));
    },
  ],
  [
    'a token without the claim of members',
    [403, 'insufficient_scope'],
    async () => {
      const { gateway, issuer } = await startWithIssuer();
      return gateway.get(MEMBERS_TARGET, bearer(await issuer.issueToken({ audience, claims: { groups: ['staff'] } })));
    },
  ],
  [
    'a request beyond a rate limit',
    [429],
    async () => {
      const { gateway } = await start(ADDRESS_LIMIT);
      await Promise.all(Array.from({ length: 120 }, () => gateway.get('/')));
      const response = await gateway.get('/data/v1/teams');
      expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      return response;
    },
  ],
  [
    'a token while its issuer is down',
    [503],
    async () => {
      const { gateway, issuer } = await startWithIssuer();
      const token = await issuer.issueToken({ audience, claims: { groups: ['csirt'] } });
      issuer.setMode('down');
      return gateway.get('/data/v1/teams', bearer(token));
    },
  ],
];

describe('the table of statuses of docs/access.md', () => {
  it.each(refusedRequests)('states what the gateway returns to %s', async (_, row, send) => {
    expect(refusalOf(await send())).toEqual(row);
    expect(rows).toContainEqual(row);
  });

  it('has each of these rows once, and no other', () => {
    const tested = new Set(refusedRequests.map(([, row]) => row.join(' ')));
    expect(rows.map((row) => row.join(' '))).toEqual([...tested]);
  });
});

describe('a token of the issuer of docs/access.md', () => {
  it('gives members access if it has the claim', async () => {
    const { gateway, issuer } = await startWithIssuer();
    const token = await issuer.issueToken({ audience: [audience, 'other'], claims: { groups: ['staff', 'csirt'] } });
    expect((await sendAsCurl(gateway, token)).status).toBe(200);
  });
});
