import { findAsNumbers } from '../../identifiers/as-number.js';
import { findEmailAddresses } from '../../identifiers/email-address.js';
import { findHostNames, findRegistrableDomain } from '../../identifiers/host-name.js';
import { findIpRanges } from '../../identifiers/ip-range.js';
import type { IpRange } from '../../identifiers/ip-range.js';
import { listKeyIds } from '../../identifiers/key-id.js';
import { normalizeIdentifiers } from '../../identifiers/pasted-identifier.js';
import { listPhoneNumbers } from '../../identifiers/phone-number.js';
import { MAX_SEARCHED_LENGTH } from './field-texts.js';
import type { SearchField } from '../../model/resource.js';

/** In the form in which it is compared. */
export type Identifier =
  | { readonly kind: 'host' | 'email' | 'phone' | 'key'; readonly value: string }
  | { readonly kind: 'as-number'; readonly value: number }
  | { readonly kind: 'ip-range'; readonly value: IpRange };

/** Of one kind in one field of a record: more than it can have. The shortest is `a.bc`. */
const MAX_IDENTIFIERS = MAX_SEARCHED_LENGTH / 4;

/**
 * Host names are read from contact addresses and, where they are below a known public suffix (`etc.and` is not), from
 * the constituency and other texts; so are IP ranges and AS numbers.
 */
export function listIdentifiers(field: SearchField, text: string): readonly Identifier[] {
  switch (field) {
    case 'contact':
      return listAddresses(normalizeIdentifiers(text));
    case 'phone':
      return splitItems(normalizeIdentifiers(text))
        .flatMap(listPhoneNumbers)
        .map((value) => ({ kind: 'phone', value }));
    case 'key':
      return splitItems(normalizeIdentifiers(text))
        .flatMap(listKeyIds)
        .map((value) => ({ kind: 'key', value }));
    case 'constituency':
    case 'other': {
      const plain = normalizeIdentifiers(text);
      return [...listListedHosts(plain), ...(MAY_HAVE_NETWORK.test(plain) ? listNetworks(plain) : [])];
    }
    case 'short-name':
    case 'official-name':
    case 'host':
    case 'place':
      return [];
  }
}

function listAddresses(text: string): readonly Identifier[] {
  return [
    ...[...findHostNames(text, MAX_IDENTIFIERS)].map((value): Identifier => ({ kind: 'host', value })),
    ...findEmailAddresses(text, MAX_IDENTIFIERS).map((value): Identifier => ({ kind: 'email', value })),
  ];
}

function splitItems(text: string): readonly string[] {
  return text.split(ITEM_SEPARATORS, MAX_IDENTIFIERS);
}

const ITEM_SEPARATORS = /[\n,;]+/;

function listListedHosts(text: string): readonly Identifier[] {
  const names = [...findHostNames(text, MAX_IDENTIFIERS)];
  return names
    .filter((name) => findRegistrableDomain(name) !== undefined)
    .map((value): Identifier => ({ kind: 'host', value }));
}

function listNetworks(text: string): readonly Identifier[] {
  const items = text.split(ITEM_SEPARATORS);
  const ranges = items.flatMap(findIpRanges);
  const numbers = items.flatMap(findAsNumbers);
  return [
    ...ranges.slice(0, MAX_IDENTIFIERS).map((value): Identifier => ({ kind: 'ip-range', value })),
    ...numbers.slice(0, MAX_IDENTIFIERS).map((value): Identifier => ({ kind: 'as-number', value })),
  ];
}

const MAY_HAVE_NETWORK = /\d\.\d|[\da-f]:|::|as|autonomous/i;
