import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../src/cli/main.js';

const ITEM = '<item><title>Update the relay</title><guid>1</guid></item>';
const FEED = `<rss version="2.0"><channel><title>A</title><link>https://www.example.org/</link><description>d</description>${ITEM}</channel></rss>`;
const teams = [
  {
    id: 1,
    name: 'ACORN',
    mail: 'acorn@example.org',
    phones: [{ number: '+47 5550 0100' }, { number: '+47 5550 0101' }],
  },
  { id: 2, name: 'BIRCH', mail: 'birch@example.org', sectors: ['energy', 'water'], internal: 'x' },
];

/** Media types and bodies by path. */
const documents: Readonly<Record<string, readonly [type: string, body: unknown, headers?: Record<string, string>]>> = {
  '/teams': ['application/json', teams],
  '/linked': ['application/json', { items: teams, links: { next: '/linked?after=2' } }],
  '/header': ['application/json', teams, { Link: '</header?page=2>; rel="next"' }],
  '/more': ['application/json', { items: teams, total: 10 }],
  '/news': ['application/json', { list: [{ cve: 'CVE-2026-0001', title: 'A flaw', dateAdded: '2026-05-01' }] }],
  '/sheet': ['text/plain', 'Team;Full name;E-mail\nACORN;Acorn CERT;acorn@example.org\n'],
  '/teams.xml': [
    'application/xml',
    '<l><team id="t1"><name>A</name></team><team id="t2"><name>B</name><mail>b@example.org</mail></team></l>',
  ],
  '/strange': ['application/json', [{ 'a b': 'x', c: 1 }]],
  '/feed': ['text/xml', FEED],
  '/home': ['text/html', '<link rel="alternate" type="application/rss+xml" href="/feed" title="News">'],
  '/empty': ['text/html', '<!doctype html><p>nothing</p>'],
  '/object': ['application/json', { a: 1 }],
  '/variables': [
    'application/json',
    [{ name: 'A', 'mail ${HOME}': 'a@example.org', mail: 'b@example.org', 'u\u202e': 'x' }],
  ],
  '/hostile': [
    'text/html',
    '<link rel="alternate" type="application/rss+xml" href="/rss?a=${HOME}&b=${file:/etc/hostname}">' +
      '<link rel="alternate" type="application/rss+xml" href="http://user:word@www.example.org/rss">' +
      '<link rel="alternate" type="application/rss+xml" href="/rss?a=${HOME}&b=${file:/etc/hostname}#x">',
  ],
  '/repeated': ['application/json', [1, 2].map(() => ({ title: 'A flaw', url: 'https://www.example.org/a' }))],
  '/groups': [
    'application/json',
    {
      regions: [
        { region: 'EU', teams },
        { region: 'US', teams },
      ],
    },
  ],
  '/feed-as-page': ['text/html', FEED],
  '/lines': ['application/json', teams.map((team) => JSON.stringify(team)).join('\n')],
  '/text.yaml': ['text/plain', '- { name: A, mail: a@example.org }\n- { name: B, mail: b@example.org }\n'],
  '/workbook': ['application/octet-stream', 'PK\u0003\u0004'],
  '/prose': ['text/plain', 'This is no list.\nIt has two lines.\n'],
  '/directory/v1/teams.csv': ['application/csv', 'x', { 'Source-Status': 'a;state=fresh' }],
  '/data/v1/teams': ['application/json', { status: 'OK', total: 1, data: [{ team: 'ACORN', 'team-full': 'Acorn' }] }],
};

let server: Server;
let origin: string;
let folder: string;
let file: string;
let requests: string[];
const printed = { out: '', err: '' };

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request.url ?? '');
    const [type, body, headers] = documents[new URL(request.url ?? '', origin).pathname] ?? [];
    response.writeHead(type === undefined ? 404 : 200, { ...headers, 'Content-Type': type ?? 'text/plain' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body ?? null));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
});

beforeEach(async () => {
  requests = [];
  folder = await mkdtemp(join(tmpdir(), 'rollcall-init-'));
  file = join(folder, 'own.yaml');
  Object.assign(printed, { out: '', err: '' });
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed.out += String(text)), true));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((printed.err += String(text)), true));
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

/** What was registered, without the lines that every source has. Checks that the configuration is valid. */
async function register(path: string): Promise<string> {
  expect(await main(['init', file, `${origin}${path}`])).toBe(0);
  expect(await main(['check', '--config', file])).toBe(0);
  const text = await readFile(file, 'utf8');
  return text
    .slice(text.indexOf('the publisher\n') + 14)
    .replaceAll(origin, 'ORIGIN')
    .replaceAll(/^ {4}/gm, '');
}

describe('init without an address', () => {
  test('writes a valid configuration with comments, and names the next commands', async () => {
    expect(await main(['init', file])).toBe(0);
    expect(printed.out).toContain(`rollcall serve --config ${file}`);
    expect(printed.out).toContain(`rollcall preview first --config ${file}`);
    expect(await main(['check', '--config', file])).toBe(0);
    expect(await readFile(file, 'utf8')).toContain('port: 8080 # ');
  });

  test('never changes a file that exists, exit code 1', async () => {
    await main(['init', file]);
    const before = await readFile(file, 'utf8');
    expect(await main(['init', file])).toBe(1);
    expect(printed.err).toBe(`rollcall: ${file} exists, and was not changed\n`);
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  test('reports a folder that does not exist, exit code 1', async () => {
    expect(await main(['init', join(folder, 'none', 'a.yaml')])).toBe(1);
    expect(printed.err).toMatch(/^rollcall: ENOENT/);
  });
});

describe('init with an address', () => {
  test('sends one request, and says what the address has', async () => {
    await register('/teams');
    expect(requests).toEqual(['/teams']);
    expect(printed.err).toBe(`${origin}/teams: a list of 2 entries (JSON), read as teams\n`);
  });

  test('registers a list with an expression for each property that it recognises', async () => {
    expect(await register('/teams')).toBe(`document:
  url: ORIGIN/teams
  map: # property: expression over one entry; check each
    id: id
    official-team-name: name
    email: mail
    phone-numbers: 'phones[].number'
    constituency: 'join('', '', sectors[])'
  # entries also have: internal
`);
  });

  test('registers how further pages are requested, as far as the page shows it', async () => {
    expect(await register('/linked')).toContain('  records: items\n  next: links.next\n');
    await rm(file);
    expect(await register('/header')).toContain('  # further pages: by the field Link of the response\n');
    await rm(file);
    expect(await register('/more?page=1')).toContain(
      '  url: ORIGIN/more\n  records: items\n  page: { parameter: page, from: 1 }\n',
    );
    await rm(file);
    expect(await register('/more?limit=2&offset=0')).toContain(
      '  url: ORIGIN/more?limit=2\n  records: items\n  page: { parameter: offset, from: 0, step: 2 }\n',
    );
    await rm(file);
    expect(await register('/more')).toContain('  # total says that there are further pages: docs/sources.md');
  });

  test('registers a list of news as news', async () => {
    const document = await register('/news');
    expect(document).toContain('  resource: news\n  records: list\n');
    expect(document).toContain('    title: title\n    published: dateAdded\n');
  });

  test('registers CSV under a type that does not say so, and XML', async () => {
    expect(await register('/sheet')).toContain('  format: csv\n  map:');
    await rm(file);
    expect(await register('/teams.xml')).toContain(`  records: l.team\n`);
  });

  test('registers a list in which it recognises nothing, with what its entries have', async () => {
    const document = await register('/strange');
    expect(document).toContain('no property was recognised');
    expect(document).toContain('    short-team-name: name\n');
    expect(document).toContain('  # entries also have: "a b", c\n');
  });

  test('registers an interface by its base address, with or without the path of a list', async () => {
    const expected = 'data: ORIGIN/data/v1\n';
    expect(await register('/data/v1')).toBe(expected);
    await rm(file);
    expect(await register('/data/v1/teams')).toBe(expected);
  });

  test('registers a feed, and the feeds that a web page links', async () => {
    expect(await register('/feed')).toBe('feed: ORIGIN/feed\n');
    await rm(file);
    expect(await register('/home')).toBe('feed: ORIGIN/feed\n');
    expect(printed.err).toContain('/home: a web page that links feeds\n');
  });

  test('registers another Rollcall as an aggregate, whose records keep their source-names', async () => {
    expect(await register('/directory/v1/teams.csv')).toMatch(/^directory: ORIGIN\/directory\/v1\naggregate: true # /);
  });

  test('lets nothing that an address has become a variable, a credential or a hidden character', async () => {
    expect(await register('/hostile')).toBe("feed: 'ORIGIN/rss?a=%24%7BHOME}&b=%24%7Bfile:/etc/hostname}'\n");
    await rm(file);
    expect(await register('/variables?a=${HOME}')).toBe(`document:
  url: 'ORIGIN/variables?a=%24%7BHOME}'
  map: # property: expression over one entry; check each
    official-team-name: name
    email: mail
`);
  });

  test('writes a valid registration where a page is odd', async () => {
    for (const limit of ['all', '0', '2.5']) {
      expect(await register(`/teams?offset=0&limit=${limit}`)).toContain(
        'page: { parameter: offset, from: 0, step: 2 }',
      );
      await rm(file);
    }
    expect(await register('/teams#part')).toContain('url: ORIGIN/teams\n');
    await rm(file);
    expect(await register('/repeated')).toContain('    id: id\n');
  });

  test('finds the entries of groups, and formats that the type does not show', async () => {
    expect(await register('/groups')).toContain("  records: 'regions[].teams[]'\n");
    await rm(file);
    expect(await register('/feed-as-page')).toBe('feed: ORIGIN/feed-as-page\n');
    await rm(file);
    expect(await register('/lines')).toContain('  format: ndjson\n');
    await rm(file);
    expect(await register('/text.yaml')).toContain('    email: mail\n');
  });

  test.each([
    [['a.yaml', 'b.yaml'], 'init takes one file and one address'],
    [['http://127.0.0.1:1/', 'http://127.0.0.1:2/'], 'init takes one file and one address'],
    [['https://'], 'https:// is neither an http(s) address nor the name of a configuration file (.yaml or .yml)'],
    [['ftp://www.example.org/a.yaml'], 'ftp://www.example.org/a.yaml is neither'],
    [['www.example.org/teams.json'], 'www.example.org/teams.json is neither'],
    [['https://user:word@www.example.org/'], 'an address has no user name and password'],
  ])('refuses the words %j, exit code 2', async (words, message) => {
    expect(await main(['init', ...words])).toBe(2);
    expect(printed.err).toContain(`rollcall: ${message}`);
    expect(printed.err).not.toContain('user:word');
  });

  test.each([
    ['/workbook', 'a spreadsheet or ZIP file: save it as CSV'],
    ['/prose', 'no list of entries with two properties or more was found'],
    ['/empty', 'a web page (HTML) that links no feed'],
    ['/object', 'object with 1 property, in which no list of entries was found'],
    ['/none', 'HTTP status 404'],
  ])('says why %s cannot be registered, and writes nothing, exit code 2', async (path, reason) => {
    expect(await main(['init', file, `${origin}${path}`])).toBe(2);
    expect(printed.err).toContain(`${origin}${path}: ${reason}`);
    await expect(readFile(file)).rejects.toThrow('ENOENT');
  });

  test('prints the registration where the file exists, and does not change the file', async () => {
    await main(['init', file]);
    printed.out = '';
    expect(await main(['init', file, `${origin}/feed`])).toBe(1);
    expect(printed.out).toMatch(/^sources:\n {2}source:\n {4}number: 1 # one that no other source has\n/);
    expect(await readFile(file, 'utf8')).not.toContain('/feed');
  });
});
