import { expect, it } from 'vitest';
import { findEmailAddresses } from '../../src/identifiers/email-address.js';

it('finds addresses between spaces, commas, semicolons and angle brackets, in lower case', () => {
  const text = 'Team <Cert@Acorn.example.org>, irt@b.org;c@d.org\ne@f.org';
  expect(findEmailAddresses(text, 9)).toEqual(['cert@acorn.example.org', 'irt@b.org', 'c@d.org', 'e@f.org']);
});

it('reads the address of a mailto URL without the parts of a message', () => {
  expect(findEmailAddresses('mailto:Cert@acorn.example.org?subject=a@b.c', 1)).toEqual(['cert@acorn.example.org']);
});

it.each(['cert', 'cert@', '@acorn.org', 'cert@acorn', 'a@b@c.org', 'cert@acorn..org', 'cert@acorn.org.', ''])(
  'finds no address in %j',
  (text) => {
    expect(findEmailAddresses(text, 9)).toEqual([]);
  },
);

it('returns no more addresses than requested, and ignores those that are longer than an address can be', () => {
  expect(findEmailAddresses('a@b.org c@d.org e@f.org', 2)).toEqual(['a@b.org', 'c@d.org']);
  expect(findEmailAddresses(`${'a'.repeat(320)}@b.org c@d.org`, 9)).toEqual(['c@d.org']);
  expect(findEmailAddresses(`${'a'.repeat(314)}@b.org`, 1)).toHaveLength(1);
  expect(findEmailAddresses(`${'a'.repeat(315)}@b.org`, 9)).toEqual([]);
  expect(findEmailAddresses('a@b.org '.repeat(41), 1)).toEqual([]);
});

/** `mailto:([^?]*).*` and `[^@]+@[^@.]+(\.[^@.]+)+`: each part ends at a character that it cannot contain. */
it.each(['@', '.', 'a@', 'a.', 'a@b.', 'mailto:', '?', 'mailto:?', ' ', '<'])(
  'reads a hostile text of repeated %j to its end',
  (unit) => {
    expect(findEmailAddresses(unit.repeat(16_384 / unit.length), 200)).toEqual([]);
  },
);
