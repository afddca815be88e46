import { expect, it } from 'vitest';
import { readPastedIdentifier } from '../../src/identifiers/pasted-identifier.js';

it.each([
  ['hxxps://dept[.]example[.]org', 'https://dept.example.org'],
  ['HXXP[:]//dept(.)example{.}org', 'http://dept.example.org'],
  ['hxxps[://]dept[dot]example(dot)org', 'https://dept.example.org'],
  ['cert[at]example[.]org', 'cert@example.org'],
  ['cert [at] example [.] org', 'cert@example.org'],
  ['cert(@)example.org', 'cert@example.org'],
  ['192[.]0[.]2[.]1', '192.0.2.1'],
  ['<cert@example.org>', 'cert@example.org'],
  ['"example.org",', 'example.org'],
  ["('example.org').", 'example.org'],
  ['192.0.2.1:', '192.0.2.1'],
  ['(192.0.2.1).', '192.0.2.1'],
  ['[AS64500].', 'AS64500'],
  ['{[cert[at]example[.]org]}', 'cert@example.org'],
  ['\u201cexample.org\u201d', 'example.org'],
  ['\u201eexample.org\u201c,', 'example.org'],
  ['\u00abexample.org\u00bb', 'example.org'],
  ['\u2026example.org', 'example.org'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:db8::', '2001:db8::'],
  ['(2001:db8::):', '2001:db8::'],
  ['2001:db8:::', '2001:db8::'],
  ['::', '::'],
  ['[2001:db8::1]:443', '[2001:db8::1]:443'],
  ['+47 (0) 22113344', '+47 (0) 22113344'],
  ['Acorn CERT (NO)', 'Acorn CERT (NO'],
  [' example.org ', 'example.org'],
  ['', ''],
  ['()', ''],
  ['[]', ''],
  ['[', '['],
])('reads %j as %j', (text, identifier) => {
  expect(readPastedIdentifier(text)).toBe(identifier);
});

/** Every pattern has a fixed length, and the ends are cut by a loop. */
it.each(['[', '[.', '(at', ' [', ')', '>)', '[.]', '.', ':', '::', '{'])(
  'reads a hostile text of repeated %j',
  (unit) => {
    const text = `${unit.repeat(8_192)}a`;
    expect(readPastedIdentifier(text).endsWith('a')).toBe(true);
  },
);
