import { expect, it } from 'vitest';
import { probeUpstream } from '../../support/gateway/run-probe.js';
import { listItems, writeRss } from '../../support/upstream/feed-upstream.js';

it('names this gateway in Via, and counts redirects in the budget', async () => {
  const vias: unknown[] = [];
  const { requests, report } = await probeUpstream(
    ({ path, headers }, response) => {
      vias.push(headers.via);
      if (path.endsWith('/moved')) response.end(writeRss(listItems(1)));
      else response.writeHead(302, { location: '/v1/moved' }).end();
    },
    ['feed'],
    { budget: 1 },
  );
  expect(requests).toBe(1);
  expect(report.requests).toBe(1);
  expect(report.findings).toMatchObject([
    { topic: 'feed', verdict: 'open', evidence: 'not requested: beyond the budget of 1 requests' },
  ]);
  expect(vias).toEqual(['1.1 own-gateway']);
});
