import { parse as parseYaml } from 'yaml';
import { afterEach, describe, expect, it } from 'vitest';
import { createConfigRoute } from '../../../src/admin/config/config-route.js';
import type { ServedGeneration } from '../../../src/admin/admin-state.js';
import { createAdminHttpServer } from '../../../src/admin/server/admin-server.js';
import { hashClientKey } from '../../../src/access/client-keys.js';
import type { Config } from '../../../src/config/config.js';
import { parseConfig } from '../../../src/config/parse-config.js';
import { closeAdminPorts, openAdminPort, requestAdmin } from '../../support/gateway/admin-port.js';
import { fieldsOf } from '../../support/gateway/data-gateway.js';

afterEach(closeAdminPorts);

/** Part of every secret of the configuration. Hashes of keys have no letters beyond f. */
const CANARY = 'c0ffee5ec2e7';
const CANARY_HASH = CANARY.repeat(6).slice(0, 64);
const OTHER_HASH = `${'0'.repeat(52)}${CANARY}`;

const interfaceSource = (number: number, credentials: object): object => ({
  number,
  directory: `https://source-${number}.example.org/directory/v1`,
  proxy: `http://user-${CANARY}:password-${CANARY}@proxy.example.org:3128`,
  headers: { 'X-Contract': `contract-${CANARY}` },
  credentials,
});

const WRITTEN = {
  server: { 'public-url': 'https://gateway.example.org', deadline: '1500ms', limits: { rate: '600/1m' } },
  admin: { 'key-sha256': CANARY_HASH },
  cache: { disk: 'var/snapshots' },
  access: {
    clients: [{ name: 'portal', 'key-sha256': OTHER_HASH, access: 'members', expires: '2027-03-31' }],
    issuer: { url: 'https://issuer.example.org/', audience: 'rollcall', 'members-claim': { groups: 'csirt' } },
  },
  sources: {
    bearer: interfaceSource(1, { public: { bearer: `token-${CANARY}` }, members: { bearer: `members-${CANARY}` } }),
    basic: interfaceSource(2, { public: { basic: `user-${CANARY}:password-${CANARY}` } }),
    header: interfaceSource(3, { public: { header: `X-Api-Key: key-${CANARY}` } }),
    query: interfaceSource(4, { public: { query: `apikey=key-${CANARY}` } }),
    document: {
      number: 5,
      document: {
        url: `https://list.example.org/teams.json?token=${CANARY}&${CANARY}`,
        map: { id: 'id', 'short-team-name': 'name' },
        join: {
          url: `https://list.example.org/more.json?other=${CANARY}`,
          on: ['id', 'id'],
          as: 'more',
        },
      },
    },
    feeds: {
      number: 7,
      feed: [`https://feeds.example.org/rss?list=${CANARY}`, { url: 'https://feeds.example.org/ics', title: 'ICS' }],
    },
    environment: { number: 6, data: 'https://source-6.example.org/data/v1', 'drain-threshold': '7000' },
  },
};

const ENVIRONMENT = { https_proxy: `http://user-${CANARY}:password-${CANARY}@proxy.example.net:3128` };

/** The configuration, with a TLS certificate for one source. */
function parseWritten(): Config {
  const parsed = parseConfig(JSON.stringify(WRITTEN), ENVIRONMENT);
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  const tls = { ca: `ca-${CANARY}`, cert: `cert-${CANARY}`, key: `key-${CANARY}` };
  const { config } = parsed;
  const sources = config.sources.map((source) =>
    source.code === 'bearer' ? { ...source, connection: { ...source.connection, tls } } : source,
  );
  return { ...config, sources };
}

const gateway: ServedGeneration['gateway'] = {
  servedResources: [],
  sourcesAt: () => undefined,
  warmUp: () => Promise.resolve(),
  isIndexing: () => false,
  probeSource: () => undefined,
};

async function startPort(config: Config = parseWritten()): Promise<string> {
  const generation = { config, file: '/etc/rollcall.yaml', loadedAt: Date.UTC(2026, 10, 24, 12), number: 3, gateway };
  return openAdminPort(
    createAdminHttpServer({
      routes: [createConfigRoute({ generation: () => generation })],
      settings: () => ({ host: '127.0.0.1', port: 0, ready: 'listeners', keySha256: undefined }),
      publish: () => undefined,
    }),
  );
}

async function readConfig(origin: string): Promise<Readonly<Record<string, unknown>>> {
  const parsed: unknown = JSON.parse((await requestAdmin(origin, '/config')).text);
  return fieldsOf(fieldsOf(parsed)['config']);
}

describe('/config', () => {
  it('has a canary in every place of a secret, or the next test proves nothing', () => {
    const config = parseWritten();
    const text = JSON.stringify(config);
    expect(text.split(CANARY).length - 1).toBeGreaterThanOrEqual(30);
    for (const { code, connection, credentials, headers } of config.sources) {
      if (code !== 'document') expect(JSON.stringify(connection)).toContain(CANARY);
      if (['document', 'environment', 'feeds'].includes(code)) continue;
      expect(JSON.stringify(credentials)).toContain(CANARY);
      expect(JSON.stringify(headers)).toContain(CANARY);
    }
  });

  it('shows no secret in any format', async () => {
    const origin = await startPort();
    for (const format of ['json', 'yaml', 'html']) {
      const { status, text } = await requestAdmin(origin, `/config?format=${format}`);
      expect(status).toBe(200);
      expect(text.toLowerCase()).not.toContain(CANARY);
      expect(text).toContain('source-6.example.org');
      expect(text).toContain('x-api-key');
    }
  });

  it('hides the key of the operator from which its hash was made', async () => {
    const key = 'rck_operator';
    const parsed = parseConfig(
      JSON.stringify({ ...WRITTEN, admin: { 'key-sha256': hashClientKey(key) } }),
      ENVIRONMENT,
    );
    if ('errors' in parsed) throw new Error('the configuration has errors');
    const { text } = await requestAdmin(await startPort(parsed.config), '/config');
    expect(text).not.toContain(hashClientKey(key));
  });

  it('shows the settings in force with defaults, by the names and in the units of the file', async () => {
    const config = await readConfig(await startPort());
    expect(config).toMatchObject({
      server: { 'public-url': 'https://gateway.example.org', deadline: '1500ms', limits: { rate: '600/1m' } },
      admin: { host: '127.0.0.1', port: 9090, 'key-sha256': '(hidden)' },
      cache: { memory: '256MiB', disk: 'var/snapshots' },
      access: {
        scopes: { members: 'members' },
        clients: [{ name: 'portal', 'key-sha256': '(hidden)', expires: '2027-03-31T00:00:00+00:00' }],
        issuer: { audience: 'rollcall', 'members-claim': { groups: 'csirt' } },
      },
      sources: {
        bearer: {
          number: 1,
          'source-name': 'bearer',
          ttl: '1m',
          'stale-if-error': '1d',
          credentials: { public: { bearer: '(hidden)' }, members: { bearer: '(hidden)' } },
          tls: { ca: '(hidden)', cert: '(hidden)', key: '(hidden)' },
          headers: { 'x-contract': '(hidden)' },
          proxy: { http: 'http://(hidden)@proxy.example.org:3128/' },
        },
        header: { credentials: { public: { header: 'x-api-key: (hidden)' } } },
        query: { credentials: { public: { query: 'apikey=(hidden)' } } },
        document: {
          document: {
            url: 'https://list.example.org/teams.json?token=(hidden)&(hidden)',
            map: { id: 'id', 'short-team-name': 'name' },
            join: { url: 'https://list.example.org/more.json?other=(hidden)', on: ['id', 'id'], as: 'more' },
          },
        },
        feeds: {
          feed: [
            { url: 'https://feeds.example.org/rss?list=(hidden)' },
            { url: 'https://feeds.example.org/ics', title: 'ICS' },
          ],
        },
        environment: {
          'drain-threshold': 7000,
          'max-body': '16MiB',
          proxy: { https: 'http://(hidden)@proxy.example.net:3128/' },
        },
      },
    });
  });

  it('has the same values in YAML as in JSON', async () => {
    const origin = await startPort();
    const json: unknown = JSON.parse((await requestAdmin(origin, '/config?format=json')).text);
    const yaml: unknown = parseYaml((await requestAdmin(origin, '/config?format=yaml')).text);
    expect(yaml).toEqual(json);
  });

  it('states the file, when it was loaded, and the number of the generation', async () => {
    const origin = await startPort();
    const parsed: unknown = JSON.parse((await requestAdmin(origin, '/config')).text);
    const head = { file: '/etc/rollcall.yaml', loadedAt: '2026-11-24T12:00:00+00:00', generation: 3 };
    expect(parsed).toMatchObject(head);
    const page = (await requestAdmin(origin, '/config?format=html')).text;
    expect(page).toContain('/etc/rollcall.yaml');
    expect(page).toContain('3, after 2 reloads');
  });

  it('answers 400 for another format', async () => {
    const response = await requestAdmin(await startPort(), '/config?format=toml');
    expect(response).toMatchObject({ status: 400, text: 'format is one of json, yaml, html\n' });
  });
});
