import { isIP, isIPv4 } from 'node:net';
import { scalar } from './schema-builders.js';

const SUBNET_WORDS: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

/**
 * Every subnet has a prefix of at least one bit: /0 would trust every client. Zones of IPv6 addresses are refused,
 * because they have no meaning in `X-Forwarded-For`.
 */
function isTrustedProxy(text: string): boolean {
  if (SUBNET_WORDS.has(text)) return true;
  const [address = '', prefix, ...more] = text.split('/');
  if (isIP(address) === 0 || address.includes('%') || more.length > 0) return false;
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= (isIPv4(address) ? 32 : 128));
}

/** (operation 2.3.10) */
export const trustedProxy = scalar(
  'an IP address, a subnet such as 192.0.2.0/24, or loopback, linklocal or uniquelocal',
  (text) => (isTrustedProxy(text) ? text : undefined),
);
