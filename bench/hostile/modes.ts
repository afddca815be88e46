import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { load } from 'js-yaml';
import { craftKey } from '../../test/support/crafted-openpgp-key.js';
import { ROOT } from '../harness/paths.js';

type Respond = (url: URL, response: ServerResponse) => unknown;

/** What one source and one client do to harm others. */
export interface HostileMode {
  readonly name: string;
  /** The registration of the source at an address as YAML, without its number. Absent: there is no hostile source. */
  readonly register?: (address: string) => string;
  /** Sends one of its pages. */
  readonly respond?: Respond;
  /** The targets of the client, which sends {@link PARALLEL} requests at a time. `at` counts them. Absent: it sends none. */
  readonly target?: (at: number) => string;
}

/** Requests of the hostile client in progress. */
export const PARALLEL = 8;

const range = (length: number): readonly number[] => Array.from({ length }, (_, at) => at);
const directory = (address: string): string => `directory: "${address}", page-size: 20000`;
const list = '/directory/v1/teams?limit=10';

const send =
  (type: string, text: () => string): Respond =>
  (_, response) =>
    response.writeHead(200, { 'Content-Type': type }).end(text());

/** Sends a list of records as one page. */
const records = (read: () => readonly object[]): Respond => {
  return ({ searchParams }, response) => {
    const all = Number(searchParams.get('offset')) === 0 ? read() : [];
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(all));
  };
};

/** A text that is generated once. */
const once = <T>(generate: () => T): (() => T) => {
  let generated: T | undefined;
  return () => (generated ??= generate());
};

/** A document with the expressions of the demo. */
const mapped = (name: string, type: string, text: string): HostileMode => {
  const demo = load(readFileSync(new URL('config/demo.yaml', ROOT), 'utf8')) as DemoConfig;
  const { map, only } = demo.sources.ledger.document;
  return {
    name,
    register: (address) =>
      `document: ${JSON.stringify({ url: `${address}/teams`, map, only }).replaceAll('-ledger-', '-two-')}`,
    respond: send(type, () => text),
    target: () => list,
  };
};

interface DemoConfig {
  readonly sources: { readonly ledger: { readonly document: { readonly map: object; readonly only: string } } };
}

const RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"';

/** A feed of 1 MB. */
const feed = (name: string, base: string, item: string, end = ''): HostileMode => ({
  name,
  register: (address) => `feed: "${address}/feed"`,
  respond: send('application/rdf+xml', () => {
    const items =
      item.repeat(1e6 / (item.length + end.length)) + end.repeat(end === '' ? 0 : 1e6 / (item.length + end.length));
    return `<rdf:RDF ${RDF} xml:base="${base}"><channel><title>A</title></channel>${items}</rdf:RDF>`;
  }),
  target: () => '/data/v1/news?limit=10',
});

/** Records that share the name, address and telephone number of one team. */
const copies = (count: number): readonly object[] =>
  range(count).map((at) => ({
    id: `${at}`,
    'short-team-name': 'Acorn CERT',
    host: `Acorn ${at}`,
    email: 'cert@acorn.example.org',
    'phone-numbers': ['+999 5550 0166'],
  }));

let version = 0;
const changingTeams = (): readonly object[] => {
  version += 1;
  const text = 'word emergency response acorn '.repeat(32);
  return range(12_000).map((at) => ({ 'short-team-name': `Acorn ${at} v${version}`, host: text + String(at) }));
};

/** All modes. The first one is what the others are compared with. */
export const modes: readonly HostileMode[] = [
  { name: 'quiet' },
  {
    name: '20 keys of 16,384 bits with signatures',
    register: (address) => `data: "${address}"`,
    respond: records(
      once(() => {
        const key = (at: number): string => craftKey({ p: 16_384, q: 16_384, signatures: 3 + at });
        return range(20).map((at) => ({ id: `${at}`, team: `T${at}`, 'pgp-key': key(at) }));
      }),
    ),
    target: () => '/data/v1/teams.asc?scope=pgp',
  },
  mapped('document of 131 KB of {}', 'application/json', `[${'{},'.repeat(43_700)}{}]`),
  mapped('CSV of 8,000 short rows', 'text/csv', `Team\n${'a\n'.repeat(8_000)}`),
  {
    name: 'list of 12 MB that changes, and different searches',
    register: directory,
    respond: records(changingTeams),
    target: (at) => `/directory/v1/search?q=acorn+${at}`,
  },
  {
    name: 'pages without end, each after 300 ms',
    register: (address) => `directory: "${address}", page-size: 1`,
    respond: async ({ searchParams }: URL, response: ServerResponse): Promise<void> => {
      await pause(300);
      const offset = Number(searchParams.get('offset'));
      response.writeHead(200, { 'Content-Type': 'application/json', 'X-Total-Count': offset + 1_000 });
      response.end(JSON.stringify([{ id: `${offset}`, 'short-team-name': `T${offset}` }]));
    },
    target: () => list,
  },
  feed('feed of nested bases', 'http://example.org/', '<item xml:base="a/">', '</item>'),
  feed('feed of items with a long base', `http://example.org/${'a/'.repeat(4_000)}`, '<item/>'),
  feed('feed of items with a base within the bound', `http://example.org/${'a/'.repeat(15)}`, '<item/>'),
  {
    name: '2,000 records that share the facts of a team',
    register: directory,
    respond: records(once(() => copies(2_000))),
    target: (at) => `/directory/v1/teams/two.${at % 2_000}/same`,
  },
  {
    name: '4,000 records with the name that is searched',
    register: directory,
    respond: records(once(() => copies(4_000))),
    target: (at) => `/?q=acorn+cert&_=${at}`,
  },
  {
    name: 'vCards of 40 values of 200 KB',
    register: directory,
    respond: records(
      once(() => range(40).map((at) => ({ id: `${at}`, 'short-team-name': `T${at}`, host: 'é; ,\n'.repeat(40_000) }))),
    ),
    target: (at) => `/directory/v1/teams.vcf?limit=10000&_=${at}`,
  },
];
