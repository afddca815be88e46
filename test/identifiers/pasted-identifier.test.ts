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
  ['\u202a+47 22\u200b1133\u206044\u202c', '+47 22113344'],
  ['202\u00ad-555', '202-555'],
  ['\u06f0\u06f2\u06f1-\u06f4\u06f2\u06f9', '021-429'],
  ['+\u0664\u0667 \u0665\u0660', '+47 50'],
  ['\u0966\u096f \u{11066}\u{1106f} \u{1d7ce}\u{1d7ff}', '09 09 09'],
  ['03\u30fc6271\u30fc8901', '03-6271-8901'],
  ['\u30bb\u30f3\u30bf\u30fc', '\u30bb\u30f3\u30bf\u30fc'],
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
