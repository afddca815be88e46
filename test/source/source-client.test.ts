import { afterEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/model/clock.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import type { SourceCredential } from '../../src/model/registration/source-credential.js';
import type { SourceFetch } from '../../src/source/body/source-fetch-types.js';
import { requirePage } from '../../src/source/body/read-responses.js';
import { CircuitBreaker, SuspendedFailure } from '../../src/source/client/circuit-breaker.js';
import { createLimiter } from '../../src/source/client/concurrency-limit.js';
import { LoopFailure } from '../../src/source/client/loop-detection.js';
import { SourceFailure } from '../../src/source/client/source-failure.js';
import { createUndiciTransport } from '../../src/source/client/transport/http-transport.js';
import { createExpectedBody } from '../../src/source/body/parse-page-body.js';
import { RecordReader } from '../../src/source/record/record-reader.js';
import { createSourceClient } from '../../src/source/source-client.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamRequest, UpstreamServer } from '../support/upstream/upstream-server.js';
import { calm } from './client/layers.js';

const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

const provenance = {
  sourceName: 'One',
  sourceNumber: 1,
  isAggregate: false,
  codes: ['one'],
  registeredCodes: [],
  otherSourceNames: [],
};
const expected = createExpectedBody(new RecordReader(directoryTeams, provenance), { kind: 'list' }, 'application/json');

interface Client {
  readonly upstream: UpstreamServer;
  /** URLs that the request observer saw. */
  readonly observed: string[];
  /** Requests a page, and returns the failure. */
  readonly fail: () => Promise<SourceFailure>;
}

async function openClient(credential: SourceCredential, handler: RequestHandler): Promise<Client> {
  const upstream = await startUpstream(handler);
  const network = createUndiciTransport('rollcall');
  opened.push(upstream, network);
  const observed: string[] = [];
  const breaker = new CircuitBreaker({ failures: 2, cooldown: 60_000, onChange: () => undefined, clock: systemClock });
  const client: SourceFetch = createSourceClient({
    transport: network.transport,
    credential,
    requestObserver: (next) => (request, signal) => {
      observed.push(request.url.href);
      return next(request, signal);
    },
    clock: { now: () => 0 },
    gatewayName: 'rollcall',
    sharedLimit: createLimiter(4),
    sourceLimit: createLimiter(4),
    timeout: 5_000,
    maxBody: 2 ** 20,
    breakers: { of: () => breaker },
    retry: { retries: 0, maxDelay: 0, random: () => 0 },
  });
  const fail = async (): Promise<SourceFailure> => {
    const url = new URL(`${upstream.address}/teams?limit=1`);
    try {
      const response = await client({ url, headers: {}, expected }, calm);
      if ('pageOrFailure' in response) requirePage(response);
    } catch (error) {
      if (error instanceof SourceFailure) return error;
      throw error;
    }
    throw new Error('no failure');
  };
  return { upstream, observed, fail };
}

const BEARER: SourceCredential = { kind: 'bearer', token: 'to/ken+1' };
const QUERY: SourceCredential = { kind: 'query', name: 'key', value: 'p@ss word' };

/** Text that repeats the credential of a request. */
function echo({ query, headers }: UpstreamRequest): string {
  return `${query.toString()} ${headers.authorization ?? ''}`.trim();
}

describe('the client of a source with a credential', () => {
  test('redacts it in the failure of a redirect to another origin', async () => {
    const { fail } = await openClient(BEARER, (request, response) => {
      response.writeHead(302, { location: `https://other.example.org/?${encodeURIComponent(echo(request))}` }).end();
    });
    expect(await fail()).toMatchObject({
      reason: 'redirect',
      message: 'a redirect to another origin: https://other.example.org/?limit%3D1%20Bearer%20[redacted]',
    });
  });

  test('redacts it in the failure of too many redirects', async () => {
    const { fail, upstream } = await openClient(BEARER, (request, response) => {
      response.writeHead(302, { location: `/v1/teams?limit=1&key=${echo(request).replace(/^.* /, '')}` }).end();
    });
    const { message } = await fail();
    expect(message).toMatch(/^more than 3 redirects, the last to .*\?limit=1&key=\[redacted\]$/);
    expect(upstream.requests).toHaveLength(4);
  });

  test('redacts it in the error text of a response', async () => {
    const credential: SourceCredential = { kind: 'basic', userPassword: 'gateway:secret' };
    const { fail } = await openClient(credential, (request, response) => {
      response.end(JSON.stringify({ data: [], error: `refused for ${echo(request)}` }));
    });
    const { reason, message } = await fail();
    expect(reason).toBe('schema');
    expect(message).toContain('refused for limit=1 Basic [redacted]');
  });

  test('keeps the class and the properties of a redacted failure', async () => {
    const { fail } = await openClient(QUERY, (_request, response) => {
      response.setHeader('via', '1.1 rollcall, 1.1 secret-name').end('[]');
    });
    expect(await fail()).toBeInstanceOf(LoopFailure);
    const named = await openClient({ kind: 'bearer', token: 'secret-name' }, (_request, response) => {
      response.setHeader('via', '1.1 rollcall, 1.1 secret-name').end('[]');
    });
    const failure = await named.fail();
    expect(failure).toBeInstanceOf(LoopFailure);
    expect(failure.message).toBe('the response passed through this gateway, via rollcall, [redacted]');
  });

  test('is suspended like any other', async () => {
    const { fail } = await openClient(QUERY, (_request, response) => {
      response.writeHead(500).end();
    });
    await fail();
    await fail();
    expect(await fail()).toBeInstanceOf(SuspendedFailure);
  });

  test('shows its requests to the observer without the credential', async () => {
    const { upstream, observed, fail } = await openClient(QUERY, (request, response) => {
      if (request.number === 1) response.writeHead(302, { location: `/v1/moved?${request.query.toString()}` });
      else response.writeHead(404);
      response.end();
    });
    await fail();
    expect(observed).toEqual([`${upstream.address}/teams?limit=1`, `${upstream.address}/moved?limit=1`]);
    expect(upstream.requests.map(({ query }) => query.get('key'))).toEqual(['p@ss word', 'p@ss word']);
  });
});
