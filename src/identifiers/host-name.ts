import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import { HIDDEN } from '../text/visible-text.js';
import { removeMarksAround } from './pasted-identifier.js';

/** The longest host name (RFC 1035, section 2.3.4) with the longest scheme and path that is worth parsing. */
const MAX_LENGTH = 512;

/**
 * Anybody may have a mailbox or a page at these domains, which say nothing about their users. The suffixes that the
 * Public Suffix List has for providers (`github.io`) need not be listed.
 */
const PROVIDERS: ReadonlySet<string> = new Set([
  ...['gmail.com', 'googlemail.com', 'google.com', 'outlook.com', 'hotmail.com', 'live.com', 'msn.com'],
  ...['yahoo.com', 'yahoo.co.uk', 'ymail.com', 'aol.com', 'icloud.com', 'me.com', 'mac.com', 'gmx.de', 'gmx.net'],
  ...['gmx.com', 'web.de', 'proton.me', 'protonmail.com', 'protonmail.ch', 'mail.com', 'mail.ru', 'yandex.ru'],
  ...['yandex.com', 'qq.com', '163.com', '126.com', 'zoho.com', 'tutanota.com', 'fastmail.com', 'hushmail.com'],
  ...['facebook.com', 'twitter.com', 'x.com', 'linkedin.com', 'github.com', 'gitlab.com', 'youtube.com', 't.me'],
  ...['wordpress.com', 'blogspot.com', 'mastodon.social', 'infosec.exchange'],
]);

/**
 * By the Public Suffix List, in lower case. Undefined for an address without a registrable domain, and for a domain of
 * a provider (decisions 2.38).
 */
export function findRegistrableDomain(address: string): string | undefined {
  if (address.length > MAX_LENGTH) return undefined;
  const { domain, isIcann, isPrivate } = parse(address, { allowPrivateDomains: true });
  const isListed = isIcann === true || isPrivate === true;
  return domain === null || !isListed || PROVIDERS.has(domain) ? undefined : domain;
}

/**
 * From a host name, URL or e-mail address: in lower case, in the form of the DNS (`xn--…`), without `www.` and the
 * wildcard of `*.example.org`. Undefined for an IP address, and for a name of one label.
 */
export function findHostName(address: string): string | undefined {
  if (address.length > MAX_LENGTH || !address.includes('.')) return undefined;
  const { hostname } = parse(address.replace(WILDCARD, ''), { validateHostname: false });
  if (hostname === null) return undefined;
  const name = domainToASCII(hostname).replace(/^www\./, '');
  return HOST_NAME.test(name) ? name : undefined;
}

/** With the letters that `xn--…` stands for. */
export function toReadableHostName(name: string): string {
  return domainToUnicode(name) || name;
}

/**
 * Writes host names in the form of the DNS (`xn--…`): one with Cyrillic letters looks like one with Latin letters. Host
 * names are those behind `://` or `@`, and others with an ending in ASCII (`г.Москва` is no host name), below a known
 * public suffix.
 */
export function writeHostsInAscii(text: string): string {
  if (ASCII.test(text)) return text;
  return text.replace(MAYBE_HOST, (written, offset: number) => {
    const name = written.replace(FULL_STOP, '.');
    const isHost = text[offset - 1] === '@' || text.startsWith('://', offset - 3) || ASCII_ENDING.test(name);
    if (ASCII.test(written) || !isHost || findRegistrableDomain(name) === undefined) return written;
    return domainToASCII(name) || written;
  });
}

const ASCII = /^[\0-\x7f]*$/;
const ASCII_ENDING = /\.[a-z\d-]+$/i;

/** Of host names in other scripts (UTS #46, section 4.5). */
const FULL_STOP = /[。．｡]/g;

/** Characters of a host name in a text, without the punctuation around them. The two classes have none in common. */
const LETTERS = String.raw`[^\s\p{P}<>\x60|^$+=~${HIDDEN}]+`;
const MAYBE_HOST = new RegExp(String.raw`${LETTERS}(?:[._\-。．｡]+${LETTERS})*`, 'gu');

const WILDCARD = /^\*?\./;

/** At least two labels, of which the last one is no number. */
const HOST_NAME = /^(?:[a-z\d_](?:[a-z\d_-]*[a-z\d_])?\.)+(?:[a-z][a-z\d-]*[a-z\d])$/;

/** Tokens in the form of a host name, URL or e-mail address. No more than twice `most` tokens are read. */
export function findHostNames(text: string, most: number): ReadonlySet<string> {
  const tokens = new Set(text.split(SEPARATORS).filter((token) => token.includes('.') && NO_NUMBER.test(token)));
  const found = new Set<string>();
  for (const token of [...tokens].slice(0, 2 * most)) {
    const name = findHostName(removeMarksAround(token.slice(0, MAX_LENGTH)));
    if (name !== undefined) found.add(name);
    if (found.size === most) break;
  }
  return found;
}

/** No IP address, prefix or number of a version has such a character. */
const NO_NUMBER = /[^\d.:/-]/;

const SEPARATORS = /[\s,;<>()[\]"'|]+/;
