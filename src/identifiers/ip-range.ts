import { isIPv4, isIPv6 } from 'node:net';

/**
 * A range of IP addresses, both ends included, as numbers of 128 bits. Addresses of IPv4 are IPv4-mapped ones of IPv6.
 */
export interface IpRange {
  readonly first: bigint;
  readonly last: bigint;
}

const BITS = 128;
const IPV4_BITS = 32;
const IPV4_MAPPED = 0xffffn << 32n;

/**
 * Returns the addresses of an IP address, a prefix (`192.0.2.0/24`) or a range (`192.0.2.0 - 192.0.2.9`). Undefined for
 * any other text.
 */
export function parseIpRange(text: string): IpRange | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const [from = '', to, ...more] = text.split(/\s*-\s*/).map((part) => part.trim());
  if (to === undefined) return parsePrefix(from);
  const [first, last] = [parseAddress(from), parseAddress(to)];
  const isRange = more.length === 0 && first !== undefined && last !== undefined && first <= last;
  return isRange && isIPv4(from) === isIPv4(to) ? { first, last } : undefined;
}

/**
 * Returns the range of a text, or the IP address of a URL or with a port: `https://192.0.2.1/x`, `[2001:db8::1]:443`.
 * Undefined for any other text.
 */
export function findIpRange(text: string): IpRange | undefined {
  const range = parseIpRange(text);
  if (range !== undefined) return range;
  const { ipv6, ipv4 } = ADDRESS_OF_SERVER.exec(text)?.groups ?? {};
  const address = parseAddress(ipv6 ?? ipv4 ?? '');
  return address === undefined ? undefined : { first: address, last: address };
}

/** Returns the ranges, prefixes and addresses in a text. */
export function findIpRanges(text: string): readonly IpRange[] {
  return (text.match(RANGE_WITHIN) ?? [])
    .filter((token) => token !== '::')
    .flatMap((token) => parseIpRange(token.replace(COLON_BEHIND, '')) ?? []);
}

/** A colon behind an IPv6 address, as a punctuation mark. */
const COLON_BEHIND = /(?<!:):$/;

const ADDRESS_WITHIN = String.raw`(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]{0,4}(?::[\da-f]{0,4}){2,7})`;
const RANGE_WITHIN = new RegExp(
  String.raw`(?<![\w.:/])${ADDRESS_WITHIN}(?:/\d{1,3}|\s?-\s?${ADDRESS_WITHIN})?(?!\w|:[\w:])`,
  'gi',
);

const ADDRESS_OF_SERVER =
  /^(?:[a-z][a-z\d+.-]{0,20}:\/\/)?(?:\[(?<ipv6>[\da-f:.]{2,45})\]|(?<ipv4>[\d.]{7,15}))(?::\d{1,5})?(?:[/?#]|$)/i;

/** Longest text of a range: two addresses of IPv6 in full, with spaces. */
const MAX_LENGTH = 100;

function parsePrefix(text: string): IpRange | undefined {
  const [address = '', length, ...more] = text.split('/');
  const number = parseAddress(address);
  if (number === undefined || more.length > 0) return undefined;
  const bits = isIPv4(address) ? IPV4_BITS : BITS;
  if (length !== undefined && (!/^\d{1,3}$/.test(length) || Number(length) > bits)) return undefined;
  const hostBits = BigInt(length === undefined ? 0 : bits - Number(length));
  const first = (number >> hostBits) << hostBits;
  return { first, last: first + (1n << hostBits) - 1n };
}

function parseAddress(text: string): bigint | undefined {
  if (isIPv4(text)) return IPV4_MAPPED | parseIpv4(text);
  return isIPv6(text) && !text.includes('%') ? parseIpv6(text) : undefined;
}

function parseIpv4(text: string): bigint {
  return text.split('.').reduce((number, part) => (number << 8n) | BigInt(part), 0n);
}

function parseIpv6(text: string): bigint {
  const ipv4 = /[^:]+\.[^:]+$/.exec(text)?.[0];
  const tail = ipv4 === undefined ? 0n : parseIpv4(ipv4);
  const hex =
    ipv4 === undefined
      ? text
      : `${text.slice(0, -ipv4.length)}${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`;
  const [before = '', after] = hex.split('::');
  const groupsOf = (part: string): readonly string[] => (part === '' ? [] : part.split(':'));
  const [left, right] = [groupsOf(before), groupsOf(after ?? '')];
  const zeros = Array.from({ length: BITS / 16 - left.length - right.length }, () => '0');
  return [...left, ...(after === undefined ? [] : zeros), ...right].reduce(
    (number, group) => (number << 16n) | BigInt(`0x${group}`),
    0n,
  );
}
