import type { IncomingMessage } from 'node:http';
import { isIP, isIPv4, isIPv6 } from 'node:net';
import proxyAddr from 'proxy-addr';
import { parseUrl } from '../text/url.js';

/** Undefined if the connection has ended or has no address. */
export type ClientAddressReader = (request: IncomingMessage) => string | undefined;

/**
 * Reads client addresses (operation 2.3.10): that of the connection without trusted proxies, otherwise the rightmost
 * address of `X-Forwarded-For` that is no trusted proxy, or the leftmost one if all are. An entry that is not exactly
 * an IP address (`unknown`, an address with a port or in brackets) cannot be checked: it and all entries to its left
 * are ignored. IPv4-mapped IPv6 addresses are returned as IPv4.
 *
 * `trustProxy` contains addresses, subnets and the words `loopback`, `linklocal` and `uniquelocal`. Throws a TypeError
 * for any other entry.
 */
export function createClientAddressReader(trustProxy: readonly string[]): ClientAddressReader {
  const isTrusted = proxyAddr.compile(trustProxy.map(expandEntry));
  const isTrustedAddress = (text: string, index: number): boolean => isIP(text) !== 0 && isTrusted(text, index);
  return (request) => {
    const address = proxyAddr.all(request, isTrustedAddress).findLast((text) => isIP(text) !== 0);
    return address === undefined ? undefined : unmapAddress(address);
  };
}

/** proxy-addr does not read all IPv6 forms with an embedded IPv4 address (`::192.0.2.1`). */
function expandEntry(entry: string): string {
  const [address = '', ...prefix] = entry.split('/');
  return isIPv6(address) ? [expandIpv6(address).join(':'), ...prefix].join('/') : entry;
}

/**
 * The network whose requests are counted together (decisions 8.9): an IPv4 address itself, and the /64 network of an
 * IPv6 address, because one client may use all its addresses. Any other text is returned unchanged.
 */
export function getCountedNetwork(address: string): string {
  const unmapped = unmapAddress(address);
  return isIPv6(unmapped) ? `${expandIpv6(unmapped).slice(0, 4).join(':')}::/64` : unmapped;
}

/** IPv4-mapped IPv6 (`::ffff:192.0.2.1`) as IPv4, and any other text unchanged. */
function unmapAddress(address: string): string {
  if (isIPv4(address) || !isIPv6(address)) return address;
  const groups = expandIpv6(address);
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return address;
  return groups
    .slice(6)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((number) => [number >> 8, number & 0xff])
    .join('.');
}

/** The eight groups, in lower case and without leading zeros. Drops the zone. */
function expandIpv6(address: string): readonly string[] {
  const [withoutZone = ''] = address.split('%', 1);
  // The host of a URL is the shortest form of the address, without an embedded IPv4 address.
  const canonical = parseUrl(`http://[${withoutZone}]`)?.hostname.slice(1, -1) ?? '';
  const [head = [], tail = []] = canonical.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail];
}
