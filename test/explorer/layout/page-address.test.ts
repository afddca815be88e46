import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readPublicPath } from '../../../src/explorer/layout/page-address.js';
import { formats } from '../../../src/render/formats.js';
import { startDemo } from '../../support/gateway/demo-gateway.js';
import type { DemoGateway } from '../../support/gateway/demo-gateway.js';
import { startStrippingProxy } from '../../support/http/stripping-proxy.js';
import type { StrippingProxy } from '../../support/http/stripping-proxy.js';
import { keyReader } from '../../support/gateway/threads/key-reader.js';

const PATH = '/rollcall';
const HOST = 'irt.example.org';
const PUBLIC_URL = `https://${HOST}${PATH}`;

/**
 * Pages from which the crawl starts: each kind, also those that report an error, to which no page links. Short lists are
 * first, so that their files are requested and not those of all teams.
 */
const STARTS = [
  '/?q=thorsvick%20helth',
  '/?country=IS',
  '/?q=nobody%20nowhere&country=NO',
  '/?country=Atlantis',
  '/?offset=50',
  '/news',
  '/news?q=nothing',
  '/docs',
  // A team with keys.
  '/teams/beacon.vault_soc',
  '/teams/harbour.unknown',
  '/teams/unknown',
];

const keys = keyReader();
let demo: DemoGateway;
let proxy: StrippingProxy;

beforeAll(async () => {
  const [script, style] = ['file.js', 'file.css'].map((file) => ({
    path: `/assets/${file}`,
    contentType: 'text/plain',
    bytes: Buffer.from('text'),
  }));
  if (script === undefined || style === undefined) throw new Error('there are no files');
  const map = { ...script, path: '/assets/map.svg', codes: new Set(['NO']) };
  demo = await startDemo(keys, { publicUrl: PUBLIC_URL, explorerAssets: { map, script, style } });
  proxy = await startStrippingProxy(PATH, demo.origin);
});

afterAll(async () => {
  keys.close();
  await proxy.close();
  await demo.close();
});

const get = (target: string): Promise<Response> => fetch(proxy.origin + target, { redirect: 'manual' });

/** The addresses of this gateway to which a response leads. Those of other sites are addresses of sources. */
async function readAddresses(response: Response): Promise<string[]> {
  const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
  const body = await response.text();
  const html = isPage ? body : '';
  return [
    response.headers.get('location'),
    ...[...html.matchAll(/ (?:href|src|action)="([^"]*)"/g)].map(([, to]) => to),
  ]
    .flatMap((address) => address?.replaceAll('&amp;', '&') ?? [])
    .filter((address) => !/^(?:#|mailto:|tel:)/.test(address) && [HOST, ''].includes(hostOf(address)));
}

/** The host that an address names; empty where it names none. */
function hostOf(address: string): string {
  const { hostname } = new URL(address, 'http://none.invalid');
  return hostname === 'none.invalid' ? '' : hostname;
}

const FILE = new RegExp(`\\/(teams|news)\\/[^/]+?(${formats.flatMap(({ extensions }) => extensions).join('|')})?$`);

/** The form of an address: its path without ids and, of a page with a list, the names of its parameters. */
function formOf(address: string): string {
  const { pathname, searchParams } = new URL(address, PUBLIC_URL);
  const names = /\/(?:news)?$/.test(pathname) ? [...searchParams.keys()] : [];
  return [pathname.replace(FILE, '/$1/ID$2'), ...names].join(' ');
}

interface Crawl {
  /** All addresses that pages emit. */
  readonly addresses: ReadonlySet<string>;
  /** Status and address of each request that failed. */
  readonly failures: readonly string[];
  /** Forms of the requested addresses. */
  readonly forms: ReadonlySet<string>;
}

/** Follows the addresses of pages through the proxy, one of each form. */
async function crawl(): Promise<Crawl> {
  const addresses = new Set<string>();
  const forms = new Set<string>();
  const failures: string[] = [];
  const add = async (response: Response): Promise<void> => {
    for (const address of await readAddresses(response)) addresses.add(address);
  };
  for (const start of STARTS) await add(await get(PATH + start));
  for (const address of addresses) {
    const form = formOf(address);
    if (forms.has(form)) continue;
    forms.add(form);
    const { pathname, search } = new URL(address, PUBLIC_URL);
    const response = await get(pathname + search);
    if (response.status >= 400) failures.push(`${response.status} ${address}`);
    await add(response);
  }
  return { addresses, failures, forms };
}

describe('behind a proxy that strips the path of the public URL', () => {
  it('every address of a page is below that path, and works', async () => {
    const { addresses, failures, forms } = await crawl();
    const isBelow = (address: string): boolean =>
      address.startsWith(`${PATH}/`) || address.startsWith(`${PUBLIC_URL}/`);
    expect([...addresses].filter((address) => !isBelow(address))).toEqual([]);
    expect(failures).toEqual([]);
    const lists = ['/', '/ q', '/ country', '/ offset', '/ source-name', '/news', '/news channel'];
    const others = ['/teams/ID', '/docs', '/openapi.json', '/assets/file.js', '/assets/file.css', '/data/v1/news.atom'];
    const files = ['/directory/v1/teams.csv', '/directory/v1/search.xlsx', '/directory/v1/teams/ID.json'];
    for (const form of [...lists, ...others, ...files]) expect(forms).toContain(PATH + form);
    expect(addresses).toContain(`${PATH}/data/v1/teams/beacon.vault_soc.asc?scope=pgp`);
  });

  it('the pages of records work under another host name too', async () => {
    for (const target of ['/', '/news', '/teams/harbour.unknown'])
      expect(await (await get(PATH + target)).text()).not.toMatch(new RegExp(` (?:href|src|action)="https://${HOST}`));
  });

  it('the page of a missing team states the address that the reader requested', async () => {
    expect(await (await get(`${PATH}/teams/harbour.unknown`)).text()).toContain(`${PATH}/teams/harbour.unknown<`);
  });
});

describe('the path of a public URL', () => {
  it.each([
    ['', ''],
    ['https://irt.example.org', ''],
    ['https://irt.example.org/rollcall', '/rollcall'],
    ['https://irt.example.org/a%20b/c', '/a%20b/c'],
  ])('of %j is %j', (publicUrl, path) => {
    expect(readPublicPath(publicUrl)).toBe(path);
  });

  it('never becomes the name of a host', () => {
    const { href } = new URL(
      `${readPublicPath('https://irt.example.org//rollcall')}/news`,
      'https://other.example.org/',
    );
    expect(href).toBe('https://other.example.org//rollcall/news');
  });
});
