import { afterEach, describe, expect, it, vi } from 'vitest';
import { SearchEngine } from '../../src/search/search-engine.js';
import { closePageGateways, startPageGateway } from '../support/gateway/page-gateway.js';

afterEach(closePageGateways);

const SOURCES = { harbour: { teams: [{ 'short-team-name': 'Acorn CERT' }] } };

describe('the warm-up of the pages', () => {
  it('indexes every repository, so that the first reader does not wait for it', async () => {
    const lantern = { teams: [{ 'short-team-name': 'Lamp' }] };
    const { gateway, page } = await startPageGateway({ ...SOURCES, lantern });
    const getIndex = vi.spyOn(SearchEngine.prototype, 'getIndex');
    const indexes = (): Promise<unknown[]> => Promise.all(getIndex.mock.results.map(({ value }): unknown => value));
    await gateway.app.warmUpPages();
    const built = await indexes();
    expect(built).toHaveLength(2);
    getIndex.mockClear();
    expect((await page('/?q=lamp')).teams).toEqual(['lantern.lamp']);
    expect(await indexes()).toEqual(built);
    getIndex.mockRestore();
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
