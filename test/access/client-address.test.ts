import { createServer, request } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createClientAddressReader, getCountedNetwork } from '../../src/access/client-address.js';
import { listen } from '../../src/runtime/http-listener.js';

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** The address of a client on loopback that sends `forwarded` in X-Forwarded-For, a field for each text. */
async function readAddress(
  trustProxy: readonly string[],
  forwarded: readonly string[] = [],
): Promise<string | undefined> {
  const headers: OutgoingHttpHeaders = forwarded.length === 0 ? {} : { 'x-forwarded-for': [...forwarded] };
  return createClientAddressReader(trustProxy)(await receiveRequest(headers));
}

/** A request as a server on loopback receives it. */
async function receiveRequest(headers: OutgoingHttpHeaders): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Larger than the heads that the public port accepts (decisions 7.18).
    const server = createServer({ maxHeaderSize: 512 * 1024 }, resolve);
    closers.push(() => {
      server.closeAllConnections();
      server.close();
    });
    listen(server, { host: '127.0.0.1', port: 0 }).then((origin) => {
      request(origin, { headers })
        .on('error', () => undefined)
        .end();
    }, reject);
  });
}

describe('the address of a client', () => {
  it('is that of the connection if no proxy is trusted, whatever X-Forwarded-For states', async () => {
    expect(await readAddress([], ['192.0.2.1'])).toBe('127.0.0.1');
  });

  it('is that of the connection if the connection does not come from a trusted proxy', async () => {
    expect(await readAddress(['192.0.2.0/24', '::1'], ['198.51.100.7'])).toBe('127.0.0.1');
  });

  it('is that of the trusted proxy without X-Forwarded-For', async () => {
    expect(await readAddress(['loopback'])).toBe('127.0.0.1');
  });

  it.each([
    ['an address', ['127.0.0.1']],
    ['a subnet', ['127.0.0.0/8']],
    ['one of several subnets', ['10.0.0.0/8', '2001:db8::/32', '127.0.0.0/30']],
    ['a mapped address', ['::ffff:127.0.0.1']],
    ['a mapped subnet', ['::ffff:127.0.0.0/104']],
    ['the word loopback', ['loopback']],
  ])('is the forwarded one behind a proxy that is trusted by %s', async (_what, trustProxy) => {
    expect(await readAddress(trustProxy, ['198.51.100.7'])).toBe('198.51.100.7');
  });

  it('is the rightmost one that is no trusted proxy, so that a client cannot choose it', async () => {
    const forwarded = ['203.0.113.9, 127.0.0.1, 198.51.100.7 , 192.0.2.44,192.0.2.45'];
    expect(await readAddress(['loopback', '192.0.2.0/24'], forwarded)).toBe('198.51.100.7');
  });

  it('is the leftmost one if all are trusted proxies', async () => {
    expect(await readAddress(['loopback', '192.0.2.0/24'], ['192.0.2.1, 192.0.2.2'])).toBe('192.0.2.1');
  });

  it('is read from several fields as from one list', async () => {
    expect(await readAddress(['loopback', '192.0.2.0/24'], ['203.0.113.9', '198.51.100.7', '192.0.2.2'])).toBe(
      '198.51.100.7',
    );
  });

  it('may be an IPv6 address, and is IPv4 where that is mapped to IPv6', async () => {
    expect(await readAddress(['loopback'], ['2001:db8::7'])).toBe('2001:db8::7');
    expect(await readAddress(['loopback'], ['::ffff:198.51.100.7'])).toBe('198.51.100.7');
    expect(await readAddress(['loopback'], ['::FFFF:c633:6407'])).toBe('198.51.100.7');
  });

  it.each([
    ['a word', 'unknown'],
    ['an address with a port', '198.51.100.7:4711'],
    ['an address in brackets', '[2001:db8::7]'],
    ['an address in brackets with a port', '[2001:db8::7]:4711'],
    ['a number that some programs read as an address', '2130706433'],
    ['a short form of an address', '127.1'],
    ['an octal form of an address', '0177.0.0.1'],
    ['text in quotes', '"198.51.100.7"'],
    ['an address with a prefix length', '198.51.100.0/24'],
    ['white space only', ' \t '],
    ['control characters and letters beyond ASCII', '\u0080\u00ff'],
    ['a long text', 'x'.repeat(60_000)],
    ['many colons', ':'.repeat(60_000)],
    ['many groups', 'a:'.repeat(30_000)],
    ['many digits', '1'.repeat(60_000)],
  ])('is the last one that could be checked where the entry to its left is %s', async (_what, entry) => {
    const trusted = ['loopback', '192.0.2.0/24'];
    expect(await readAddress(trusted, [`203.0.113.9, ${entry}, 192.0.2.44`])).toBe('192.0.2.44');
    expect(await readAddress(trusted, [entry])).toBe('127.0.0.1');
  });

  it('is found among thousands of entries', async () => {
    const commas = ','.repeat(60_000);
    expect(await readAddress(['loopback'], [commas])).toBe('127.0.0.1');
    expect(await readAddress(['loopback'], [`198.51.100.7,${'127.0.0.1,'.repeat(6_000)}127.0.0.1`])).toBe(
      '198.51.100.7',
    );
    expect(await readAddress(['loopback'], [`${'203.0.113.9,'.repeat(5_000)}198.51.100.7`])).toBe('198.51.100.7');
  });

  it('is undefined after the connection has ended', async () => {
    const received = await receiveRequest({ 'x-forwarded-for': '198.51.100.7' });
    received.socket.destroy();
    await expect.poll(() => received.socket.remoteAddress).toBeUndefined();
    expect(createClientAddressReader(['loopback'])(received)).toBeUndefined();
    expect(createClientAddressReader([])(received)).toBeUndefined();
  });
});

describe('the list of trusted proxies', () => {
  it.each(['::1', '2001:db8::/32', '::192.0.2.1', '2001:db8::192.0.2.1/96', '::ffff:192.0.2.1/120', '64:ff9b::/96'])(
    'may contain %s',
    (entry) => {
      expect(() => createClientAddressReader([entry])).not.toThrow();
    },
  );

  it.each(['', 'localhost', '127.0.0.1:80', '10.0.0.0/33', '10.0.0.0/', '::1/129', 'toString'])(
    'throws for the entry "%s"',
    (entry) => {
      expect(() => createClientAddressReader(['loopback', entry])).toThrow(TypeError);
    },
  );
});

describe('the network that is counted', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:0:1', '0.0.0.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:2::', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['2001:db8:1::3:4:5:6', '2001:db8:1:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::192.0.2.1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['nonsense', 'nonsense'],
  ])('of %s is %s', (address, network) => {
    expect(getCountedNetwork(address)).toBe(network);
  });
});
