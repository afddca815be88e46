import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { afterEach, expect, it } from 'vitest';
import { loadConfig } from '../src/config/load-config.js';
import { fakeClock } from './support/fake-clock.js';
import { startGateway } from './support/gateway/test-gateway.js';
import type { GatewayResponse, GatewaySetup, TestGateway } from './support/gateway/test-gateway.js';
import { startUpstream } from './support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from './support/upstream/upstream-server.js';

/** The examples of `config/examples/`, which `docs/sources.md` explains. */
const EXAMPLES = new URL('../config/examples/', import.meta.url);
const KEY = 'key-of-a-test';
const names = readdirSync(EXAMPLES).filter((name) => name.endsWith('.yaml'));

const fixture = (name: string): string => readFileSync(new URL(`fixtures/examples/${name}`, import.meta.url), 'utf8');

const open: (UpstreamServer | TestGateway)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

it.each(names)('config/examples/%s is valid', async (name) => {
  const environment = { CEREBRATE_KEY: KEY };
  expect(await loadConfig(fileURLToPath(new URL(name, EXAMPLES)), environment)).toHaveProperty('config');
});

/** Bodies by path and query; any other request gets a 404. */
function serve(bodies: Readonly<Record<string, string>>): RequestHandler {
  return ({ path, query, headers }, response) => {
    const search = query.toString();
    const body = bodies[search === '' ? path : `${path}?${search}`] ?? bodies[path];
    const isRefused = path.includes('/index') && headers.authorization !== KEY;
    response.writeHead(isRefused ? 403 : body === undefined ? 404 : 200).end(isRefused ? '' : body);
  };
}

/** A gateway with the configuration of an example, whose host is a server with these bodies. */
async function run(name: string, host: string, bodies: Readonly<Record<string, string>>): Promise<TestGateway> {
  const upstream = await startUpstream(serve(bodies));
  open.push(upstream);
  const text = readFileSync(new URL(name, EXAMPLES), 'utf8').replaceAll(
    `https://${host}`,
    new URL(upstream.address).origin,
  );
  const lists = fileURLToPath(new URL('lists/', EXAMPLES));
  const setup = load(text.replace('file: lists/', `file: ${lists}`)) as GatewaySetup;
  const gateway = await startGateway(setup, {
    environment: { CEREBRATE_KEY: KEY },
    clock: fakeClock(),
  });
  open.push(gateway);
  return gateway;
}

async function teamsOf(gateway: TestGateway, path: string): Promise<GatewayResponse> {
  const response = await gateway.get(`${path}?pretty=0&envelope=false`);
  expect(response.headers.get('source-status')).toMatch(/^[\w-]+;state=fresh/);
  return response;
}

it('the example of a list of your own reads the CSV beside it', async () => {
  const gateway = await run('own-list.yaml', 'unused', {});
  expect((await teamsOf(gateway, '/directory/v1/teams')).json).toEqual([
    {
      'short-team-name': 'BIRCH',
      'official-team-name': 'Birch CERT',
      'country-code': 'AT',
      website: ['https://birch.example.org', 'https://www.example.org/birch'],
      email: 'birch@example.org',
      establishment: '2004-05-01',
      'phone-numbers': ['+43 5550 0100', '+43 5550 0101 (mobile)'],
      'operating-hours': '24x7',
      constituency: 'energy',
      'source-name': 'Our own list',
      '-own-contract': 'gold',
    },
    {
      'short-team-name': 'CEDAR',
      'official-team-name': 'Cedar Hospital Group',
      'country-code': 'AT',
      website: ['https://cedar.example.org'],
      email: 'cedar@example.org',
      'phone-numbers': ['+43 5550 0200'],
      'operating-hours': 'Mon-Fri 8-17',
      constituency: 'health',
      'source-name': 'Our own list',
    },
    {
      'short-team-name': 'ÉRABLE',
      'official-team-name': 'Équipe Érable',
      'country-code': 'FR',
      email: 'erable@example.org',
      establishment: '2016',
      'phone-numbers': ['+33 5550 0400'],
      'operating-hours': '24x7',
      constituency: 'transport',
      'source-name': 'Our own list',
      '-own-contract': 'silver',
    },
  ]);
  expect((await gateway.get('/data/v1/teams?fields=id&envelope=false&pretty=0')).json).toEqual([
    { id: 'own.A-1' },
    { id: 'own.A-2' },
    { id: 'own.A-4' },
  ]);
});

it("the example of ENISA's inventory reads the names of that list", async () => {
  const gateway = await run('enisa-inventory.yaml', 'inventory.example.org', {
    '/csirts.json': fixture('enisa-csirts.json'),
  });
  expect((await teamsOf(gateway, '/directory/v1/teams')).json).toEqual([
    {
      'short-team-name': 'ACORN-CERT',
      'official-team-name': 'Acorn Computer Emergency Response Team',
      'country-code': 'NO',
      website: ['https://acorn.example.org'],
      email: 'acorn@example.org',
      establishment: '2004',
      enckeys: ['AAAA0000AAAA0000AAAA0000AAAA0000AAAA0000'],
      constituency: 'Government, Research & Education',
      'source-name': 'ENISA CSIRTs Inventory',
      '-enisa-tistatus': 'Accredited',
      '-enisa-csirts-network': 'Member',
      '-enisa-first-member-type': 'Full Member',
      '-enisa-oes-coverage': 'Energy',
    },
    {
      'short-team-name': 'BIRCH',
      'official-team-name': 'Birch Energy CSIRT',
      'country-code': 'AT',
      website: ['https://birch.example.org'],
      email: 'birch@example.org',
      constituency: 'Energy',
      'source-name': 'ENISA CSIRTs Inventory',
      '-enisa-tistatus': 'Listed',
    },
  ]);
});

it('the example of a Cerebrate instance reads its pages and adds the keys of each organisation', async () => {
  const gateway = await run('cerebrate.yaml', 'cerebrate.example.org', {
    '/organisations/index?limit=100&page=1': fixture('cerebrate-organisations.json'),
    '/encryptionKeys/index?limit=100&page=1': fixture('cerebrate-keys.json'),
  });
  const { json } = await teamsOf(gateway, '/data/v1/teams');
  expect(json).toEqual([
    {
      id: 'cerebrate.6f1f2c1e-0000-4000-8000-000000000011',
      team: 'ACORN-CERT',
      country: 'NO',
      website: ['https://acorn.example.org'],
      email: 'acorn@example.org',
      constituency: 'Government',
      'constituency-description': 'acorn.example.org, 64500',
      'source-name': 'Cerebrate',
      'country-other': ['SJ'],
      '-cerebrate-type': 'CSIRT',
      '-cerebrate-ipv4': ['192.0.2.0/25', '198.51.100.0/24'],
      'last-modified': '2026-09-14 08:30:00+00:00',
    },
    {
      id: 'cerebrate.6f1f2c1e-0000-4000-8000-000000000012',
      team: 'BIRCH',
      country: 'AT',
      website: ['https://birch.example.org'],
      email: 'birch@example.org',
      constituency: 'Energy',
      'source-name': 'Cerebrate',
      '-cerebrate-type': 'CSIRT',
      'last-modified': '2026-10-02 16:05:00+00:00',
    },
  ]);
  const keys = await gateway.get('/data/v1/teams?scope=pgp&fields=team,pgp-key&envelope=false&pretty=0');
  expect(keys.json).toEqual([
    {
      team: 'ACORN-CERT',
      'pgp-key': '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nfirst key of acorn\n-----END PGP PUBLIC KEY BLOCK-----',
    },
  ]);
});

it('the example of an inventory in XML reads elements and attributes', async () => {
  const gateway = await run('xml-inventory.yaml', 'inventory.example.org', { '/teams.xml': fixture('inventory.xml') });
  expect((await teamsOf(gateway, '/directory/v1/teams')).json).toEqual([
    {
      'short-team-name': 'ACORN',
      'official-team-name': 'Acorn CERT & Friends',
      'country-code': 'NO',
      website: ['https://acorn.example.org'],
      email: 'acorn@example.org',
      'phone-numbers': ['+47 5550 0100', '+47 5550 0101'],
      constituency: 'Government, Health',
      'source-name': 'National Inventory',
      '-inventory-level': 'A',
    },
    {
      'short-team-name': 'BIRCH',
      'official-team-name': 'Birch CERT',
      'country-code': 'AT',
      email: 'birch@example.org',
      'phone-numbers': ['+43 5550 0200'],
      constituency: 'Energy',
      'source-name': 'National Inventory',
      '-inventory-level': 'B',
    },
  ]);
});

it("the example of FIRST's live API reads its profiles", async () => {
  const gateway = await run('first.yaml', 'api.first.org', { '/data/v1/teams': fixture('first-teams.json') });
  expect((await teamsOf(gateway, '/directory/v1/teams')).json).toMatchObject([
    {
      'short-team-name': 'ACORN-CERT',
      'country-code': 'NO',
      establishment: '2008-09-08',
      '-first-member-type': 'Full Member',
      'source-name': 'FIRST.Org',
    },
    { 'short-team-name': 'BIRCH', '-first-member-type': 'Liaison' },
  ]);
});

it('the example of another Rollcall reads the records of its sources under their own names', async () => {
  const behind = await startUpstream(serve({ '/v1/teams': fixture('first-teams.json') }));
  const region = await startGateway({
    server: { name: 'regional-gateway' },
    sources: { first: { 'source-name': 'FIRST.Org', data: behind.address } },
  });
  open.push(behind, region);
  const text = readFileSync(new URL('rollcall.yaml', EXAMPLES), 'utf8');
  const gateway = await startGateway(
    load(text.replaceAll('https://rollcall.example.org', region.origin)) as GatewaySetup,
  );
  open.push(gateway);
  for (const path of ['/directory/v1/teams', '/data/v1/teams'])
    expect((await teamsOf(gateway, path)).json).toMatchObject([
      { 'source-name': 'FIRST.Org' },
      { 'source-name': 'FIRST.Org' },
    ]);
});
