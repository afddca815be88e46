import { afterEach, describe, expect, it } from 'vitest';
import { createAdminHttpServer } from '../../../src/admin/server/admin-server.js';
import type { AdminRoute } from '../../../src/admin/server/admin-route.js';
import { createTextResponse } from '../../../src/admin/server/admin-response.js';
import { generateClientKey, hashClientKey } from '../../../src/access/client-keys.js';
import type { AdminConfig } from '../../../src/config/config.js';
import { closeAdminPorts, openAdminPort, requestAdmin } from '../../support/gateway/admin-port.js';

afterEach(closeAdminPorts);

const KEY = generateClientKey();

interface Port {
  readonly origin: string;
  readonly errors: string[];
  /** Codes for which the action was executed. */
  readonly actions: string[];
}

async function startPort(settings: Partial<AdminConfig> = { keySha256: hashClientKey(KEY) }): Promise<Port> {
  const errors: string[] = [];
  const actions: string[] = [];
  const routes: readonly AdminRoute[] = [
    { path: '/page', get: ({ parameters }) => createTextResponse(200, `page ${parameters.get('a') ?? ''}`) },
    {
      path: '/sources/:code/refresh',
      post: ({ pathParameters: { code = '' } }) => {
        actions.push(code);
        return createTextResponse(200, 'refreshed');
      },
    },
    {
      path: '/broken',
      get: () => {
        throw new Error('a secret of the handler');
      },
    },
    { path: '/rejected', get: () => Promise.reject(new Error('no')) },
  ];
  const config: AdminConfig = { host: '127.0.0.1', port: 0, ready: 'listeners', keySha256: undefined, ...settings };
  const server = createAdminHttpServer({ routes, settings: () => config, publish: ({ type }) => errors.push(type) });
  return { origin: await openAdminPort(server), errors, actions };
}

const bearer = (key: string): { authorization: string } => ({ authorization: `Bearer ${key}` });

describe('the admin port', () => {
  it('answers GET, and HEAD with the same header fields and no body', async () => {
    const { origin } = await startPort();
    const get = await requestAdmin(origin, '/page?a=b%20c');
    expect(get).toMatchObject({ status: 200, text: 'page b c\n' });
    const head = await requestAdmin(origin, '/page?a=b%20c', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: '', headers: { 'content-length': '9' } });
  });

  it('lists its paths in the response to an unknown one', async () => {
    const { origin } = await startPort();
    for (const path of ['/', '/Page', '/page/', '/sources//refresh', '/sources/%ff/refresh', '*', '//page']) {
      expect(await requestAdmin(origin, path)).toMatchObject({ status: 404 });
    }
    expect((await requestAdmin(origin, '/x')).text).toContain('/page, /sources/:code/refresh');
  });

  it('answers other methods with 405 and the methods that the path has', async () => {
    const { origin } = await startPort();
    const deleted = await requestAdmin(origin, '/page', { method: 'DELETE' });
    expect(deleted).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    const read = await requestAdmin(origin, '/sources/one/refresh');
    expect(read).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    expect((await requestAdmin(origin, '/page', { method: 'POST', headers: bearer(KEY) })).status).toBe(405);
  });

  it('answers a target and a body that are too long with 414 and 413, and a longer head with 431', async () => {
    const { origin } = await startPort();
    expect((await requestAdmin(origin, `/page?a=${'x'.repeat(26 * 1024)}`)).status).toBe(414);
    expect((await requestAdmin(origin, `/page?a=${'x'.repeat(70 * 1024)}`)).status).toBe(431);
    const chunked = { method: 'POST', body: 'x'.repeat(70 * 1024), headers: { 'transfer-encoding': 'chunked' } };
    expect((await requestAdmin(origin, '/page', chunked)).status).toBe(413);
  });

  it('answers a failure of an endpoint with 500 and a line in the log, without its text, and continues', async () => {
    const { origin, errors } = await startPort();
    for (const path of ['/broken', '/rejected']) {
      const response = await requestAdmin(origin, path);
      expect(response.status).toBe(500);
      expect(response.text).not.toContain('secret');
    }
    expect(errors).toEqual(['request of the operator failed', 'request of the operator failed']);
    expect((await requestAdmin(origin, '/page')).status).toBe(200);
  });

  it('forbids storing, sniffing, framing and scripts in every response', async () => {
    const { origin } = await startPort();
    for (const path of ['/page', '/nothing', '/broken']) {
      const { headers } = await requestAdmin(origin, path);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
      expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(headers['content-security-policy']).not.toContain('script');
    }
  });
});

describe('an action on the admin port', () => {
  it('is executed with the key', async () => {
    const { origin, actions } = await startPort();
    const post = { method: 'POST', headers: bearer(KEY) };
    expect(await requestAdmin(origin, '/sources/n%C3%A9/refresh', post)).toMatchObject({ status: 200 });
    expect(actions).toEqual(['né']);
  });

  it('is refused with 401 and a challenge without the key, with another one and with several', async () => {
    const { origin, actions } = await startPort();
    const wrong = [{}, bearer(generateClientKey()), bearer(hashClientKey(KEY)), { authorization: `Basic ${KEY}` }];
    const several = { authorization: [`Bearer ${KEY}`, `Bearer ${KEY}`] };
    for (const headers of [...wrong, several]) {
      const response = await requestAdmin(origin, '/sources/one/refresh', { method: 'POST', headers });
      expect(response.status).toBe(401);
      expect(response.headers['www-authenticate']).toMatch(/^Bearer /);
    }
    expect(actions).toEqual([]);
  });

  it('is refused with 403 and the name of the setting where no key is configured', async () => {
    const { origin, actions } = await startPort({ keySha256: undefined });
    const response = await requestAdmin(origin, '/sources/one/refresh', { method: 'POST', headers: bearer(KEY) });
    expect(response).toMatchObject({ status: 403 });
    expect(response.text).toContain('admin.key-sha256');
    expect(actions).toEqual([]);
  });
});

describe('pages of other sites', () => {
  it('cannot cause an action, even with the key', async () => {
    const { origin, actions } = await startPort();
    const fields = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://pages.example.org' },
      { origin: 'null' },
    ];
    for (const headers of fields) {
      const post = { method: 'POST', headers: { ...bearer(KEY), ...headers } };
      expect((await requestAdmin(origin, '/sources/one/refresh', post)).status).toBe(403);
    }
    expect(actions).toEqual([]);
    const own = { method: 'POST', headers: { ...bearer(KEY), origin, 'sec-fetch-site': 'same-origin' } };
    expect((await requestAdmin(origin, '/sources/one/refresh', own)).status).toBe(200);
  });

  it('cannot load an endpoint, but may link to a page', async () => {
    const { origin } = await startPort();
    const load = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
    expect((await requestAdmin(origin, '/page', { headers: load })).status).toBe(403);
    const frame = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
    expect((await requestAdmin(origin, '/page', { headers: frame })).status).toBe(403);
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await requestAdmin(origin, '/page', { headers: link })).status).toBe(200);
  });

  it('cannot use a name of their own for the loopback address', async () => {
    const { origin } = await startPort();
    for (const host of ['pages.example.org', 'pages.example.org:9090', 'localhost.example.org', '[']) {
      expect((await requestAdmin(origin, '/page', { headers: { host } })).status).toBe(421);
    }
    for (const host of ['localhost:9090', '127.0.0.1', '[::1]:9090', '10.0.0.1:9090']) {
      expect((await requestAdmin(origin, '/page', { headers: { host } })).status).toBe(200);
    }
  });

  it('cannot use a name of their own for another address either; probes may use any name', async () => {
    const { origin } = await startPort({ host: '0.0.0.0' });
    const ask = async (host: string, path = '/page'): Promise<number> =>
      (await requestAdmin(origin, path, { headers: { host } })).status;
    for (const host of ['pages.example.org', 'rollcall.example.org.:9090', 'internal.example.org', 'local.', '[']) {
      expect(await ask(host)).toBe(421);
    }
    const own = [
      '10.0.0.1:9090',
      '[2001:db8::1]',
      'localhost',
      'rollcall-1:9090',
      'admin.internal',
      'a.b.svc.cluster.local',
    ];
    for (const host of own) expect(await ask(host)).toBe(200);
    for (const path of ['/healthz', '/readyz', '/metrics?a=b']) expect(await ask('gw.example.org', path)).toBe(404);
    const named = await startPort({ host: 'Admin.example.org' });
    const headers = { host: 'admin.example.org:9090' };
    expect((await requestAdmin(named.origin, '/page', { headers })).status).toBe(200);
    expect((await requestAdmin(named.origin, '/page', { headers: { host: 'www.example.org' } })).status).toBe(421);
  });
});
