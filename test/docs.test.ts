import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { main } from '../src/cli/main.js';
import { banner } from '../src/demo/banner.js';
import { errorCatalogue } from '../src/model/error-catalogue.js';
import { getReason, isReasonOf, reasons, STATE_DESCRIPTIONS } from '../src/model/reasons.js';
import type { Resource } from '../src/model/resource.js';
import { channels } from '../src/model/resources/channels.js';
import { countries, countryForms } from '../src/model/resources/countries.js';
import { dataTeams } from '../src/model/resources/data-teams.js';
import { directoryTeams } from '../src/model/resources/directory-teams.js';
import { news, newsItem } from '../src/model/resources/news.js';
import { scopeFields } from '../src/model/resources/team-scopes.js';
import { outputParameters, listParameters } from '../src/query/reserved-parameters.js';
import { resourceParameters } from '../src/query/resource-parameters.js';
import { listProperties } from '../src/query/vocabulary.js';
import { formats } from '../src/render/formats.js';
import { readSources } from './support/architecture-rules.js';
import { headingsOf, linksOf } from './support/deploy/markdown.js';
import { fieldsOf } from './support/gateway/data-gateway.js';
import { startDemo } from './support/gateway/demo-gateway.js';
import type { DemoGateway } from './support/gateway/demo-gateway.js';
import { readFailureTable } from './failures/read-failure-table.js';
import { listLogMessages } from './support/log-messages.js';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** Each `curl` line of a document with the response body shown below it. The lines of CSV end with CR LF. */
function examples(document: string): [command: string, body: string][] {
  const pattern = /```sh\n(curl [^\n]+)\n```\n\n```(json|csv)\n([\s\S]*?)\n```/g;
  return [...document.matchAll(pattern)].map(([, command = '', language, body = '']) => [
    command,
    language === 'csv' ? `${body}\n`.replaceAll('\n', '\r\n') : body,
  ]);
}

/** The first cells of all table rows of a document that are code. */
function tableKeys(document: string): string[] {
  return [...document.matchAll(/^\| `([^`]+)`/gm)].map(([, key = '']) => key);
}

/** The last two cells of all table rows of a document where both are code. */
function tableKeysAndNames(document: string): [key: string, name: string][] {
  return [...document.matchAll(/\| `([^`]+)` +\| `([^`]+)` +\|$/gm)].map(([, key = '', name = '']) => [key, name]);
}

/** The text under a heading, up to the next heading of its level or above. Each further heading is searched in that text. */
function section(document: string, ...headings: readonly string[]): string {
  return headings.reduce((text, heading) => {
    const [, level = '#', rest = ''] = new RegExp(`^(#+) ${heading}\n([\\s\\S]*)`, 'm').exec(text) ?? [];
    return rest.split(new RegExp(`^#{1,${level.length}} `, 'm'), 1)[0] ?? '';
  }, document);
}

/** Whether the file or folder to which a link of a page leads exists, with the heading that it names. */
function isFound(page: string, link: string): boolean {
  const target = new URL(link, new URL(`../${page}`, import.meta.url));
  const anchor = target.hash.slice(1);
  if (!existsSync(target)) return false;
  return anchor === '' || headingsOf(readFileSync(target, 'utf8')).some((heading) => heading.anchor === anchor);
}

/** The string literals of a union type, read from its source without comments. */
function unionMembers(source: string, type: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  const body = new RegExp(`export type ${type} =([\\s\\S]*?);`).exec(code)?.[1] ?? '';
  return [...body.matchAll(/'([^']+)'/g)].map(([, member = '']) => member);
}

describe('the demo', () => {
  let demo: DemoGateway;

  beforeAll(async () => {
    demo = await startDemo();
  });

  afterAll(() => demo.close());

  async function runCurl(command: string): Promise<Response> {
    const url = /'(http:\/\/127\.0\.0\.1:8080[^']+)'/.exec(command)?.[1] ?? '';
    const headers = [...command.matchAll(/-H '([^:']+): ([^']+)'/g)].map(
      ([, name = '', value = '']): [string, string] => [name, value],
    );
    return fetch(url.replace('http://127.0.0.1:8080', demo.origin), { headers: new Headers(headers) });
  }

  describe.each(['README.md', 'docs/querying.md', 'docs/interfaces.md'])('of %s', (page) => {
    it.each(examples(read(page)))('returns the body that the page shows for %s', async (command, body) => {
      expect(await (await runCurl(command)).text()).toBe(body);
    });
  });

  it('prints at its start what README.md shows', () => {
    const [, shown] = /```text\n(Building [\s\S]*?)```/.exec(read('README.md')) ?? [];
    const messages = Array.from(read('tools/start.js').matchAll(/write\('(.*)\\n'\)/g), ([, message = '']) => message);
    const page = `http://127.0.0.1:${demo.config.server.port}`;
    const samples = demo.config.samples.size;
    const printed = banner({ page, directory: `${page}/directory/v1`, data: `${page}/data/v1`, samples });
    expect(shown).toBe([...messages, printed].join('\n'));
  });

  it.each(Array.from(read('README.md').matchAll(/^ {4}(curl .*)$/gm), ([, command = '']) => command))(
    'has records for %s, which it prints at its start',
    async (command) => {
      const { status, headers } = await runCurl(command);
      expect([status, Number(headers.get('x-total-count'))]).toEqual([200, expect.toSatisfy((total) => total > 0)]);
    },
  );

  it('returns the Source-Status that README.md shows for its first example', async () => {
    const command = /^curl .*$/m.exec(read('README.md'))?.[0] ?? '';
    const shown = /^Source-Status: (.*?)\n```$/ms.exec(read('README.md'))?.[1]?.replaceAll(/\s+/g, ' ');
    const status = (await runCurl(command)).headers.get('source-status') ?? '';
    expect(shown).toBe(status.replaceAll(/age=\d+/g, 'age=2'));
  });

  it.each(tableKeysAndNames(section(read('docs/finding-teams.md'), 'Type what you have')))(
    'finds with %s first what docs/finding-teams.md says',
    async (text, name) => {
      const page = await (await fetch(`${demo.origin}/?q=${encodeURIComponent(text)}`)).text();
      expect(/<h3><a [^>]*><bdi[^>]*>([^<]*)</.exec(page)?.[1]).toBe(name);
    },
  );

  it('sends the header fields that docs/interfaces.md lists, and exposes them to browsers', async () => {
    const documented = tableKeys(section(read('docs/interfaces.md'), 'Answers', 'Headers'));
    const { headers } = await runCurl(`'http://127.0.0.1:8080/data/v1/news'`);
    const exposed = (headers.get('access-control-expose-headers') ?? '').split(',');
    expect(documented.toSorted()).toEqual(exposed.filter((name) => headers.has(name)).toSorted());
  });

  it.each(['directory/v1/teams', 'data/v1/teams', 'data/v1/news', 'data/v1/channels'])(
    'writes YAML of %s with no line over 80 columns that could be folded at a space',
    async (path) => {
      const headers = { Prefer: 'handling=lenient' };
      const yaml = await fetch(`${demo.origin}/${path}.yml?limit=10000&envelope=1`, { headers });
      const lines = (await yaml.text()).split('\n');
      const json: unknown = await (await fetch(`${demo.origin}/${path}?limit=10000&envelope=0`, { headers })).json();
      expect(lines.filter((line) => line.startsWith('  - ')).length).toBe(Array.isArray(json) ? json.length : NaN);
      // Without indentation, dashes and key.
      const scalarOf = (line: string): string => line.replace(/^ *(?:- )*(?:[\w-]+: )?/, '');
      expect(lines.filter((line) => line.length > 80 && /\S \S/.test(scalarOf(line)))).toEqual([]);
    },
  );

  it('has exactly the paths that docs/interfaces.md lists', async () => {
    const [table = ''] = read('docs/interfaces.md').split('\n## ', 1);
    const description: unknown = await (await fetch(`${demo.origin}/openapi.json`)).json();
    const paths = Object.keys(fieldsOf(fieldsOf(description)['paths'])).map((path) => path.replace('{id}', '<id>'));
    const served = paths.filter((path) => path !== '/openapi.json' && !path.endsWith('{extension}'));
    expect(tableKeys(table).toSorted()).toEqual(served.toSorted());
  });

  it('reads the spreadsheet of the ledger by the expressions of its registration', async () => {
    const query = 'source-name=ledger%20list%20(sample)&envelope=true&limit=1&q=elnet%20rope%20maneholm';
    const response = await fetch(`${demo.origin}/directory/v1/teams?${query}`);
    expect(await response.json()).toMatchObject({
      total: 1,
      data: [
        {
          'short-team-name': 'Måneholm Grid SOC',
          'official-team-name': 'Måneholm Elnet CERT',
          'postal-address': 'Måneholm Elnet\n10 Rope Walk\nDK-4008 Måneholm\nDenmark',
          'country-code': 'DK',
          email: 'csirt@maneholm-grid.example.com',
          host: 'Måneholm Elnet',
          establishment: '2007-07',
          'phone-numbers': ['+999 5550 0173'],
          enckeys: ['0xEB24B3855DF8CD4E4E7E2DB028D235E0A89BB0C0'],
          constituency: 'Energy, Water',
          'source-name': 'Ledger List (sample)',
          '-ledger-status': 'accredited',
        },
      ],
    });
  });

  it.each(['directory', 'data'])('lists the ledger without its retired team on the %s interface', async (name) => {
    const teams = `${demo.origin}/${name}/v1/teams?source-name=ledger%20list%20(sample)&limit=0&envelope=true`;
    expect(await (await fetch(teams)).json()).toMatchObject({ total: 58 });
    expect(await (await fetch(`${teams}&q=telex`)).json()).toMatchObject({ total: 0 });
  });

  it('reads the feeds of the gazette as two channels, with one item that is on both', async () => {
    const sourceName = 'source-name=gazette%20of%20advisories%20(sample)';
    const get = async (path: string): Promise<unknown> => (await fetch(`${demo.origin}/data/v1/${path}`)).json();
    expect(await get(`channels?${sourceName}&fields=title,link&envelope=false`)).toEqual([
      { title: 'Gazette Advisories', link: 'https://www.gazette.example.org/advisories' },
      { title: 'Situation Bulletins', link: 'https://www.gazette.example.org/bulletins' },
    ]);
    expect(await get(`news?${sourceName}&limit=0&envelope=true`)).toMatchObject({ total: 12 + 8 - 1 });
    expect(await get('news/2810103819118008?envelope=false')).toMatchObject({
      title: 'Saffron Relay mail gateways: attackers exploit GA-2026-16',
      channels: ['Gazette Advisories', 'Situation Bulletins'],
    });
    expect(await get('news?q=low%20tide&fields=title,published,-gazette-updated&envelope=false')).toEqual([
      {
        title: 'Exercise “Low Tide”: results',
        published: 'Tue, 30 Jun 2026 12:00:00 GMT',
        '-gazette-updated': '2026-07-02T09:45:00+00:00',
      },
    ]);
  });

  it('registers each sample with its interfaces, documents, feeds and its port', () => {
    for (const { code, origin } of demo.config.sources) {
      const { directory, data, document, feeds = [] } = demo.samples.addresses.get(code) ?? {};
      const configured = [directory, data, document, ...feeds].flatMap(
        (url) => url?.replace(/:\d+\//, `:${demo.config.samples.get(code) ?? ''}/`) ?? [],
      );
      expect(JSON.stringify(origin).match(/"http:[^"]*"/g), code).toEqual(configured.map((url) => JSON.stringify(url)));
    }
    expect(demo.config.sources.map(({ code }) => code).sort()).toEqual([...demo.config.samples.keys()].sort());
  });
});

describe('README.md', () => {
  it('has fewer than 150 lines', () => {
    expect(read('README.md').split('\n').length - 1).toBeLessThan(150);
  });

  it('shows a configuration, and what rollcall check prints for it', async () => {
    const [, yaml = '', command = '', output = ''] =
      /```yaml\n([^]*?)```[^]*?```sh\nnode dist\/rollcall\.js (.*)\n```\n\n```text\n([^]*?)```/.exec(
        read('README.md'),
      ) ?? [];
    const folder = await mkdtemp(join(tmpdir(), 'rollcall-readme-'));
    const file = join(folder, 'rollcall.yaml');
    await writeFile(file, yaml);
    let printed = '';
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed += String(text)), true));
    const code = await main(command.split(' ').map((word) => (word === 'rollcall.yaml' ? file : word)));
    write.mockRestore();
    await rm(folder, { recursive: true });
    expect([printed.replace(file, 'rollcall.yaml'), code]).toEqual([output, 0]);
  });
});

describe('docs/querying.md', () => {
  it('has examples of both interfaces', () => {
    const commands = examples(read('docs/querying.md')).map(([command]) => command);
    for (const path of ['/directory/v1/teams', '/data/v1/teams', '/data/v1/news'])
      expect(
        commands.filter((command) => command.includes(path)),
        path,
      ).not.toEqual([]);
  });
});

describe('docs/interfaces.md', () => {
  const page = read('docs/interfaces.md');

  /** Each resource with its heading. */
  const resources: [Resource, string][] = [
    [directoryTeams, 'Teams on the directory interface'],
    [dataTeams, 'Teams on the data interface'],
    [news, 'News'],
    [newsItem, 'One news item'],
    [channels, 'Channels'],
    [countries, 'Countries'],
  ];

  it('has exactly one row for each format, with its extensions and media types', () => {
    const rows = [...section(page, 'Formats').matchAll(/^\| (`\..*)\|$/gm)].map(([, cells = '']) =>
      cells.split('|').map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code)),
    );
    const served = formats.map(({ extensions, mediaTypes: [first, ...others] }) => [[...extensions], [first], others]);
    expect(rows).toEqual(served);
  });

  it('has an example of each resource', () => {
    const commands = examples(page).map(([command]) => command);
    for (const path of [
      'directory/v1/teams?',
      'data/v1/teams?',
      'data/v1/news?',
      'data/v1/news/',
      'data/v1/channels?',
      'data/v1/countries?',
    ]) {
      expect(
        commands.some((command) => command.includes(path)),
        path,
      ).toBe(true);
    }
  });

  it('has exactly one row for each parameter of all responses and of lists', () => {
    const names = outputParameters.map(({ name }) => name);
    expect(tableKeys(section(page, 'Parameters', 'Parameters of every answer'))).toEqual(names);
    const ofLists = listParameters.map(({ name }) => name).filter((name) => !names.includes(name));
    expect(tableKeys(section(page, 'Parameters', 'Parameters of every list'))).toEqual(ofLists);
  });

  it.each(resources)('has exactly one row for each parameter that selects $name', (resource, heading) => {
    const names = resourceParameters[resource.name].map(({ name }) => name);
    const hasOwnRows = resource.hasPropertyFilters || resource === newsItem || resource.isGatewayOwned === true;
    const filters = hasOwnRows ? [] : [resource.sourceNameProperty];
    expect(tableKeys(section(page, heading, 'Parameters'))).toEqual([...names, ...filters]);
  });

  it.each(resources)('has exactly one row for each property of $name, in order', (resource, heading) => {
    const registered = { sourceNames: [], codes: [], properties: [], aggregate: false };
    const names = listProperties({ resource, ...registered });
    const rows = tableKeys(section(page, heading, 'Properties'));
    expect(rows.filter((name) => name !== '-<code>-…')).toEqual(names);
    expect(rows.includes('-<code>-…')).toBe(resource.hasPropertyFilters);
  });

  it('has exactly one row for each scope, with its properties', () => {
    const scopes = section(page, 'Teams on the data interface', 'Scopes');
    expect(tableKeys(scopes).toSorted()).toEqual(['public', 'members', ...Object.keys(scopeFields)].toSorted());
    for (const [scope, fields] of Object.entries(scopeFields)) {
      const names = fields.map(({ name }) => `\`${name}\``).join(', ');
      expect(scopes).toMatch(new RegExp(`^\\| \`${scope}\` +\\| ${names} +\\|`, 'm'));
    }
  });

  it('has exactly one row for each scope of countries, with its properties', () => {
    const scopes = section(page, 'Countries', 'Scopes');
    expect(tableKeys(scopes)).toEqual(Object.keys(countryForms));
    for (const [scope, { properties }] of Object.entries(countryForms)) {
      const names = properties.map((name) => `\`${name}\``).join(', ');
      expect(scopes).toMatch(new RegExp(`^\\| \`${scope}\` .*\\| ${names} +\\|$`, 'm'));
    }
  });
});

describe('the documentation', () => {
  it('links to pages, files and headings that exist', () => {
    const pages = readdirSync(new URL('../docs', import.meta.url)).filter((file) => file.endsWith('.md'));
    expect(pages.length).toBeGreaterThan(15);
    const broken = ['README.md', ...pages.map((page) => `docs/${page}`)].flatMap((page) =>
      linksOf(read(page))
        .filter((link) => !/^\w+:/.test(link) && !isFound(page, link))
        .map((link) => `${page}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it('shows every picture of docs/images, which take 1.5 MB at most', () => {
    const folder = new URL('../docs/images/', import.meta.url);
    const pictures = readdirSync(folder);
    const shown = linksOf(read('docs/finding-teams.md')).filter((link) => link.startsWith('images/'));
    expect(shown.sort()).toEqual(pictures.map((name) => `images/${name}`).sort());
    expect(pictures.reduce((sum, name) => sum + statSync(new URL(name, folder)).size, 0)).toBeLessThan(1_500_000);
  });

  it('has exactly one heading for each error of the catalogue', () => {
    const headings = [...read('docs/errors.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings.sort()).toEqual(
      Object.values(errorCatalogue)
        .map(({ status, phrase }) => `${status} ${phrase}`)
        .sort(),
    );
  });

  it('has a row for each data-quality rule, and for no other', () => {
    const rules = unionMembers(read('src/source/record/findings.ts'), 'FindingRule');
    expect(rules.length).toBeGreaterThan(10);
    expect([...new Set(tableKeys(read('docs/data-quality.md')))].sort()).toEqual(rules.sort());
  });

  it('explains every message of the log in docs/operating.md', () => {
    const sources = readSources(fileURLToPath(new URL('../src', import.meta.url)));
    const rows = /^ {2}(?:'([^']+)'|(\w+)): (?:debug|info|warn|error|at\('audit'\)),$/gm;
    const types = [...read('src/events/log-lines.ts').matchAll(rows)].map(([, quoted, word = '']) => quoted ?? word);
    const messages = new Set([...types, ...[...sources.values()].flatMap(listLogMessages)]);
    expect(messages.size).toBeGreaterThan(50);
    const page = read('docs/operating.md');
    // A documented message may leave out its explanation after the colon.
    const isExplained = (message: string): boolean =>
      page.includes(`\`${message}\``) || page.includes(`\`${message.replace(/:.*/, ': …')}\``);
    expect([...messages].filter((message) => !isExplained(message))).toEqual([]);
  });

  it('has a row in docs/operating.md for each metric, and for no other', () => {
    const declared = [...read('src/events/metrics.ts').matchAll(/'(rollcall_\w+)'/g)].map(([, name]) => name);
    expect(declared.length).toBeGreaterThan(20);
    const rows = tableKeys(read('docs/operating.md')).filter((key) => key.startsWith('rollcall_'));
    expect(rows.toSorted()).toEqual(declared.toSorted());
  });

  it('states for each failure in docs/failures.md a reason of that state, and a retry exactly where the reason has one', () => {
    const rows = readFailureTable().flatMap((row) =>
      row.reason === undefined ? [] : [{ ...row, reason: row.reason }],
    );
    expect(rows.length).toBeGreaterThan(60);
    const misstated = rows.filter(({ state, reason, tries }) => {
      const known = isReasonOf('stale', reason) || isReasonOf('excluded', reason) ? getReason(reason) : undefined;
      return (
        known?.states.some((one) => one === state) !== true ||
        (tries > 1 ? known.retried === undefined : known.retried === true)
      );
    });
    expect(misstated).toEqual([]);
  });

  it('explains every reason and every state of Source-Status', () => {
    const keys = tableKeys(read('docs/operating.md'));
    expect(keys).toEqual(expect.arrayContaining([...Object.keys(reasons), ...Object.keys(STATE_DESCRIPTIONS)]));
  });
});
