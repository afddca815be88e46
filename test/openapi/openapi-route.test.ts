import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewaySetup, TestGateway } from '../support/gateway/test-gateway.js';
import { sendPlainRequest } from '../support/http/plain-request.js';

const SOURCES = { harbour: { directory: 'http://127.0.0.1:9/directory/v1' } };

let gateway: TestGateway | undefined;

afterEach(() => gateway?.close());

async function start(server: GatewaySetup['server'] = {}): Promise<TestGateway> {
  gateway = await startGateway({ server, sources: SOURCES });
  return gateway;
}

/** The description in OpenAPI over HTTP (operation 4.2, decisions 2.42). */
describe('/openapi.json', () => {
  it('is JSON for pages of any origin, with an entity tag and a lifetime', async () => {
    const { status, headers, json } = await (await start()).get('/openapi.json');
    expect(status).toBe(200);
    expect(json).toMatchObject({ openapi: '3.1.1' });
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect(headers.get('vary')).toBe('Accept-Encoding');
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('etag')).toMatch(/^"[\w-]+"$/);
  });

  it('is a 304 for its entity tag, has no body for HEAD, and accepts preflight requests', async () => {
    const running = await start();
    const etag = (await running.get('/openapi.json')).headers.get('etag') ?? '';
    expect((await running.get('/openapi.json', { 'If-None-Match': etag })).status).toBe(304);
    const head = await fetch(`${running.origin}/openapi.json`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const options = await fetch(`${running.origin}/openapi.json`, { method: 'OPTIONS' });
    expect(options.status).toBe(204);
    expect(options.headers.get('access-control-allow-methods')).toBe('GET,HEAD');
    expect((await fetch(`${running.origin}/openapi.json`, { method: 'POST' })).status).toBe(405);
  });

  it('is compressed as the client accepts', async () => {
    const running = await start();
    const { headers, body } = await sendPlainRequest(Number(new URL(running.origin).port), {
      method: 'GET',
      target: '/openapi.json',
      headers: { 'Accept-Encoding': 'gzip' },
    });
    expect(headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(body).toString()).toBe((await running.get('/openapi.json')).text);
  });

  it('is served where pages are turned off, and no response then links to the page', async () => {
    const running = await start({ explorer: { enabled: false } });
    expect((await running.get('/openapi.json')).status).toBe(200);
    expect((await running.get('/docs')).status).toBe(404);
    const { headers } = await running.get('/directory/v1/teams?limit=x');
    expect(headers.get('link')).toBe('</openapi.json>; rel="service-desc"');
  });
});

/** Links to the description (RFC 8631, decisions 2.42). */
describe('the field Link', () => {
  it('names the description on errors, under the public URL where it is configured', async () => {
    const running = await start({ 'public-url': 'https://irt.example.org' });
    const link =
      '<https://irt.example.org/openapi.json>; rel="service-desc", <https://irt.example.org/docs>; rel="service-doc"';
    for (const target of ['/directory/v1/teams?limit=x', '/directory/v1/teams/nobody.x', '/nothing', '/openapi.json'])
      expect((await running.get(target)).headers.get('link'), target).toBe(link);
  });

  it('is not on pages', async () => {
    const running = await start();
    for (const target of ['/', '/docs']) expect((await running.get(target)).headers.get('link'), target).toBeNull();
  });
});
