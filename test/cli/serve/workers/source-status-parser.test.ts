import { afterEach, describe, expect, it } from 'vitest';
import { parseSourcesReport } from '../../../../src/cli/serve/workers/source-status-parser.js';
import { closeAdminPorts, openAdminPortOf, requestAdmin } from '../../../support/gateway/admin-port.js';
import { startGateway } from '../../../support/gateway/test-gateway.js';
import { feedUpstream, listItems, writeRss } from '../../../support/upstream/feed-upstream.js';
import { startUpstream } from '../../../support/upstream/upstream-server.js';
import { failedList, freshList, source } from './source-reports.js';

afterEach(closeAdminPorts);

describe('parseSourcesReport', () => {
  it('reads what a worker reports without losing a property', () => {
    const sources = [source(freshList), source(failedList)];
    const sharing = {
      ...{
        inAgreement: false,
        since: '2026-11-24T12:00:00+00:00',
        reason: 'clock',
        description: 'words',
        clockAhead: -300,
      },
      lastError: { at: '2026-11-24T11:00:00+00:00', message: 'Redis: no reply' },
    };
    const report = { sharing, sources };
    expect(parseSourcesReport(JSON.parse(JSON.stringify(report)))).toEqual(report);
    expect(parseSourcesReport({ sources })).toEqual({ sources });
  });

  it('reads the report about a source of each kind', async () => {
    const upstream = await startUpstream(feedUpstream(writeRss(listItems(2))));
    const { address } = upstream;
    const gateway = await startGateway({
      sources: {
        both: { directory: address, data: `${address}/data` },
        list: { document: { url: `${address}/list.json`, map: { 'short-team-name': 'name' } } },
        feeds: { feed: [`${address}/one.xml`, `${address}/two.xml`] },
      },
    });
    try {
      await gateway.app.warmUp();
      const report: unknown = JSON.parse((await requestAdmin(await openAdminPortOf(gateway), '/sources')).text);
      expect(parseSourcesReport(report)).toEqual(report);
    } finally {
      await Promise.all([gateway.close(), upstream.close()]);
    }
  });

  it.each([
    ['a list without a state', { ...freshList, state: undefined }],
    ['an unknown state', { ...freshList, state: 'great' }],
    ['a number as a text', { ...freshList, records: '10' }],
    ['an unknown reason', { ...failedList, lastError: { at: '', reason: 'x', description: '' } }],
  ])('refuses %s', (_, list) => {
    const one = source(freshList);
    const wrong = {
      ...one,
      levels: [{ ...one.levels[0], resources: [{ resource: 'news', ...list, capabilities: [] }] }],
    };
    expect(() => parseSourcesReport({ sources: [wrong] })).toThrow('invalid message');
  });
});
