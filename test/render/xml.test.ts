import { describe, expect, test } from 'vitest';
import type { DocumentNode } from '../../src/model/document-node.js';
import { renderXml } from '../../src/render/xml.js';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

function xml(document: DocumentNode, pretty = false): string {
  const text = [...renderXml(document, { pretty })].join('');
  expect(text.startsWith(DECLARATION)).toBe(true);
  return text.slice(DECLARATION.length);
}

const record = new Map<string, DocumentNode>([
  ['host', 'A & B'],
  ['-first-member-type', 'Liaison'],
  ['website', ['a', 'b']],
]);

describe('XML', () => {
  test('writes the envelope as response, records and list items as item, and indents by two spaces', () => {
    const envelope = new Map<string, DocumentNode>([
      ['status', 'OK'],
      ['status_code', 200],
      ['data', [record]],
    ]);
    expect(xml(envelope, true)).toBe(
      [
        '',
        '<response>',
        '  <status>OK</status>',
        '  <status_code>200</status_code>',
        '  <data>',
        '    <item>',
        '      <host>A &amp; B</host>',
        '      <property name="-first-member-type">Liaison</property>',
        '      <website>',
        '        <item>a</item>',
        '        <item>b</item>',
        '      </website>',
        '    </item>',
        '  </data>',
        '</response>',
      ].join('\n'),
    );
  });

  test('has the root data without an envelope, for a list and for a single item', () => {
    expect(xml([new Map([['host', 'a']])])).toBe('<data><item><host>a</host></item></data>');
    expect(xml(new Map([['host', 'a']]))).toBe('<data><host>a</host></data>');
    expect(xml([], true)).toBe('\n<data></data>');
  });

  test.each(['item', 'property', 'xml', 'XmlNs', 'a:b', 'a b', '1a', '-a', '', 'é', '@a', '#text', '!', '?a', '$'])(
    'writes the property %j as <property> with a name attribute',
    (name) => {
      expect(xml(new Map([[name, 'a']]))).toBe(`<data><property name="${name}">a</property></data>`);
    },
  );

  test('escapes characters in texts and names that readers would change', () => {
    expect(xml(['\r\n\t ', ']]>', '&lt;', '&#13;', '"'])).toBe(
      '<data><item>&#13;\n\t </item><item>]]&gt;</item><item>&amp;lt;</item><item>&amp;#13;</item><item>"</item></data>',
    );
    expect(xml(new Map([['a\r\n\t"<&lt;', 'b']]))).toBe(
      '<data><property name="a&#13;&#10;&#9;&quot;&lt;&amp;lt;">b</property></data>',
    );
  });

  test('writes U+FFFD for characters that XML does not allow', () => {
    expect(xml(['\0', '\x1f', '\ud800', '\uffff', '\u{1f600}'])).toBe(
      '<data><item>\ufffd</item><item>\ufffd</item><item>\ufffd</item><item>\ufffd</item><item>\u{1f600}</item></data>',
    );
    expect(xml(new Map([['\0', 'b']]))).toBe('<data><property name="\ufffd">b</property></data>');
  });
});
