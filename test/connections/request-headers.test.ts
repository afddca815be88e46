import { afterEach, describe, expect, it } from 'vitest';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../support/upstream/upstream-server.js';
import { RECEIVED, requestTeams, servesTeams } from './connected-gateway.js';

const open: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function serve(handler: RequestHandler = servesTeams): Promise<UpstreamServer> {
  const upstream = await startUpstream(handler);
  open.push(upstream);
  return upstream;
}

const settings = {
  headers: { 'X-Tenant': 'north', Accept: 'application/vnd.example+json', 'User-Agent': 'example-gateway/1' },
  credentials: { public: { bearer: 'abc.123' } },
};

const SENT = {
  'x-tenant': 'north',
  accept: 'application/vnd.example+json',
  'user-agent': 'example-gateway/1',
  authorization: 'Bearer abc.123',
};

async function requestFrom(source: object): Promise<string | null> {
  const { gateway, sourceStatus } = await requestTeams(source);
  open.push(gateway);
  return sourceStatus;
}

describe('sources.<code>.headers', () => {
  it('are sent with each request, in place of those that Rollcall would send, beside a credential', async () => {
    const upstream = await serve();
    expect(await requestFrom({ directory: upstream.address, 'page-size': 1, ...settings })).toBe(RECEIVED);
    expect(upstream.requests.length).toBeGreaterThan(1);
    for (const { headers } of upstream.requests) expect(headers).toMatchObject(SENT);
  });

  it('are sent to the target of a redirect within the origin', async () => {
    const upstream = await serve((request, response) => {
      if (request.path.startsWith('/moved')) servesTeams({ ...request, path: '/v1/teams' }, response);
      else response.writeHead(307, { location: `/moved/teams?${request.query.toString()}` }).end();
    });
    expect(await requestFrom({ directory: upstream.address, ...settings })).toBe(RECEIVED);
    const moved = upstream.requests.filter(({ path }) => path.startsWith('/moved'));
    expect(moved.length).toBeGreaterThan(0);
    for (const { headers } of moved) expect(headers).toMatchObject(SENT);
  });

  it('are never sent to another origin, and neither is a credential', async () => {
    const other = await serve();
    const upstream = await serve((_, response) =>
      response.writeHead(307, { location: `${other.address}/teams` }).end(),
    );
    expect(await requestFrom({ directory: upstream.address, ...settings })).toBe('one;state=failed;reason=redirect');
    expect(other.requests).toEqual([]);
  });

  it('are sent for a published document', async () => {
    const upstream = await serve((_, response) => response.end('[{"name":"ACORN"}]'));
    const document = { url: `${upstream.address}/teams.json`, map: { 'short-team-name': 'name' } };
    expect(await requestFrom({ document, ...settings })).toBe('one;state=fresh;records=1;age=0');
    expect(upstream.requests[0]?.headers).toMatchObject(SENT);
  });
});
