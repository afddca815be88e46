import { isIPv4, isIPv6 } from 'node:net';

/** Both ends included, as numbers of 128 bits. IPv4 is IPv4-mapped. */
export interface IpRange {
  readonly first: bigint;
  readonly last: bigint;
}

const BITS = 128;
const IPV4_BITS = 32;
const IPV4_MAPPED = 0xffffn << 32n;

/**
 * Reads an address, a prefix (`192.0.2.0/24`, `192.0.2/24`, `192.0.2.0 netmask 255.255.255.0`) or a range (`192.0.2.0 -
 * 192.0.2.9`, `192.0.2.0-9`). Undefined for any other text.
 */
export function parseIpRange(text: string): IpRange | undefined {
  return text.length > MAX_LENGTH ? undefined : readRange(WHOLE_RANGE.exec(text)?.groups);
}

/** Also the address of a URL or with a port: `https://192.0.2.1/x`, `[2001:db8::1]:443`. Undefined for other texts. */
export function findIpRange(text: string): IpRange | undefined {
  const range = parseIpRange(text);
  if (range !== undefined) return range;
  const { ipv6, ipv4 } = ADDRESS_OF_SERVER.exec(text)?.groups ?? {};
  const address = parseAddress(ipv6 ?? ipv4 ?? '');
  return address === undefined ? undefined : { first: address, last: address };
}

/** Ranges, prefixes and addresses. Of two addresses that are no range, each counts. */
export function findIpRanges(text: string): readonly IpRange[] {
  return [...text.matchAll(RANGE_WITHIN)]
    .filter(([token]) => token !== '::')
    .flatMap(({ groups = {} }) => {
      const { from = '', to = '' } = groups;
      return readRange(groups) ?? [from, to].flatMap((address) => readRange({ from: address }) ?? []);
    });
}

const IPV4_ADDRESS = String.raw`\d{1,3}(?:\.\d{1,3}){3}`;
const IP_ADDRESS = String.raw`(?:${IPV4_ADDRESS}|[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}(?:(?:\.\d{1,3}){3})?)`;
const RANGE = [
  String.raw`(?<from>${IP_ADDRESS})(?:`,
  String.raw`(?:\s?/\s?|\s(?:(?:sub)?(?:net)?mask:?\s)?)(?<mask>255(?:\.\d{1,3}){3})`,
  String.raw`|\s?/\s?(?<length>\d{1,3})(?!\d|\.\d)`,
  String.raw`|(?:\s{0,3}-\s{0,3}|\sto\s)(?<to>${IP_ADDRESS})`,
  String.raw`|-(?<octet>\d{1,3})(?!\d|\.\d))?`,
  String.raw`|(?<network>\d{1,3}(?:\.\d{1,3}){2})/(?<bits>\d{1,2})(?!\d|\.\d)`,
].join('');
const WHOLE_RANGE = new RegExp(`^\\s*(?:${RANGE})\\s*$`, 'i');

/** The scheme of a URL, or a label with a colon (`ip6:`, `prefix:`), may precede a range. */
const RANGE_WITHIN = new RegExp(
  String.raw`(?:(?<![\w.:/])|(?<=://)|(?<=\bip[46]:)|(?<=[g-z]:))(?:${RANGE})(?!\w|:[\w:])`,
  'gi',
);

/** A colon behind an IPv6 address, as a punctuation mark. */
const COLON_BEHIND = /(?<!:):$/;

const ADDRESS_OF_SERVER =
  /^(?:[a-z][a-z\d+.-]{0,20}:\/\/)?(?:\[(?<ipv6>[\da-f:.]{2,45})\]|(?<ipv4>[\d.]{7,15}))(?::\d{1,5})?(?:[/?#]|$)/i;

/** Two addresses of IPv6 in full, with spaces. */
const MAX_LENGTH = 100;

function readRange(parts: Readonly<Record<string, string | undefined>> = {}): IpRange | undefined {
  const { mask, length, to, octet, network, bits } = parts;
  if (network !== undefined)
    return Number(bits) > MAX_NETWORK_BITS ? undefined : readPrefix(`${network}.0`, Number(bits));
  const from = parts['from']?.replace(COLON_BEHIND, '') ?? '';
  if (mask !== undefined) return isIPv4(from) ? readPrefix(from, lengthOfMask(mask)) : undefined;
  const end = octet === undefined || !isIPv4(from) ? to : from.replace(/\d+$/, octet);
  if (end === undefined)
    return octet === undefined ? readPrefix(from, length === undefined ? undefined : Number(length)) : undefined;
  const [first, last] = [parseAddress(from), parseAddress(end.replace(COLON_BEHIND, ''))];
  const isRange = first !== undefined && last !== undefined && first <= last;
  return isRange && isIPv4(from) === isIPv4(end) ? { first, last } : undefined;
}

/** An IPv4 prefix without its last number, which is zero, has no more bits. */
const MAX_NETWORK_BITS = 24;

/** NaN where the address is no netmask. */
function lengthOfMask(mask: string): number {
  const bits = isIPv4(mask) ? parseIpv4(mask).toString(2) : '';
  return /^1+0*$/.test(bits) ? bits.lastIndexOf('1') + 1 : NaN;
}

/** One address where the prefix has no length. */
function readPrefix(address: string, length?: number): IpRange | undefined {
  const number = parseAddress(address);
  const bits = isIPv4(address) ? IPV4_BITS : BITS;
  const hosts = bits - (length ?? bits);
  if (number === undefined || !(hosts >= 0)) return undefined;
  const hostBits = BigInt(hosts);
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
