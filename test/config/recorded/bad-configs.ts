import { createSeededRandom } from '../../../config/demo/generator/seeded-random.js';
import type { SeededRandom } from '../../../config/demo/generator/seeded-random.js';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
type Path = readonly string[];

/** In every secret of a generated configuration at its right place: no error may contain it. */
export const CANARY = 'c0ffee5ec2e7';

const HASH = 'a'.repeat(64);
const TEAM_MAP = { 'short-team-name': 'name' };

const SOURCES: readonly Readonly<Record<string, Json>>[] = [
  { directory: 'https://one.example.org/v1' },
  { data: 'http://127.0.0.1:8101/data/v1', prefixes: ['reef'], 'all-keys-public': true },
  { directory: 'https://two.example.org', data: 'https://two.example.org/data', properties: ['duty-officer'] },
  { document: { url: 'https://list.example.org/teams.json', map: TEAM_MAP } },
  { document: { file: 'teams.csv', format: 'csv', delimiter: 'tab', map: { id: 'no', team: 'name' } } },
  {
    document: {
      url: 'https://list.example.org/teams.json',
      map: { ...TEAM_MAP, 'pgp-fingerprint': 'keys[].fp' },
      join: { url: 'https://list.example.org/keys.json', on: ['id', 'owner'], as: 'keys' },
    },
  },
  { document: { url: 'https://list.example.org/news.xml', resource: 'news', map: { id: 'no', title: 'headline' } } },
  { feed: 'https://feeds.example.org/all.xml' },
  { feed: ['https://feeds.example.org/a.xml', { url: 'https://feeds.example.org/b.xml', title: 'Second' }] },
];

const ISSUER = { url: 'https://id.example.org', audience: 'rollcall', 'members-claim': { role: 'analyst' } };
const CLIENTS: readonly Json[] = [
  { name: 'desk', 'key-sha256': HASH, access: 'members' },
  { name: 'portal', 'key-sha256': 'b'.repeat(64), access: 'public', rate: '5/1m' },
];

/** Of every setting, of some that were removed, and of some mappings; `*` is a source. */
const PATHS: readonly string[] = [
  ...['server', 'server.name', 'server.host', 'server.port', 'server.public-url', 'server.explorer.enabled'],
  ...['server.limit', 'server.limit.default', 'server.limit.max', 'server.deadline', 'server.log', 'server.log-level'],
  ...['server.concurrency', 'server.trust-proxy', 'server.limits.connections', 'server.limits.body'],
  ...['server.limits.rate', 'admin.host', 'admin.port', 'admin.ready', 'admin.key-sha256', 'cache', 'cache.memory'],
  ...['cache.state', 'cache.disk', 'cache.redis', 'cache.redis-key', 'access', 'access.scopes', 'access.scopes.pgp'],
  ...['access.scopes.country', 'access.clients', 'access.issuer', 'access.issuer.url', 'access.issuer.algorithms'],
  ...['access.issuer.members-claim', 'access.issuer.members-claim.__proto__', 'access.issuer.rate', 'samples'],
  ...['samples.harbour', 'samples.nowhere', 'defaults', 'defaults.ttl', 'defaults.stale-while-revalidate'],
  ...['defaults.confirm-shrink', 'defaults.retries', 'defaults.page-size', 'defaults.max-body', 'defaults.breaker'],
  ...['defaults.breaker.failures', 'sources', '*', '*.number', '*.source-name', '*.site', '*.directory', '*.data'],
  ...['*.document', '*.feed', '*.resources', '*.required', '*.aggregate', '*.prefixes', '*.coverage'],
  ...['*.coverage.countries', '*.properties', '*.tolerates', '*.all-keys-public', '*.credentials'],
  ...['*.credentials.public', '*.credentials.public.bearer', '*.credentials.public.basic'],
  ...['*.credentials.public.header', '*.credentials.public.query', '*.credentials.members.query', '*.headers'],
  ...['*.headers.X-Tenant', '*.headers.x-api-key', '*.headers.Accept', '*.headers.Via', '*.headers.Cookie'],
  ...['*.tls', '*.tls.ca', '*.tls.cert', '*.tls.key', '*.tls.server-name', '*.proxy', '*.supports'],
  ...['*.supports.teams', '*.supports.teams.filters', '*.supports.teams.sort', '*.supports.news.filters'],
  ...['*.supports.channels.search', '*.supports.news', '*.ttl', '*.stale-if-error', '*.confirm-shrink', '*.timeout'],
  ...['*.retries', '*.concurrency', '*.page-size', '*.drain-threshold', '*.max-body', '*.breaker.cooldown'],
  ...['*.document.url', '*.document.file', '*.document.format', '*.document.delimiter', '*.document.encoding'],
  ...['*.document.records', '*.document.next', '*.document.page', '*.document.page.parameter'],
  ...['*.document.page.step', '*.document.resource', '*.document.map', '*.document.map.id', '*.document.map.email'],
  ...['*.document.map.enckeys', '*.document.map.title', '*.document.map.shortname', '*.document.map.-code-x'],
  ...['*.document.defaults', '*.document.defaults.id', '*.document.defaults.country', '*.document.only'],
  ...['*.document.join', '*.document.join.url', '*.document.join.on', '*.document.join.as', '*.document.join.next'],
  ...['*.document.join.format', '*.document.join.encoding', '*.feed.url', '*.feed.title'],
];

/** Set in place of a value: most are wrong at most places. */
const VALUES: readonly Json[] = [
  ...[null, '', true, 'yes', 0, 1, -1, 7, '80.5', 65536, 8080, '1e3', 'x', 'a b', 'tab\tinside', '0s', '25d', '1kb'],
  ...['600/1m', 'none', 'all', 'data', 'csv', 'news', 'members', HASH, 'ftp://a.example.org', 'var/state/', 'a-b'],
  ...['https://one.example.org/v1', 'http://plain.example.org', '${PORT}', '${UNSET}', '${file:gone.txt}', '${'],
  ...[
    '${URL}',
    'short-team-name',
    'nope(',
    'rollcall',
    [],
    {},
    ['teams'],
    ['email'],
    ['id', 'a-b'],
    ['TI', null],
    [[]],
  ],
  ...[[{}], { a: 1 }, { url: 'https://else.example.org' }, [{ url: 'https://a.example.org/1', titel: 'x' }]],
];

/** Settings that break a rule, or that a rule checks; `*` is a source. */
const BREAKERS: readonly (readonly [path: string, value: Json])[] = [
  ['server.limit', { default: 200, max: 100 }],
  ['server.limit', { max: 5 }],
  ['admin.port', 8080],
  ['samples', { harbour: 9090, nowhere: 9090, Bad: 1 }],
  ['cache.redis-key', CANARY.repeat(3)],
  ['cache.redis', `redis://u:${CANARY}@`],
  ['access.clients', [...CLIENTS, ...CLIENTS, { name: 'desk', access: 'public' }]],
  ['access.clients', [...CLIENTS, { name: 'desk', 'key-sha256': 'c'.repeat(64), access: 'public', rate: 'x' }]],
  [
    'access.clients',
    [
      { name: 'x', 'key-sha256': CANARY },
      { name: 'y', access: 'all', expires: '2027-03-31T10:00' },
    ],
  ],
  ['access.issuer', { ...ISSUER, algorithms: [], 'members-claim': {} }],
  [
    'access.issuer',
    { ...ISSUER, algorithms: ['RS256', 'none'], 'members-claim': JSON.parse('{"__proto__":"x"}') as Json },
  ],
  ['access.scopes', { pgp: 'all', members: 'members' }],
  ['server.trust-proxy', ['loopback', '10.0.0.0/0', '10.0.0.1/33']],
  ['*.number', 1],
  ['*.source-name', 'FIRST'],
  ['*.source-name', 'Reef'],
  ['*.prefixes', ['reef', 'first', 'x', 'rollcall']],
  ['*.resources', ['teams', 'news', 'channel']],
  ['*.all-keys-public', 'false'],
  ['*.properties', ['duty', 'email', 'team', 'duty', '-rollcall-x', '-limit', 'constructor']],
  ['*.coverage.countries', ['BR', 'xx']],
  ['*.tolerates', ['total', 'drif']],
  [
    '*.supports',
    { teams: { filters: ['country', 'contry', 'q', 'country'], sort: ['-publised', 'team', '-first-x'] } },
  ],
  ['*.supports', { news: { filters: ['before', 'channel', 'zzzzzz'] }, channels: { sort: 'title' } }],
  ['*.supports', { teams: { filters: ['duty-officer', '-reef-x', '-ti-y'], totl: true } }],
  ['*.credentials', { public: { bearer: CANARY, query: `q=${CANARY}` }, members: {} }],
  ['*.credentials', { members: { query: `duty-officer=${CANARY}` }, public: { header: `X-Api-Key: ${CANARY}` } }],
  ['*.credentials', { public: { header: `Via: ${CANARY}` }, members: { basic: CANARY, query: `Limit=${CANARY}` } }],
  ['*.headers', { 'X-Api-Key': 'one', 'x-api-key': 'two', 'b d': 'x', Authorization: 'x', Via: 'x', Accept: 'é' }],
  ['*.proxy', `http://proxy:${CANARY}@:1`],
  ['*.proxy', 'none'],
  ['*.tls', { cert: 'cert.pem' }],
  ['*.tls', { key: 'key.pem', 'server-name': '10.0.0.1' }],
  ['*.tls', { ca: 'key.pem', cert: 'gone.pem', key: 'cert.pem' }],
  ['*.tls', { cert: 'cert.pem', key: 'gone.pem' }],
  ['*.tls', { cert: 'cert.pem', key: 'key.pem', ca: 'cert.pem' }],
  ['*.directory', 'http://plain.example.org'],
  ['*.directory', `http://user:${CANARY}@plain.example.org`],
  ['*.feed', ['https://a.example.org/a.xml', 'https://b.example.org/b.xml', 'https://a.example.org/a.xml']],
  ['*.feed', [`https://a.example.org/?api_key=${CANARY}`, { url: 'http://b.example.org', title: 'Ä' }, { title: 'ä' }]],
  ['*.feed', `https://a.example.org/?token=${CANARY}`],
  ['*.feed', []],
  ['*.document.file', 'missing.csv'],
  ['*.document.format', 'json'],
  ['*.document.page', { from: -1, step: 0 }],
  ['*.document.page', { parameter: 'page' }],
  ['*.document.next', 'links.next'],
  ['*.document.map', { 'short-team-name': 'short name', email: "a = 'b'", country: 'team-country', id: 'to_sring(a)' }],
  ['*.document.map', { team: 'Team Straße', enckeys: 'keys', 'pgp-id': '"a-b"', 'phone-numbers': 'a', phone: 'b' }],
  ['*.document.map', { 'official-team-name': 'a', 'team-full': 'b', '-first-x': 'c', '-other-x': 'd', emial: 'e' }],
  ['*.document.defaults', { id: '1', country: 'BR', contry: 'BR', email: '' }],
  [
    '*.document.join',
    { url: 'https://else.example.org', on: ['id', 'owner'], as: 'keys', format: 'xml', encoding: 'utf-8' },
  ],
  ['*.document.join', { file: 'more.csv', on: ['id', 'owner'], as: 'keys', next: 'a', page: { parameter: 'p' } }],
  ['*.document.join', { file: 'missing.csv', on: ['a'], as: '1' }],
  ['*.document.resource', 'news'],
];

/** Keys of earlier versions, typing errors, and keys without any similar one. */
const UNKNOWN: readonly string[] = [
  ...['server.workers', 'server.prot', 'sever.port', 'zzzzzzzz', 'server.limits.header-timeout', 'admin.key'],
  ...['defaults.max-unverified', 'defaults.publicUrl', '*.nubmer', '*.sourceName', '*.supports.teams.coarse', '*.keep'],
  ...['*.tls.certificate', '*.document.mapping', '*.document.join.only', '*.breaker.x', 'server.public-ulr'],
  ...['access.scopes.members', 'access.issuer.clock-tolerance', '*.credentials.private', '*.coverage.regions'],
];

const CODES: readonly string[] = ['first', 'reef', 'ti', 'third', 'rollcall', 'Bad', '1st'];

function pathOf(random: SeededRandom, pattern: string, codes: readonly string[]): Path {
  return pattern.split('.').flatMap((step) => (step === '*' ? ['sources', random.pick(codes)] : [step]));
}

function isMapping(value: Json | undefined): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function setAt(value: Json | undefined, [step, ...rest]: Path, leaf: Json): Json {
  if (step === undefined) return leaf;
  if (Array.isArray(value))
    return value.map((item: Json, at) => (at === 0 ? setAt(item, [step, ...rest], leaf) : item));
  const entries = new Map(Object.entries(isMapping(value) ? value : {}));
  entries.set(step, setAt(entries.get(step), rest, leaf));
  return Object.fromEntries(entries);
}

function removeAt(value: Json | undefined, [step, ...rest]: Path): Json {
  const entries = new Map(Object.entries(isMapping(value) ? value : {}));
  const child = entries.get(step ?? '');
  if (rest.length > 0 && child !== undefined) entries.set(step ?? '', removeAt(child, rest));
  else entries.delete(step ?? '');
  return Object.fromEntries(entries);
}

/** Block style with the flow style of JSON from the fourth level on, so that columns vary. */
function toYaml(value: Json, depth = 0): string {
  if (!isMapping(value) || depth > 2) return ` ${JSON.stringify(value)}\n`;
  const lines = Object.entries(value).map(
    ([key, child]) => `${'  '.repeat(depth)}${JSON.stringify(key)}:${toYaml(child, depth + 1)}`,
  );
  return lines.length === 0 ? ' {}\n' : `${depth === 0 ? '' : '\n'}${lines.join('')}`;
}

/** A change of the text that makes it no ordinary YAML. */
const TEXT_CHANGES: readonly ((text: string) => string)[] = [
  (text) => `\uFEFF${text}`,
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => text.replace('"number"', '"number": 5, "number"'),
  (text) => `${text}admin: &a { port: 9 }\ndefaults: *a\n`,
  (text) => `${text}server: !!map { port: 80 }\nadmin: { port: 80 }\n`,
  (text) => `${text}---\nserver: {}\n`,
  (text) => `${text}"😀": { "é": 1 }\n`,
  (text) => `${text}? [a]\n: 1\n`,
  (text) => text.slice(0, Math.floor(text.length * 0.7)),
];

export interface BadConfig {
  readonly text: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** One to four faults in a configuration with one to four sources; the same number always gives the same one. */
export function generateBadConfig(number: number): BadConfig {
  const random = createSeededRandom(`bad configuration ${number}`);
  const codes = CODES.slice(0, 1 + random.below(random.chance(10) ? CODES.length : 4));
  const sources = codes.map((code, at) => {
    // The first source runs through all kinds, so that each kind meets many faults.
    const kind = SOURCES[at === 0 ? number % SOURCES.length : random.below(SOURCES.length)];
    return [code, { number: random.chance(10) ? 1 : at + 1, ...kind }] as const;
  });
  let config: Json = { ...(random.chance(30) && { server: { port: 8181 } }), sources: Object.fromEntries(sources) };
  if (random.chance(15)) config = setAt(config, ['access'], { clients: CLIENTS, issuer: ISSUER });
  for (let faults = 1 + random.below(4); faults > 0; faults--) {
    const kind = random.below(10);
    const [path, value] = random.pick(BREAKERS);
    if (kind > 4) config = setAt(config, pathOf(random, path, codes), value);
    else if (kind === 0) config = setAt(config, pathOf(random, random.pick(UNKNOWN), codes), random.pick(VALUES));
    else if (kind === 1) config = removeAt(config, pathOf(random, random.pick(PATHS), codes));
    else config = setAt(config, pathOf(random, random.pick(PATHS), codes), random.pick(VALUES));
  }
  const text = toYaml(config);
  const environment = {
    PORT: '8080',
    URL: 'https://variable.example.org',
    ...(random.chance(10) && { https_proxy: `http://u:${CANARY}@:` }),
    ...(random.chance(5) && { HTTP_PROXY: 'proxy.example.org:3128' }),
  };
  return { text: random.chance(12) ? random.pick(TEXT_CHANGES)(text) : text, environment };
}
