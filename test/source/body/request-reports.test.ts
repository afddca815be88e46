import { afterEach, describe, expect, it } from 'vitest';
import { startGateway } from '../../support/gateway/test-gateway.js';
import type { TestGateway } from '../../support/gateway/test-gateway.js';
import { fakeClock } from '../../support/fake-clock.js';
import { silentLog } from '../../support/silent-log.js';
import { withEntityTags } from '../../support/upstream/conditional-responses.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import { status } from '../../support/upstream/faulty-responses.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../../support/upstream/upstream-server.js';
import { waitFor } from '../../support/wait-for.js';

const TEAMS = '/directory/v1/teams';

const open: (UpstreamServer | TestGateway)[] = [];
afterEach(() => Promise.all(open.splice(0).map((server) => server.close())));

interface LoggedGateway {
  readonly gateway: TestGateway;
  readonly debugLines: readonly object[];
  readonly advance: (milliseconds: number) => void;
  readonly source: UpstreamServer;
}

async function start(handler: RequestHandler): Promise<LoggedGateway> {
  const source = await startUpstream(handler);
  const debugLines: object[] = [];
  const debug = (facts: object, message: string): void => void debugLines.push({ message, ...facts });
  const clock = fakeClock();
  const credentials = { public: { query: 'key=secret' } };
  const gateway = await startGateway(
    { sources: { first: { directory: source.address, credentials } }, defaults: { retries: 1 } },
    { log: { ...silentLog, debug }, clock },
  );
  open.push(source, gateway);
  return { gateway, debugLines, advance: (milliseconds) => clock.advance(milliseconds), source };
}

describe('the log at the level debug', () => {
  it('has a line for each page of a source, without the query and the credential', async () => {
    const { gateway, debugLines, source } = await start(directoryUpstream([{ 'short-team-name': 'Acorn CERT' }]));
    await gateway.get(`${TEAMS}?q=acorn`);
    expect(debugLines).toHaveLength(source.requests.length);
    expect(debugLines[0]).toEqual({
      message: 'source request',
      source: 'first',
      path: '/v1/teams',
      status: 200,
      bytes: expect.any(Number) as number,
      reason: undefined,
      milliseconds: 0,
    });
    expect(JSON.stringify(debugLines)).not.toMatch(/secret|acorn/i);
  });

  it('has one line for a page that fails, its retries included', async () => {
    const { gateway, debugLines, source } = await start(status(503));
    await gateway.get(TEAMS);
    expect(source.requests).toHaveLength(2);
    expect(debugLines).toMatchObject([{ message: 'source request', status: 503, reason: undefined }]);
  });

  it('has a line for a snapshot that its source confirmed', async () => {
    const records = directoryUpstream([{ 'short-team-name': 'Acorn CERT' }]);
    const { gateway, debugLines, advance } = await start(withEntityTags(records));
    await gateway.get(TEAMS);
    advance(61_000);
    await gateway.get(TEAMS);
    await waitFor(() =>
      expect(debugLines).toContainEqual({
        message: 'source confirmed',
        source: 'first',
        resource: 'directory-teams',
        milliseconds: 0,
      }),
    );
    expect(debugLines).toContainEqual(expect.objectContaining({ message: 'source request', status: 304 }));
  });
});
