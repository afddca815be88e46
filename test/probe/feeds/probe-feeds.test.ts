import { describe, expect, it } from 'vitest';
import { probeUpstream } from '../../support/gateway/run-probe.js';
import type { ProbeRun } from '../../support/gateway/run-probe.js';
import { feedUpstream, listItems, writeRss } from '../../support/upstream/feed-upstream.js';
import * as faulty from '../../support/upstream/faulty-responses.js';
import { unusedAddress } from '../../support/upstream/upstream-server.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';

const FEED = writeRss(listItems(3));

/** Probes one feed. */
function probeFeed(handler: RequestHandler): Promise<ProbeRun> {
  return probeUpstream(handler, ['feed']);
}

/** Probes feeds at paths of one server. */
function probePaths(handler: RequestHandler, paths: readonly string[]): Promise<ProbeRun> {
  const registerAt = (address: string): object => ({ feed: paths.map((path) => address + path) });
  return probeUpstream(handler, [], { registerAt });
}

/** A server that ignores the condition of a request. */
function ignoring(tag: string, body: (number: number) => string = () => FEED): RequestHandler {
  return ({ number }, response) => response.writeHead(200, { etag: tag }).end(body(number));
}

describe('the probe of a feed', () => {
  it('requests it once, then with its validator, and has no capabilities', async () => {
    const { report, requests, of } = await probeFeed(feedUpstream(FEED));
    expect(requests).toBe(2);
    expect(report).toMatchObject({ version: 2, reached: true, requests: 2, supports: {} });
    expect(report.findings.every(({ resource, feed }) => resource === 'feed' && feed?.endsWith('/v1/feed'))).toBe(true);
    expect(of('feed')).toBe('proved: RSS, 3 items, the oldest of 2026-10-26, the newest of 2026-10-28');
    expect(of('revalidation')).toBe('proved: 304 to if-none-match');
  });

  it('refutes revalidation where the same feed is sent again', async () => {
    const { of } = await probeFeed(ignoring('"a"'));
    expect(of('revalidation')).toBe(
      `refuted: if-none-match is ignored: the same feed again, ${Buffer.byteLength(FEED)} bytes for each refresh`,
    );
  });

  it('leaves revalidation open where the feed has changed meanwhile', async () => {
    const { of } = await probeFeed(ignoring('"a"', (number) => writeRss(listItems(number))));
    expect(of('revalidation')).toBe('open: the feed changed between the two requests');
  });

  it('leaves revalidation open without a validator, and sends no second request', async () => {
    const { of, requests } = await probeFeed((_, response) => response.end(FEED));
    expect(requests).toBe(1);
    expect(of('revalidation')).toMatch(/^open: no usable validator: .*; each refresh transfers \d+ bytes$/);
  });

  it('reports a page in place of a feed, with the feeds that it links', async () => {
    const link = '<link rel="alternate" type="application/atom+xml" href="https://cert.example.org/all.atom">';
    const { of, report } = await probeFeed((_, response) => response.end(`<!doctype html><head>${link}</head>`));
    expect(of('feed')).toBe(
      'refuted: an HTML page and no feed; it links these feeds: https://cert.example.org/all.atom',
    );
    expect(report.reached).toBe(false);
  });

  it('reports a feed that fails, and goes on with the others', async () => {
    const handler: RequestHandler = (request, response) =>
      request.path.endsWith('gone') ? faulty.status(404)(request, response) : feedUpstream(FEED)(request, response);
    const { report, requests } = await probePaths(handler, ['/a/gone', '/b/gone', '/c/gone', '/d']);
    expect(requests).toBe(5);
    expect(report.reached).toBe(true);
    expect(report.findings.slice(0, 3)).toMatchObject(
      ['/a/gone', '/b/gone', '/c/gone'].map((path) => ({
        feed: expect.stringContaining(path) as unknown,
        topic: 'feed',
        verdict: 'open',
        evidence: 'request failed: HTTP status 404',
      })),
    );
  });

  it('sends nothing more to a server that answers 429', async () => {
    const { requests, report } = await probePaths(faulty.status(429), ['/a', '/b', '/c']);
    expect(requests).toBe(1);
    expect(report.findings.map(({ evidence }) => evidence)).toEqual([
      'request failed: HTTP status 429',
      'not requested: its server asked for a pause (HTTP status 429)',
      'not requested: its server asked for a pause (HTTP status 429)',
    ]);
  });

  it('goes on with the feeds of other servers', async () => {
    const gone = await unusedAddress();
    const { report, of } = await probeUpstream(feedUpstream(FEED), [], {
      registerAt: (address) => ({ feed: [`${gone}/a`, `${gone}/b`, `${gone}/c`, `${address}/d`] }),
    });
    expect(of('revalidation')).toBe('proved: 304 to if-none-match');
    expect(report.findings.filter(({ evidence }) => evidence.startsWith('request failed: ECONNREFUSED'))).toHaveLength(
      3,
    );
  });

  it('never repeats a credential that a page contains', async () => {
    const secret = 'hunter2-hunter2';
    const link = `<link rel="alternate" type="application/rss+xml" href="/rss?key=${secret}">`;
    const { report } = await probeUpstream(
      (_, response) => response.end(`<html><head>${link}</head></html>`),
      ['feed'],
      {
        registered: { credentials: { public: { bearer: secret } } },
      },
    );
    expect(JSON.stringify(report)).toContain('/rss?key=');
    expect(JSON.stringify(report)).not.toContain(secret);
  });
});
