import type { IpRange } from './ip-range.js';

const IPV4_MAPPED = 0xffffn << 32n;
const IPV4_END = IPV4_MAPPED | 0xffff_ffffn;

/**
 * One address (`192.0.2.1`), the prefix (`192.0.2.0/24`) where one has exactly these addresses, else both ends
 * (`192.0.2.1 - 192.0.2.9`). IPv6 as in RFC 5952.
 */
export function formatIpRange({ first, last }: IpRange): string {
  const isIpv4 = first >= IPV4_MAPPED && last <= IPV4_END;
  const format = isIpv4 ? formatIpv4 : formatIpv6;
  if (first === last) return format(first);
  const size = last - first + 1n;
  if ((size & (size - 1n)) !== 0n || first % size !== 0n) return `${format(first)} - ${format(last)}`;
  const hostBits = size.toString(2).length - 1;
  return `${format(first)}/${(isIpv4 ? 32 : 128) - hostBits}`;
}

function formatIpv4(address: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => String((address >> shift) & 0xffn)).join('.');
}

function formatIpv6(address: bigint): string {
  const groups = [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((address >> shift) & 0xffffn).toString(16));
  // The host name of a URL has the shortest form of an address, in brackets.
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
