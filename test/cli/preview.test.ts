import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { runCommand, startPreviewScene } from '../support/unit/preview-command.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { PreviewScene } from '../support/unit/preview-command.js';
import type { RequestHandler } from '../support/upstream/upstream-server.js';

const SECRET = 'hunter2-hunter2';

const TEAMS = [
  {
    uid: 'a1',
    name: 'ACORN',
    country: 'no',
    contact: { mail: 'acorn@example.org', fax: '+47 5550 0101' },
    facts: [
      { name: 'Since', value: 'May 1998' },
      { name: 'Sector', value: 'energy' },
    ],
  },
  { uid: 'b2', name: 'BIRCH', country: 752, contact: { mail: 'birch@example.org' } },
  { uid: 'c3', name: 'CEDAR', country: 'pt', state: 'retired' },
  { uid: 'd4', country: 'pt' },
];

const MAPPING = {
  records: 'teams',
  only: "state != 'retired'",
  map: {
    id: 'uid',
    'short-team-name': 'name || alias',
    'country-code': 'upper(country)',
    email: 'contact.mail',
    establishment: "facts[?name=='Since'].value | [0]",
    website: 'homepage',
  },
  defaults: { constituency: 'Government' },
};

const open: PreviewScene[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((scene) => scene.close()));
});

/** Sends a body: text as it is, anything else as JSON. */
function send(body: unknown, mediaType = 'application/json'): RequestHandler {
  return (_, response) =>
    response.writeHead(200, { 'content-type': mediaType }).end(typeof body === 'string' ? body : JSON.stringify(body));
}

async function startDocument(
  handler: RequestHandler,
  document: object = {},
  source: object = {},
): Promise<PreviewScene> {
  const scene = await startPreviewScene(handler, (address) => ({
    document: { url: `${address}/teams.json?list=all`, ...MAPPING, ...document },
    ...source,
  }));
  open.push(scene);
  return scene;
}

/** The report that `--json` prints. */
async function readReport(scene: PreviewScene, ...options: readonly string[]): Promise<unknown> {
  const { out } = await scene.preview('--json', ...options);
  return JSON.parse(out);
}

describe('preview of a document', () => {
  test('requests it once, and prints each record beside what its expressions gave', async () => {
    const scene = await startDocument(send({ teams: TEAMS }));
    const { code, out } = await scene.preview();
    expect(code).toBe(0);
    expect(scene.upstream.requests).toHaveLength(1);
    expect(out).toContain('4 entries received; 1 left out by only; 2 read as records; dropped: 1 no-name');
    expect(out).toMatch(/^entry 1: record one\.a1$/m);
    expect(out).toMatch(/^ {2}short-team-name +ACORN +"ACORN"$/m);
    expect(out).toMatch(/^ {2}country-code +NO +"NO"$/m);
    expect(out).toMatch(/^ {2}email +acorn@example\.org +"acorn@example\.org"$/m);
    expect(out).toMatch(/^ {2}constituency +Government +"Government"$/m);
    expect(out).toMatch(/^ {2}source-name +Example List +-$/m);
    expect(out).toMatch(/^ {2}establishment +1998-05 +"May 1998"$/m);
    expect(out).toMatch(/^ +! date-form$/m);
    expect(out).toMatch(/^entry 4: dropped \(no-name\)$/m);
  });

  test('fits into 100 columns', async () => {
    const long = {
      name: 'N'.repeat(500),
      facts: [{ name: 'x'.repeat(300), value: 'y'.repeat(300) }],
      more: 'z'.repeat(300),
    };
    const { out } = await (await startDocument(send({ teams: [long] }))).preview();
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  test('names the first entry for which an expression failed, with the message', async () => {
    const { out } = await (await startDocument(send({ teams: TEAMS }))).preview();
    expect(out).toMatch(/^ {2}country-code +2 +1 +upper\(country\)\n +entry 2: .*expected argument 1/m);
    expect(await readReport(await startDocument(send({ teams: TEAMS })))).toMatchObject({
      resources: [
        {
          expressions: [
            { property: '(only)', values: 3, failures: 0 },
            { property: 'id', values: 3 },
            { property: 'short-team-name', expression: 'name || alias', values: 2 },
            {
              property: 'country-code',
              values: 2,
              failures: 1,
              firstFailure: expect.stringMatching(/^entry 2: /) as unknown,
            },
            { property: 'email', values: 2 },
            { property: 'establishment', values: 1 },
            { property: 'website', values: 0 },
          ],
        },
      ],
    });
  });

  test('lists the names that no expression mentions', async () => {
    const report = await readReport(await startDocument(send({ teams: TEAMS.map((team, at) => ({ ...team, at })) })));
    expect(report).toMatchObject({ resources: [{ unused: [{ name: 'at', entries: 3, example: 0 }] }] });
  });

  test('counts a name as mentioned that an expression needs for some entry only', async () => {
    const teams = [
      { name: 'ACORN', alias: 'A', email: 'a@example.org' },
      { alias: 'BIRCH', email: 'b@example.org' },
    ];
    const report = await readReport(await startDocument(send({ teams })));
    expect(report).toMatchObject({
      resources: [{ read: 2, unused: [{ name: 'email', entries: 2, example: 'a@example.org' }] }],
    });
  });

  test('gives values, findings and ids as the server does', async () => {
    const report = await readReport(await startDocument(send({ teams: TEAMS })), '--limit', '1');
    expect(report).toMatchObject({
      version: 2,
      source: 'one',
      sourceName: 'Example List',
      requests: [{ target: '/v1/teams.json?list=all', status: 200, mediaType: 'application/json', format: 'json' }],
      resources: [
        {
          resource: 'teams',
          interface: 'directory',
          isDocument: true,
          received: 4,
          leftOut: 1,
          read: 2,
          dropped: [{ rule: 'no-name', count: 1 }],
          findings: [
            { rule: 'no-name', field: '(record)', count: 1 },
            { rule: 'expression-failed', field: 'country-code', count: 1 },
            { rule: 'date-form', field: 'establishment', count: 1, example: 'May 1998' },
            { rule: 'expression-empty', field: 'website', count: 1 },
          ],
          records: [
            {
              entry: 1,
              id: 'one.a1',
              record: {
                'short-team-name': 'ACORN',
                'country-code': 'NO',
                establishment: '1998-05',
                constituency: 'Government',
              },
              mapped: { 'country-code': 'NO', establishment: 'May 1998', constituency: 'Government' },
              sent: TEAMS[0],
              findings: [{ field: 'establishment', rule: 'date-form' }],
            },
          ],
          entries: [TEAMS[0]],
        },
      ],
    });
  });

  test('shows the records that the server returns', async () => {
    const scene = await startDocument(send({ teams: TEAMS }));
    const report = await readReport(scene);
    const document = { url: `${scene.upstream.address}/teams.json`, ...MAPPING };
    const gateway = await startGateway({ sources: { one: { 'source-name': 'Example List', document } } });
    const served = (await gateway.get('/directory/v1/teams')).json;
    await gateway.close();
    expect(served).toHaveLength(2);
    expect(report).toMatchObject({
      resources: [{ records: [...Array.from(served as object[]), {}].map((record) => ({ record })) }],
    });
  });

  test('says why a server would not serve it', async () => {
    const { code, out } = await (
      await startDocument(send({ teams: [{ title: 'ACORN' }, { title: 'BIRCH' }] }))
    ).preview();
    expect(code).toBe(0);
    expect(out).toContain('problem: 2 of 2 records have no short-team-name');
  });

  test('reads CSV by the extension of its address, and quotes the names of its columns', async () => {
    const scene = await startPreviewScene(
      send('Team;Full name;Sector\nACORN;Acorn CERT;energy\n', 'text/plain'),
      (address) => ({
        document: {
          url: `${address}/teams.csv`,
          map: { 'short-team-name': 'Team', 'official-team-name': '"Full name"' },
        },
      }),
    );
    open.push(scene);
    const { out } = await scene.preview();
    expect(out).toMatch(/^ {2}200 .* csv +text\/plain +\/v1\/teams\.csv$/m);
    expect(out).toMatch(/^ {2}official-team-name +Acorn CERT +"Acorn CERT"$/m);
    expect(out).toMatch(/^ {2}Sector +1 +"energy"$/m);
  });

  test('reads a file', async () => {
    const scene = await startPreviewScene(send(''), () => ({
      document: { file: 'teams.csv', map: { 'short-team-name': 'Team' } },
    }));
    open.push(scene);
    await writeFile(join(dirname(scene.file), 'teams.csv'), 'Team\nACORN\n');
    expect(await scene.preview()).toMatchObject({
      code: 0,
      out: expect.stringContaining('record one.acorn') as unknown,
    });
  });

  test('requests the second document too, and numbers the entries as they were sent', async () => {
    const members = [{ team: 'a1', mail: 'ann@example.org', role: 'lead' }];
    const scene = await startPreviewScene(
      (request, response) =>
        send(request.path.endsWith('members.json') ? members : { teams: TEAMS })(request, response),
      (address) => ({
        document: {
          url: `${address}/teams.json`,
          records: 'teams',
          map: { 'short-team-name': 'name', email: 'members[0].mail' },
          join: { url: `${address}/members.json`, on: ['uid', 'team'], as: 'members' },
        },
      }),
    );
    open.push(scene);
    const { out } = await scene.preview();
    expect(scene.upstream.requests.map(({ path }) => path)).toEqual(['/v1/members.json', '/v1/teams.json']);
    expect(out).toMatch(/^ {2}email +ann@example\.org +"ann@example\.org"$/m);
    expect(out).toMatch(/^ {2}\(join\) +1 +0 +uid$/m);
    expect(out).toMatch(/^entry 4: dropped \(no-name\)$/m);
    expect(out).toMatch(/^ {2}country +4 +"no"$/m);
    expect(out).not.toMatch(/^ {2}(uid|members) +\d/m);
    expect(JSON.parse((await scene.preview('--raw', '--limit', '1')).out)).toEqual({
      document: [TEAMS[0]],
      join: members,
    });
  });

  test('requests the first of linked pages only, and prints the address of the next one', async () => {
    const scene = await startDocument(send({ teams: TEAMS, links: { more: 'teams.json?from=5' } }), {
      next: 'links.more',
    });
    const { out } = await scene.preview();
    expect(scene.upstream.requests).toHaveLength(1);
    expect(out).toContain(`next page: ${scene.upstream.address}/teams.json?from=5\n`);
  });

  test('prints a next page at another origin as a problem', async () => {
    const scene = await startDocument(send({ teams: TEAMS, next: 'https://other.example.org/' }), { next: 'next' });
    expect((await scene.preview()).out).toContain('problem: a next page at another origin');
  });

  test('prints the address that the Link field names', async () => {
    const scene = await startDocument((_, response) =>
      response.writeHead(200, { Link: '<?from=5>; rel="next"' }).end(JSON.stringify({ total: 47, teams: TEAMS })),
    );
    const { out } = await scene.preview();
    expect(scene.upstream.requests).toHaveLength(1);
    expect(out).toContain(`next page: ${scene.upstream.address}/teams.json?from=5\n`);
    expect(out).not.toContain('problem:');
    expect(out).not.toContain('unread-pages');
  });

  test.each([
    ['names a next page', { '@odata.nextLink': '?from=5' }, `"@odata.nextLink"`, `write next: '"@odata.nextLink"'`],
    ['counts more entries', { meta: { total: 47 } }, 'meta.total', 'write page: { parameter: … }'],
  ])('says that nothing reads the further pages of a document that %s', async (_what, body, place, advice) => {
    const { out } = await (await startDocument(send({ ...body, teams: TEAMS }))).preview();
    expect(out.replace(/\s+/g, ' ')).toMatch(/problem: .*(?:names a next one|counts 47 entries)/);
    expect(out.replace(/\s+/g, ' ')).toContain(advice);
    expect(out).toMatch(new RegExp(`^ {2}${place} +unread-pages +1$`, 'm'));
    const tolerant = await startDocument(send({ ...body, teams: TEAMS }), {}, { tolerates: ['paging'] });
    expect((await tolerant.preview()).out).not.toContain('problem:');
  });
});

describe('preview of interfaces', () => {
  const pages: RequestHandler = (request, response) => {
    const data: Readonly<Record<string, readonly object[]>> = {
      '/v1/data/teams': [{ id: 'acorn', team: 'ACORN', country: 'no', '-other-level': 'x', 'team-color': 'green' }],
      '/v1/data/news': [{ id: 7, title: 'First' }, { id: 7, title: 'Again' }, { title: 'No id' }],
    };
    const records = data[request.path];
    if (records === undefined) response.writeHead(403).end();
    else send({ status: 'OK', total: 30, data: records })(request, response);
  };

  async function startInterface(): Promise<PreviewScene> {
    const scene = await startPreviewScene(pages, (address) => ({ data: `${address}/data`, 'page-size': 20 }));
    open.push(scene);
    return scene;
  }

  test('requests the first page of each resource, and prints the properties that were dropped', async () => {
    const scene = await startInterface();
    const { code, out } = await scene.preview();
    expect(code).toBe(0);
    expect(scene.upstream.requests.map(({ path, query }) => `${path} ${query.get('limit') ?? ''}`)).toEqual([
      '/v1/data/teams 20',
      '/v1/data/news 20',
      '/v1/data/channels 20',
    ]);
    expect(out).toContain('1 entry received; 30 counted by the source; 1 read as records; none dropped');
    expect(out).toMatch(/^ {2}country +NO +"no"\n +! country-form$/m);
    expect(out).toMatch(/^ {2}-other-level +- +"x"\n +! foreign-property$/m);
    expect(out).toMatch(/^properties that were dropped\n.*\n {2}-other-level +1 +"x"$/m);
    expect(out).toMatch(/dropped: 1 repeated-id, 1 no-id|dropped: 1 no-id, 1 repeated-id/);
    expect(out).toMatch(/next page: http.*\/data\/news\?.*offset=3/);
    expect(out).toMatch(/channels of the data interface\n {2}could not be read \(status\): .*403/);
  });

  test('prints the entries of each resource as received with --raw', async () => {
    const { code, out, err } = await (await startInterface()).preview('--raw', '--limit', '1');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ 'data/teams': [{ '-other-level': 'x' }], 'data/news': [{ id: 7 }] });
    expect(err).toContain('403');
  });
});

describe('preview --raw', () => {
  test('prints the first entries of a document as received, with a minimal mapping', async () => {
    const scene = await startDocument(send({ teams: TEAMS }), { map: { 'short-team-name': 'none' }, only: 'none' });
    const { code, out } = await scene.preview('--raw', '--limit', '3');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual(TEAMS.slice(0, 3));
  });

  test('prints the properties of the document where the entries are not found, exit code 2', async () => {
    const { code, out, err } = await (await startDocument(send({ a: { teams: TEAMS } }))).preview('--raw');
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/^ {4}a\.teams {2}list of 4 objects$/m);
  });
});

describe('hostile values', () => {
  const hostile = `A\u001b[2J\u202eB\u2028C\u0085`;

  test.each([[], ['--json'], ['--raw']])('cannot control the terminal: %j', async (...options) => {
    const teams = [{ name: hostile, [hostile]: hostile, facts: [{ name: hostile }] }];
    const { out } = await (await startDocument(send({ teams, [hostile]: 1 }))).preview(...options);
    expect(out).toContain('\\u202e');
    expect(out).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}]/u);
    if (options.length > 0) expect(JSON.stringify(JSON.parse(out))).toContain('\u202e');
  });

  test('may be nested deeper than JSON can be written', async () => {
    const deep = `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`;
    for (const options of [[], ['--json'], ['--raw']]) {
      const scene = await startDocument(send(`{"teams":[{"name":"ACORN","deep":${deep}}]}`));
      expect(await scene.preview(...options)).toMatchObject({ code: 0 });
    }
  });

  test('may have the names of methods', async () => {
    const { code, out } = await (
      await startDocument(send('{"teams":[{"name":"ACORN","__proto__":{"x":1},"toString":2}]}'))
    ).preview();
    expect(code).toBe(0);
    expect(out).toMatch(/^ {2}toString +1 +2$/m);
  });

  test.each([[], ['--json'], ['--raw']])('never contain a credential of this gateway: %j', async (...options) => {
    const teams = [{ name: 'ACORN', contact: { mail: SECRET }, [SECRET]: `x ${SECRET} y`.padStart(60, '-') }];
    const credentials = { public: { bearer: SECRET } };
    const scene = await startDocument(
      (request, response) =>
        request.query.has('moved')
          ? send({ teams, [SECRET]: SECRET })(request, response)
          : response.writeHead(302, { location: `?moved=${SECRET}` }).end(),
      {},
      { credentials },
    );
    const { code, out, err } = await scene.preview(...options);
    expect(code).toBe(0);
    expect(scene.upstream.requests.map(({ headers }) => headers.authorization)).toEqual(
      Array(2).fill(`Bearer ${SECRET}`),
    );
    expect(out + err).toContain('[redacted]');
    expect(out + err).not.toContain(SECRET.slice(0, 8));
  });
});

describe('a preview that fails', () => {
  test.each([
    [401, {}, 'the source has no credentials.public in the configuration'],
    [
      403,
      { credentials: { public: { bearer: SECRET } } },
      'the source refuses the credential under credentials.public',
    ],
  ])('names the status %i and what the operator may change, exit code 2', async (status, source, hint) => {
    const scene = await startDocument((_, response) => response.writeHead(status).end(), {}, source);
    const { code, out } = await scene.preview();
    expect(code).toBe(2);
    expect(out).toMatch(new RegExp(`could not be read \\(status\\): .*${status}`));
    expect(out).toContain(hint);
    expect(scene.upstream.requests).toHaveLength(1);
  });

  test('shows the first 200 characters of a body that is not of the format', async () => {
    const html = `<html><title>Log in\u001b</title>${'é'.repeat(300)}`;
    const scene = await startDocument(send(html, 'text/html'), {}, { credentials: { public: { bearer: SECRET } } });
    const { code, out } = await scene.preview();
    expect(code).toBe(2);
    expect(out).toContain('could not be read (body)');
    expect(out).toContain('<html><title>Log in\\u001b</title>é');
    expect(out.match(/é/g)).toHaveLength(200 - '<html><title>Log in.</title>'.length);
    expect(out).toContain('text/html');
    expect(await readReport(scene)).toMatchObject({
      resources: [{ failure: { reason: 'body', body: html.slice(0, 200) } }],
    });
  });

  test('shows the properties of a document in which records gives no list, and what would give one', async () => {
    const document = {
      meta: { count: 4 },
      'by-country': { no: { n: 1 }, pt: { n: 2 } },
      none: [],
      data: { 'all teams': TEAMS, tags: ['x'] },
    };
    const scene = await startDocument(send(document));
    const { code, out } = await scene.preview();
    expect(code).toBe(2);
    expect(out).toContain('the expression for records (teams) gives no list');
    expect(out).toMatch(/^ {4}meta +object with 1 property$/m);
    expect(out).toMatch(/^ {4}data\."all teams" +list of 4 objects\n {4}values\("by-country"\) +object of 2 objects$/m);
  });

  test('names a server that does not answer, exit code 2', async () => {
    const scene = await startDocument(send(''));
    await scene.upstream.close();
    open.splice(0);
    const { code, out } = await scene.preview();
    expect(code).toBe(2);
    expect(out).toContain('could not be read (connect): ECONNREFUSED');
  });

  test('lists the codes when the given one is unknown, exit code 1', async () => {
    const { file, upstream } = await startDocument(send(''));
    const { code, err } = await runCommand(['preview', 'two', '--config', file]);
    expect([code, err]).toEqual([1, 'rollcall: no source two; known: one\n']);
    expect(upstream.requests).toHaveLength(0);
  });

  test('prints the errors of the configuration, exit code 1', async () => {
    const { code, err } = await (await startDocument(send(''), { records: 'upper(' })).preview();
    expect(code).toBe(1);
    expect(err).toContain('sources.one.document.records');
  });

  test.each(['0', '-1', 'all', '1.5'])('refuses --limit %s, exit code 2', async (limit) => {
    const { code, err } = await (await startDocument(send(''))).preview(`--limit=${limit}`);
    expect(code).toBe(2);
    expect(err).toContain('--limit must be a whole number of at least 1');
  });
});

describe('a source that is registered as another kind', () => {
  const rss = '<rss version="2.0"><channel><title>A</title><item><title>One</title></item></channel></rss>';
  const atom = '<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title><entry><title>One</title></entry></feed>';
  const rdf =
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><item><title>One</title></item></rdf:RDF>';
  const jsonFeed = { version: 'https://jsonfeed.org/version/1.1', title: 'A', items: [{ id: '1', title: 'One' }] };

  test.each([
    ['RSS', rss, 'application/rss+xml'],
    ['RSS 1.0', rdf, 'application/xml'],
    ['Atom', atom, 'application/atom+xml'],
    ['JSON Feed', jsonFeed, 'application/feed+json'],
  ])('is a feed, where a document is in the format %s', async (format, body, mediaType) => {
    const scene = await startPreviewScene(send(body, mediaType), (address) => ({
      document: { url: address, resource: 'news', map: { id: 'id', title: 'title' } },
    }));
    open.push(scene);
    expect((await scene.preview()).out).toContain(
      `a news feed (${format}) and no document: register its address as feed`,
    );
  });

  test.each([
    ['a document', 'the names of a list are its own', [{ name: 'ACORN' }], 'application/json'],
    ['a document', 'a list has a form of its own', { teams: [{ name: 'ACORN' }] }, 'application/json'],
    ['a document', 'a list is in CSV', 'name,mail\nACORN,acorn@example.org\n', 'text/csv'],
    ['a feed', 'the body is RSS', rss, 'application/rss+xml'],
    ['a feed', 'the body is a JSON Feed', jsonFeed, 'application/feed+json'],
  ])('is %s, where below directory %s', async (kind, _, body, mediaType) => {
    const scene = await startPreviewScene(send(body, mediaType), (address) => ({ directory: address }));
    open.push(scene);
    const hints = {
      'a document': 'a list in a form or with names of its own is registered as document',
      'a feed': 'a news feed is registered as feed',
    };
    const out = (await scene.preview()).out.replaceAll(/\s+/g, ' ');
    expect(Object.entries(hints).filter(([, hint]) => out.includes(hint))).toEqual([[kind, expect.anything()]]);
  });
});
