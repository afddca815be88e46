import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { SourceCredential } from '../../../src/model/registration/source-credential.js';
import { createRedaction, withCredentials } from '../../../src/source/client/credentials.js';
import type { Fetch, HttpResponse } from '../../../src/source/client/http-client-types.js';
import { withSameOriginRedirects } from '../../../src/source/client/redirects.js';
import { createUndiciTransport } from '../../../src/source/client/transport/http-transport.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../../support/upstream/upstream-server.js';
import { calm, reply } from './layers.js';

const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

async function openUpstream(handler: RequestHandler): Promise<UpstreamServer> {
  const upstream = await startUpstream(handler);
  opened.push(upstream);
  return upstream;
}

/** The layers of redirects and of credentials above the network. */
function openClient(credential: SourceCredential): Fetch<HttpResponse> {
  const network = createUndiciTransport('rollcall');
  opened.push(network);
  return withSameOriginRedirects(withCredentials(credential)(network.transport));
}

async function send(client: Fetch<HttpResponse>, url: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await client({ url: new URL(url), headers }, calm);
  await response.discard();
  return response.status;
}

const respond: RequestHandler = (_request, response) => {
  response.end('[]');
};

function redirect(location: string, status = 302): RequestHandler {
  return (_request, response) => {
    response.writeHead(status, { location }).end();
  };
}

const BEARER: SourceCredential = { kind: 'bearer', token: 'tok+en/1==' };
const BASIC: SourceCredential = { kind: 'basic', userPassword: 'gäte:pass:wörd' };
const HEADER: SourceCredential = { kind: 'header', name: 'x-api-key', value: 'Token s3cret' };
const QUERY: SourceCredential = { kind: 'query', name: 'key', value: 'a&b=c d+é%' };

describe('withCredentials', () => {
  test.each([
    ['a bearer token', BEARER, 'authorization', 'Bearer tok+en/1=='],
    ['user and password in Base64 of UTF-8', BASIC, 'authorization', 'Basic Z8OkdGU6cGFzczp3w7ZyZA=='],
    ['a header field', HEADER, 'x-api-key', 'Token s3cret'],
  ])('sends %s beside the other header fields, and leaves the URL as it is', async (_, credential, name, value) => {
    const upstream = await openUpstream(respond);
    await send(openClient(credential), `${upstream.address}/teams?a=1,2&b=%20`, { via: '1.1 rollcall' });
    expect(upstream.requests[0]?.headers).toMatchObject({ [name]: value, via: '1.1 rollcall' });
    expect(upstream.requests[0]?.query.toString()).toBe('a=1%2C2&b=+');
  });

  test('sends a query parameter after the others, which stay exactly as they are', async () => {
    const urls: string[] = [];
    const layer = withCredentials(QUERY)(({ url }) => {
      urls.push(url.href);
      return Promise.reject(new Error('not sent'));
    });
    const url = new URL('https://irt.example.org/teams?country=BR,PT&q=a%20b+c&keys=1');
    await expect(layer({ url, headers: {} }, calm)).rejects.toThrow('not sent');
    await expect(layer({ url: new URL('https://irt.example.org/teams'), headers: {} }, calm)).rejects.toThrow();
    const sent = 'key=a%26b%3Dc%20d%2B%C3%A9%25';
    expect(urls).toEqual([
      `https://irt.example.org/teams?country=BR,PT&q=a%20b+c&keys=1&${sent}`,
      `https://irt.example.org/teams?${sent}`,
    ]);
    expect(url.href).not.toContain('key=');
  });

  test('sends a query parameter that a server reads as the configured text', async () => {
    const upstream = await openUpstream(respond);
    await send(openClient(QUERY), `${upstream.address}/teams?limit=1`);
    expect([...(upstream.requests[0]?.query ?? [])]).toEqual([
      ['limit', '1'],
      ['key', 'a&b=c d+é%'],
    ]);
  });

  test.each([BEARER, BASIC, HEADER])(
    'sends the credential again after a redirect within the origin: $kind',
    async (credential) => {
      const upstream = await openUpstream((request, response) => {
        (request.number === 1 ? redirect('/v1/moved') : respond)(request, response);
      });
      expect(await send(openClient(credential), `${upstream.address}/teams`)).toBe(200);
      const [first, second] = upstream.requests.map(({ headers }) => [headers.authorization, headers['x-api-key']]);
      expect(second).toEqual(first);
      expect(second?.some((value) => value !== undefined)).toBe(true);
    },
  );

  test('sends a query parameter once where a redirect repeats it', async () => {
    const upstream = await openUpstream((request, response) => {
      const location = `/v1/moved?${request.query.toString()}&%6Bey=x#key=1`;
      (request.number === 1 ? redirect(location) : respond)(request, response);
    });
    await send(openClient(QUERY), `${upstream.address}/teams?limit=1`);
    expect(upstream.requests[1]?.query.getAll('key')).toEqual(['a&b=c d+é%']);
    expect(upstream.requests[1]?.query.get('limit')).toBe('1');
  });

  test.each([
    ['/teams?key=a%26b', '/teams'],
    ['?a=1,2&key=x&b=%20+', '?a=1,2&b=%20+'],
    ['https://a.example.org/?key=x&key=y#f', 'https://a.example.org/#f'],
    ['/key=x?keys=x', '/key=x?keys=x'],
    ['/#?key=x', '/#?key=x'],
    ['/teams', '/teams'],
  ])('shows no layer above a query parameter that a redirect repeats: %s', async (location, shown) => {
    const layer = withCredentials(QUERY)(() => Promise.resolve(reply(302, { location, etag: '?key=x' })));
    const response = await layer({ url: new URL('https://irt.example.org/'), headers: {} }, calm);
    expect(response.header('location')).toBe(shown);
    expect(response.header('etag')).toBe('?key=x');
    expect(response.header('via')).toBeUndefined();
  });

  test.each([BEARER, BASIC, HEADER, QUERY])('sends nothing to another origin: $kind', async (credential) => {
    const other = await openUpstream(respond);
    const statuses = [301, 302, 303, 307, 308];
    const upstream = await openUpstream((request, response) => {
      redirect(`${other.address}/teams`, statuses[request.number - 1])(request, response);
    });
    const client = openClient(credential);
    for (const status of statuses) {
      const sent = send(client, `${upstream.address}/teams`);
      await expect(sent, String(status)).rejects.toMatchObject({ reason: 'redirect' });
    }
    expect(upstream.requests).toHaveLength(5);
    expect(other.requests).toHaveLength(0);
  });
});

describe('createRedaction', () => {
  test.each<[SourceCredential, string, string]>([
    [BEARER, 'to https://a.example.org/?t=tok+en/1==&x', 'to https://a.example.org/?t=[redacted]&x'],
    [BEARER, 'tok%2Ben%2f1%3D%3d', '[redacted]'],
    [BASIC, 'gäte:pass:wörd or pass:wörd', 'gäte:[redacted] or [redacted]'],
    [BASIC, 'Basic Z8OkdGU6cGFzczp3w7ZyZA==', 'Basic [redacted]'],
    [BASIC, 'the user gäte', 'the user gäte'],
    [HEADER, 'x-api-key: Token s3cret', 'x-api-key: [redacted]'],
    [HEADER, '(s3cret)', '([redacted])'],
    [QUERY, '?key=a%26b%3Dc+d%2B%c3%A9%25', '?key=[redacted]'],
    [{ kind: 'query', name: 'key', value: '$&.*(' }, 'key=$&.*(', 'key=[redacted]'],
    [{ kind: 'basic', userPassword: 'user:' }, 'no user', 'no user'],
  ])('replaces the secrets of %j in %s', (credential, text, redacted) => {
    expect(createRedaction(credential)(text)).toBe(redacted);
  });

  test('replaces the beginning of a secret where the text is cut off', () => {
    const redact = createRedaction({ kind: 'query', name: 'key', value: 'first&second' });
    expect(redact('?key=first&sec')).toBe('?key=[redacted]');
    expect(redact('?key=first%26sec')).toBe('?key=[redacted]');
    expect(redact('?key=fir')).toBe('?key=fir');
  });

  test('accepts a secret of the maximum length', () => {
    const redact = createRedaction({ kind: 'bearer', token: 'x/'.repeat(2048) });
    expect(redact(`a ${'x%2F'.repeat(2048)} b`)).toBe('a [redacted] b');
  });

  test('leaves no secret in any text', () => {
    const secret = fc.string({ minLength: 4, maxLength: 20, unit: 'grapheme' });
    const encode = fc.constantFrom(
      (text: string) => text,
      encodeURIComponent,
      (text: string) => encodeURIComponent(text).replace(/%../g, (byte) => byte.toLowerCase()),
      (text: string) => new URLSearchParams({ a: text }).toString().slice(2),
    );
    fc.assert(
      fc.property(secret, encode, fc.string(), (value, encoding, around) => {
        const redact = createRedaction({ kind: 'query', name: 'key', value });
        const text = redact(`${around}"${encoding(value)}"${around}`);
        expect(text).toContain('"[redacted]"');
      }),
    );
  });
});
