import { findAsNumbers } from '../../identifiers/as-number.js';
import { findEmailAddresses } from '../../identifiers/email-address.js';
import { findHostNames, findRegistrableDomain } from '../../identifiers/host-name.js';
import { findIpRanges, parseIpRange } from '../../identifiers/ip-range.js';
import type { IpRange } from '../../identifiers/ip-range.js';
import { parseKeyId } from '../../identifiers/key-id.js';
import { readPhoneDigits, splitPhoneNumbers } from '../../identifiers/phone-number.js';
import { MAX_SEARCHED_LENGTH } from './field-texts.js';
import type { SearchField } from '../../model/resource.js';

/** An identifier in a record, in the form in which it is compared. */
export type Identifier =
  | { readonly kind: 'host' | 'email' | 'phone' | 'key'; readonly value: string }
  | { readonly kind: 'as-number'; readonly value: number }
  | { readonly kind: 'ip-range'; readonly value: IpRange };

/** Maximum number of identifiers of one kind in one field of a record: more than it can have. The shortest is `a.bc`. */
const MAX_IDENTIFIERS = MAX_SEARCHED_LENGTH / 4;

/**
 * Lists the identifiers in the text of a field. Host names are read from contact addresses and, where they are below a
 * known public suffix (`etc.and` is not), from the constituency and other texts; so are IP ranges and AS numbers.
 */
export function listIdentifiers(field: SearchField, text: string): readonly Identifier[] {
  switch (field) {
    case 'contact':
      return [
        ...[...findHostNames(text, MAX_IDENTIFIERS)].map((value): Identifier => ({ kind: 'host', value })),
        ...findEmailAddresses(text, MAX_IDENTIFIERS).map((value): Identifier => ({ kind: 'email', value })),
      ];
    case 'phone':
      return readEach(splitItems(text).flatMap(splitPhoneNumbers), 'phone', readPhoneDigits);
    case 'key':
      return readEach(splitItems(text), 'key', parseKeyId);
    case 'constituency':
    case 'other':
      return [...listListedHosts(text), ...(MAY_HAVE_NETWORK.test(text) ? listNetworks(text) : [])];
    case 'short-name':
    case 'official-name':
    case 'host':
    case 'place':
      return [];
  }
}

function readEach(
  items: readonly string[],
  kind: 'phone' | 'key',
  read: (item: string) => string | undefined,
): readonly Identifier[] {
  return items.flatMap((item): Identifier[] => {
    const value = read(item);
    return value === undefined ? [] : [{ kind, value }];
  });
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

/** IP ranges and AS numbers: whole items, and those within a text. */
function listNetworks(text: string): readonly Identifier[] {
  const items = text.split(ITEM_SEPARATORS);
  const ranges = items.flatMap((item) => parseIpRange(item) ?? findIpRanges(item));
  const numbers = items.flatMap(findAsNumbers);
  return [
    ...ranges.slice(0, MAX_IDENTIFIERS).map((value): Identifier => ({ kind: 'ip-range', value })),
    ...numbers.slice(0, MAX_IDENTIFIERS).map((value): Identifier => ({ kind: 'as-number', value })),
  ];
}

const MAY_HAVE_NETWORK = /\d\.\d|[\da-f]:|::|as/i;
