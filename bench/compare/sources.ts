import { createServer } from 'node:http';
import type { Server } from 'node:http';
import fc from 'fast-check';
import { SeededRandom, dataTeams, directoryTeams, newsItems } from '../../test/oracle/push-down/random-records.js';
import { dataTeam, directoryTeam, teams } from '../../test/oracle/random-raw-records.js';
import { dataUpstream } from '../../test/support/upstream/data-upstream.js';
import type { DataRecords } from '../../test/support/upstream/data-upstream.js';
import { directoryUpstream } from '../../test/support/upstream/directory-upstream.js';
import { documentUpstream, writeCsv } from '../../test/support/upstream/document-upstream.js';
import { body, halfBody, resetConnection, status, when } from '../../test/support/upstream/faulty-responses.js';
import type { RawRecord } from '../../test/support/upstream/paged-responses.js';
import { neverResponds } from '../../test/support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamRequest } from '../../test/support/upstream/upstream-server.js';
import { writtenFeedUpstream } from '../../test/support/upstream/written-feeds.js';
import type { FeedForm } from '../../test/support/upstream/written-feeds.js';

/** A source of the comparison. Its responses depend on the URL and on the phase of the run alone. */
interface ComparedSource {
  /** The registration at an address, without its number. */
  readonly register: (address: string) => object;
  /** The handlers of the phases; the last one stays. */
  readonly phases: readonly [RequestHandler, ...RequestHandler[]];
  /** Whether its records are forgotten before the second phase, so that its fault leaves nothing to serve. */
  readonly forgotten?: boolean;
}

const MEMBERS_TOKEN = 'token-of-the-gateway-at-the-club';

/** Sources of every kind. All are good in the first phase; later some fail or change, and some recover. */
function createSources(seed: number): Readonly<Record<string, ComparedSource>> {
  const chance = new SeededRandom(seed);
  const directory = (address: string): object => ({ directory: address, properties: ['rank'] });
  const data = (address: string): object => ({ data: address, site: 'https://www.example.org/' });
  const messy = (code: string): readonly RawRecord[] =>
    generate(teams(directoryTeam(code), ['short-team-name', 'official-team-name']), chance);
  const harbour = directoryUpstream(directoryTeams(120, chance), { cap: 50 });
  const quay = createDataRecords(90, chance);
  const shrunkQuay = { ...quay, teams: quay.teams?.slice(0, 12) ?? [] };
  const twin = { directory: directoryTeams(40, chance), data: createDataRecords(40, chance) };
  const club = dataTeams(30, chance);
  const feeds = newsItems(25, chance);
  const depot = createPlainTeams('depot', 1_200);
  const ocean = createPlainTeams('ocean', 12_000, 12);
  const list = directoryTeams(60, chance);
  const faulty = (fault: RequestHandler): Pick<ComparedSource, 'phases' | 'forgotten'> => {
    const teams = directoryTeams(8, chance);
    return { phases: [directoryUpstream(teams), fault, directoryUpstream(teams.slice(3))], forgotten: true };
  };
  return {
    harbour: { register: directory, phases: [harbour, status(503), harbour] },
    quay: {
      register: (address) => ({ ...data(address), 'page-size': 40 }),
      phases: [quay, shrunkQuay].map((records) => dataUpstream(records, { generation: 2016, keys: 'pgp' })) as [
        RequestHandler,
      ],
    },
    twin: {
      register: (address) => ({ directory: `${address}/directory`, data: `${address}/data` }),
      phases: [
        serveBoth(twin.directory, twin.data),
        serveBoth(changed(twin.directory), { ...twin.data, teams: changed(twin.data.teams ?? []) }),
      ],
    },
    messy: { register: directory, phases: [directoryUpstream(messy('messy'))] },
    odd: {
      register: data,
      phases: [
        dataUpstream({ teams: generate(teams(dataTeam('odd'), ['team', 'team-full']), chance) }, { keys: 'some' }),
      ],
    },
    union: {
      register: (address) => ({ directory: address, aggregate: true, prefixes: ['reef'] }),
      phases: [directoryUpstream(messy('reef').map((team, at) => ({ 'source-name': `Reef ${at % 3}`, ...team })))],
    },
    list: {
      register: (address) => ({ document: { url: `${address}/list.json`, records: 'entries', map: MAP } }),
      phases: [documentUpstream({}, list), documentUpstream({}, changed(list))],
    },
    ledger: {
      register: (address) => ({ document: { url: `${address}/teams.csv`, delimiter: ';', map: MAP } }),
      phases: [
        documentUpstream(
          { mediaType: 'text/csv', write: writeCsv(Object.keys(MAP)) },
          directoryTeams(50, chance).map((team) => ({ ...team, website: '' })),
        ),
      ],
    },
    gazette: {
      register: (address) => ({
        feed: [`${address}/rss`, { url: `${address}/atom`, title: 'Bulletins' }, { url: `${address}/json` }],
      }),
      phases: [serveFeeds(feeds), serveFeeds(changed(feeds)), body('<rss><channel>')],
    },
    depot: {
      register: (address) => ({ ...directory(address), ...LARGE }),
      phases: [serveLarge(depot), serveLarge(changed(depot))],
    },
    // In the second phase it grows so large that its list takes more than a quarter of `cache.memory`.
    ocean: {
      register: (address) => ({ directory: address, ...LARGE }),
      phases: [serveLarge(ocean.slice(0, 300)), serveLarge(ocean)],
    },
    club: {
      register: (address) => ({ ...data(address), credentials: { members: { bearer: MEMBERS_TOKEN } } }),
      phases: [serveMembers(club.slice(0, 20), club), serveMembers(changed(club.slice(0, 20)), changed(club))],
    },
    down: { register: directory, ...faulty(resetConnection) },
    hang: { register: directory, ...faulty(neverResponds) },
    broken: { register: directory, ...faulty(status(500)) },
    malformed: { register: directory, ...faulty(body('{"status":"OK","data":[{"short-team-name":]}')) },
    truncated: { register: directory, ...faulty(halfBody) },
    // It counts seven more teams than it sends.
    short: { register: directory, ...faulty(directoryUpstream(directoryTeams(15, chance), { total: 7 })) },
    empty: { register: data, phases: [dataUpstream({ teams: [], news: [], channels: [] })] },
  };
}

const LARGE = {
  'drain-threshold': 500,
  supports: {
    teams: { filters: ['country', 'host'], sort: ['short-team-name', '-short-team-name'], total: true },
  },
};

const MAP: Readonly<Record<string, string>> = Object.fromEntries(
  ['short-team-name', 'official-team-name', 'country-code', 'host', 'email', 'website', 'establishment'].map((name) => [
    name,
    `"${name}"`,
  ]),
);

function generate<T>(arbitrary: fc.Arbitrary<T>, chance: SeededRandom): T {
  const [value] = fc.sample(arbitrary, { seed: chance.below(1e9), numRuns: 1 });
  if (value === undefined) throw new Error('nothing was generated');
  return value;
}

/** The list without every fifth record, and with another host in every seventh one. */
function changed(records: readonly unknown[]): readonly RawRecord[] {
  const kept = records.filter((_, at) => at % 5 !== 3) as readonly RawRecord[];
  return kept.map((record, at) => (at % 7 === 0 ? { ...record, host: 'Elsewhere Ltd' } : record));
}

function createDataRecords(count: number, chance: SeededRandom): DataRecords {
  const channels = ['Advisories', 'Événements & more', 'Blog'].map((title, at) => ({
    id: at + 1,
    title,
    link: `/channels/${at}`,
    rss: `/channels/${at}.rss`,
  }));
  const news = newsItems(count, chance).map((item, at) => ({
    ...item,
    content: `<p>Content <b>${at}</b></p>`,
    channels: channels.filter((_, index) => (at >> index) % 2 === 1).map(({ title }) => title),
  }));
  return { teams: dataTeams(count, chance), news, channels };
}

/** Teams whose values every repository compares and sorts alike. */
function createPlainTeams(name: string, count: number, repeat = 1): readonly RawRecord[] {
  return Array.from({ length: count }, (_, at) => ({
    'short-team-name': `${name} ${String(at).padStart(5, '0')}`,
    'official-team-name': `Incident response of ${name} ${at}`,
    'country-code': ['NO', 'PT', 'BR', 'JP', 'DE'][at % 5],
    host: `host ${at % 40}`,
    email: `cert-${at}@${name}.example.org`,
    'constituency-description': 'Answers incidents of its constituents, and publishes advisories. '.repeat(repeat),
    'last-modified': `2025-0${1 + (at % 9)}-11T08:00:00+00:00`,
  }));
}

/** Handles requests as a repository that filters by country and host, and sorts by the short name. */
function serveLarge(teams: readonly RawRecord[]): RequestHandler {
  const records = ({ query }: UpstreamRequest): readonly RawRecord[] => {
    const [country, host, sort] = ['country', 'host', 'sort'].map((name) => query.get(name)?.toLowerCase());
    const found = teams.filter(
      (team) =>
        (country === undefined || country.split(',').includes(String(team['country-code']).toLowerCase())) &&
        (host === undefined || host === team['host']),
    );
    return sort?.startsWith('-') === true ? found.toReversed() : found;
  };
  return directoryUpstream(teams, { records });
}

function serveBoth(teams: readonly unknown[], data: DataRecords): RequestHandler {
  return when(({ path }) => path.includes('/directory/'), directoryUpstream(teams), dataUpstream(data));
}

function serveMembers(open: readonly RawRecord[], all: readonly RawRecord[]): RequestHandler {
  const members = all.map((team) => ({ ...team, phone: '+1 202 555 0199' }));
  return (request, response) => {
    const handle =
      request.query.get('scope') !== 'members'
        ? dataUpstream({ teams: open })
        : request.headers.authorization === `Bearer ${MEMBERS_TOKEN}`
          ? dataUpstream({ teams: members }, { envelope: { access: 'members' } })
          : status(401);
    handle(request, response);
  };
}

function serveFeeds(items: readonly RawRecord[]): RequestHandler {
  const texts = items.map(({ id, title, summary, link, published }) => ({
    guid: `tag:example.org,2026:${String(id)}`,
    title: typeof title === 'string' ? title : 'Untitled',
    summary: typeof summary === 'string' ? summary : undefined,
    link: typeof link === 'string' ? link : undefined,
    published: typeof published === 'string' ? published : undefined,
    content: '<p>Read <b>this</b>.</p>',
  }));
  return (request, response) => {
    const form = request.path.slice(request.path.lastIndexOf('/') + 1) as FeedForm;
    const portion = form === 'rss' ? texts.slice(0, 12) : form === 'atom' ? texts.slice(8) : texts.slice(3, 6);
    writtenFeedUpstream({ form, title: `Feed ${form}`, link: 'https://www.example.org/', items: portion })(
      request,
      response,
    );
  };
}

/** The running sources. */
export interface RunningSources {
  /** The registrations, by code. */
  readonly registrations: Readonly<Record<string, object>>;
  /** Codes of the sources that are to be forgotten before the second phase. */
  readonly forgotten: readonly string[];
  /** Begins the next phase. */
  change(): void;
  close(): void;
}

/** Serves the sources on consecutive ports of 127.0.0.1. */
export async function startSources(seed: number, port: number): Promise<RunningSources> {
  const sources = Object.entries(createSources(seed));
  const servers: Server[] = [];
  let phase = 0;
  const registrations: Record<string, object> = {};
  for (const [at, [code, { register, phases }]] of sources.entries()) {
    const server = createServer({ keepAliveTimeout: 60_000 }, ({ url = '', headers }, response) => {
      const { pathname: path, searchParams: query } = new URL(url, 'http://source.example');
      const handle = phases[Math.min(phase, phases.length - 1)] ?? phases[0];
      handle({ number: 1, path, query, headers }, response);
    });
    servers.push(server);
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port + at, '127.0.0.1', resolve);
    });
    const address = `http://127.0.0.1:${port + at}/v1`;
    registrations[code] = { number: at + 1, 'source-name': `Source ${code}`, ...register(address) };
  }
  return {
    registrations,
    forgotten: sources.filter(([, { forgotten }]) => forgotten).map(([code]) => code),
    change: () => {
      phase += 1;
    },
    close: () => {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}
