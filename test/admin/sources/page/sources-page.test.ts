import { afterEach, describe, expect, it } from 'vitest';
import { formatIsoTimestamp } from '../../../../src/text/date.js';
import { closeAdminPorts, openAdminPortOf, requestAdmin } from '../../../support/gateway/admin-port.js';
import { ADMIN_SETTINGS } from '../../../support/admin/sources-report.js';
import { closeDataGateways, startDataGateway } from '../../../support/gateway/data-gateway.js';
import type { DataGateway } from '../../../support/gateway/data-gateway.js';
import { dataUpstream } from '../../../support/upstream/data-upstream.js';
import * as faulty from '../../../support/upstream/faulty-responses.js';
import { feedUpstream, listItems, writeRss } from '../../../support/upstream/feed-upstream.js';
import { startGateway } from '../../../support/gateway/test-gateway.js';
import { startUpstream } from '../../../support/upstream/upstream-server.js';
import type { RequestHandler } from '../../../support/upstream/upstream-server.js';

afterEach(async () => {
  closeAdminPorts();
  await closeDataGateways();
});

const HOUR = 3_600_000;

function teams(count: number): { readonly teams: readonly object[] } {
  return { teams: Array.from({ length: count }, (_, at) => ({ id: `t${at}`, team: `Team ${at}` })) };
}

type Sources = Parameters<typeof startDataGateway>[0];

async function start(sources: Sources, setup: object = {}): Promise<DataGateway & { page: () => Promise<string> }> {
  const data = await startDataGateway(sources, { admin: ADMIN_SETTINGS, defaults: { retries: 0 }, ...setup });
  const origin = await openAdminPortOf(data.gateway);
  return { ...data, page: async () => (await requestAdmin(origin, '/sources?format=html')).text };
}

/** The text of a page without its tags. */
function textOf(html: string): string {
  return html.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');
}

const TEAMS = { resources: ['teams'] };
const down = faulty.status(403);

describe('the page of the sources', () => {
  it('says that all is well where it is', async () => {
    const { page, gateway } = await start({ one: { records: teams(3) }, two: { records: teams(2) } });
    await gateway.app.warmUp();
    const text = textOf(await page());
    expect(text).toContain('All 2 sources are in order.');
    expect(text).not.toContain('What is wrong');
  });

  it('says that nothing has been requested yet', async () => {
    const { page } = await start({ one: { records: teams(3) } });
    expect(textOf(await page())).toContain('1 of 1 have not been requested yet.');
  });

  it('shows first the sources that give nothing, then those that are old, with the age and what to do', async () => {
    let handler: RequestHandler = dataUpstream(teams(3));
    const { page, gateway, clock, ask } = await start({
      good: { records: teams(1), registration: TEAMS },
      old: { records: teams(3), handler: (request, response) => handler(request, response), registration: TEAMS },
      broken: { records: teams(1), handler: down, registration: { ...TEAMS, required: true } },
    });
    await gateway.app.warmUp();
    handler = faulty.status(500);
    clock.advance(3 * HOUR);
    await ask('/teams');
    const html = await page();
    const text = textOf(html);
    expect(text).toContain('1 of 3 sources give no records of a list; 1 of 3 need attention.');
    const wrong = text.slice(text.indexOf('What is wrong'), text.indexOf('All sources'));
    expect(wrong.indexOf('broken (broken)')).toBeLessThan(wrong.indexOf('old (old)'));
    expect(wrong).toMatch(/broken \(broken\), required: without it there is no list/);
    expect(wrong).toMatch(/data-teams: no records: refuses access \(HTTP status 403\).*check its credentials/);
    expect(wrong).toMatch(/data-teams: .*HTTP status 500.*the records are from 3 hours ago/);
    expect(wrong).not.toContain('good');
    for (const code of ['good', 'old', 'broken']) expect(html).toContain(`id="source-${code}"`);
  });

  it('joins the lists of a source with which the same is wrong', async () => {
    const { page, gateway } = await start({ one: { records: {}, handler: down } });
    await gateway.app.warmUp();
    expect(textOf(await page())).toMatch(/data-teams, news, channels: no records: refuses access \(HTTP status 403\)/);
  });

  it('joins them also where it began at different times, and names the earliest', async () => {
    const { page, clock, ask } = await start({ one: { records: {}, handler: down } });
    const since = formatIsoTimestamp(clock.now());
    await ask('/teams');
    clock.advance(2_000);
    await ask('/news');
    expect(textOf(await page())).toContain(
      `data-teams, news: no records: refuses access (HTTP status 403), since ${since}`,
    );
  });

  it('shows the command for each action, and that of a smaller number only where there is one', async () => {
    let handler: RequestHandler = dataUpstream(teams(30));
    const registration = { ...TEAMS, ttl: '1s', 'stale-while-revalidate': '0s' };
    const { page, gateway, clock, ask } = await start({
      one: { records: {}, handler: (request, response) => handler(request, response), registration },
    });
    await gateway.app.warmUp();
    const before = textOf(await page());
    expect(before).toContain(
      'curl -X POST -H "Authorization: Bearer $ROLLCALL_ADMIN_KEY" http://127.0.0.1:9090/sources/one/refresh'.replaceAll(
        '"',
        '&quot;',
      ),
    );
    expect(before).not.toContain('/sources/one/confirm-shrink');
    handler = dataUpstream(teams(2));
    clock.advance(10_000);
    await ask('/teams');
    const after = textOf(await page());
    expect(after).toContain('/sources/one/confirm-shrink');
    expect(after).toContain('It returns 2 records instead of 30');
  });

  it('says that there are no actions without a key', async () => {
    const { page } = await start({ one: { records: {} } }, { admin: {} });
    const text = textOf(await page());
    expect(text).toContain('Actions are disabled, because the configuration has no admin.key-sha256.');
    expect(text).not.toContain('curl');
  });

  it('shows texts of sources and of the configuration as text, bounded and with hidden characters by name', async () => {
    const hostile = '"><script>alert(1)</script>\u202e';
    const record = { id: 'x', team: `T ${hostile}`, 'last-modified': `${hostile}${'y'.repeat(10_000)}` };
    const { page, gateway } = await start({
      one: { records: { teams: [record] }, registration: { ...TEAMS, 'source-name': '<img src=x onerror=alert(1)>' } },
    });
    await gateway.app.warmUp();
    const html = await page();
    expect(html).not.toMatch(/<script|<img|\u202e/);
    expect(html).toContain('&lt;img');
    expect(html).toContain('&lt;script');
    expect(html).toContain('U+202E');
    expect(html.length).toBeLessThan(30_000);
  });
});

describe('the admin port at its root', () => {
  it('leads to the page of the sources', async () => {
    const data = await startDataGateway({ one: { records: {} } });
    const origin = await openAdminPortOf(data.gateway);
    expect(await requestAdmin(origin, '/')).toMatchObject({ status: 303, headers: { location: '/sources' } });
  });
});

describe('the page of a source that consists of feeds', () => {
  async function openFeeds(
    paths: readonly string[],
  ): Promise<{ readonly text: string; readonly html: string; readonly address: string }> {
    const upstream = await startUpstream((request, response) => {
      if (request.path.includes('gone')) response.writeHead(404).end();
      else if (request.path.includes('page')) response.end('<!doctype html><html></html>');
      else feedUpstream(writeRss(listItems(2)))(request, response);
    });
    const feed = paths.map((path) => upstream.address + path);
    const gateway = await startGateway({ admin: ADMIN_SETTINGS, defaults: { retries: 0 }, sources: { one: { feed } } });
    try {
      await gateway.app.warmUp();
      const html = (await requestAdmin(await openAdminPortOf(gateway), '/sources?format=html')).text;
      return { text: textOf(html), html, address: upstream.address };
    } finally {
      await Promise.all([gateway.close(), upstream.close()]);
    }
  }

  it('has the address of each feed, and counts their items together', async () => {
    const { html, text, address } = await openFeeds(['/one.xml?list=a', '/two.xml', '/two.xml?list=a']);
    expect(html).toContain(`feed: ${address}/one.xml\n`);
    expect(html).toContain(`feed: ${address}/two.xml (2)\n`);
    expect(html).not.toContain('list=a');
    expect(text).toContain('6 items in 3 of 3 feeds');
  });

  it('names the feed with which something is wrong, and what to do about it', async () => {
    const { text, address } = await openFeeds(['/one.xml', '/gone.xml', '/page']);
    const wrong = text.slice(text.indexOf('What is wrong'), text.indexOf('All sources'));
    expect(wrong).toMatch(
      new RegExp(`feed ${address}/gone.xml: no records: HTTP status 404.*for the new address of the feed`),
    );
    expect(wrong).toMatch(new RegExp(`feed ${address}/page: .*Run rollcall preview for the source`));
    expect(wrong).not.toContain('/one.xml');
    expect(text).toContain('2 items in 1 of 3 feeds');
  });

  it('has the commands of the actions, and says what a probe of feeds finds out', async () => {
    const { text } = await openFeeds(['/one.xml']);
    expect(text).toContain('Find out whether the feeds can be read and revalidated');
    expect(text).toContain('/sources/one/probe');
  });

  it('names only the first of many feeds with which the same is wrong', async () => {
    const { text } = await openFeeds(Array.from({ length: 13 }, (_, at) => `/gone${at}`));
    const wrong = text.slice(text.indexOf('What is wrong'), text.indexOf('All sources'));
    expect(wrong).toContain('/gone9 and 3 more: no records');
    expect(wrong).not.toContain('/gone10');
  });
});

it('has no command for a probe of a document, which is not probed', async () => {
  const upstream = await startUpstream((_, response) => response.end('[{"name":"A"}]'));
  const document = { url: `${upstream.address}/list.json`, map: { 'short-team-name': 'name' } };
  const gateway = await startGateway({ admin: ADMIN_SETTINGS, sources: { one: { document } } });
  try {
    const { text } = await requestAdmin(await openAdminPortOf(gateway), '/sources?format=html');
    expect(text).toContain('/sources/one/refresh');
    expect(text).not.toContain('/sources/one/probe');
  } finally {
    await Promise.all([gateway.close(), upstream.close()]);
  }
});
