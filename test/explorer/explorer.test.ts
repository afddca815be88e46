import { afterEach, describe, expect, it } from 'vitest';
import { closePageGateways, startPageGateway } from '../support/gateway/page-gateway.js';

afterEach(closePageGateways);

const SOURCES = { harbour: { teams: [{ 'short-team-name': 'Acorn CERT' }] } };

describe('the warm-up of the pages', () => {
  it('requests of a large repository with declared capabilities nothing but its size', async () => {
    const teams = Array.from({ length: 30 }, (_, at) => ({ 'short-team-name': `Team ${at}` }));
    const supports = { teams: { sort: ['short-team-name'], total: true } };
    const large = { teams, registration: { 'drain-threshold': 5, 'page-size': 3, supports } };
    const { gateway, upstreams } = await startPageGateway({ ...SOURCES, large });
    await gateway.app.warmUp();
    await gateway.app.warmUpPages();
    expect(upstreams['large']?.requests).toHaveLength(1);
  });
});

describe('a page', () => {
  it.each(['GET', 'HEAD', 'OPTIONS', 'POST'])('may not be read by other sites, also with %s', async (method) => {
    const { gateway } = await startPageGateway(SOURCES);
    const { status, headers } = await fetch(`${gateway.origin}/`, { method });
    expect(status).toBe({ GET: 200, HEAD: 200, OPTIONS: 204, POST: 405 }[method]);
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
    expect(headers.get('content-security-policy')).toContain("default-src 'none';script-src 'self'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('is served only where pages are turned on', async () => {
    const { page } = await startPageGateway(SOURCES, { server: { explorer: { enabled: false } } });
    for (const path of ['/', '/news', '/teams/harbour.acorn-cert']) expect((await page(path)).status).toBe(404);
  });
});
