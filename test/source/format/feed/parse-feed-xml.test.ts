import { describe, expect, it } from 'vitest';
import { describeRefusal, readSample, rss } from './read-sample.js';

const titles = (text: string): readonly (string | undefined)[] => readSample(text).feed.items.map(({ title }) => title);

describe('a feed in XML', () => {
  it.each([
    ['a bare ampersand', '<title>R&D & more &xy=1;</title>', 'R&D & more &xy=1;'],
    ['an entity of HTML', '<title>caf&eacute;&nbsp;x</title>', 'café x'],
    ['an unknown entity', '<title>&xyzzy; x</title>', '&xyzzy; x'],
    ['a prefix without a declaration', '<media:title>no</media:title><title>x</title>', 'x'],
    ['a long entity of HTML', '<title>&CounterClockwiseContourIntegral;</title>', '∳'],
    ['an entity of HTML in CDATA once', '<title><![CDATA[&amp;amp;]]></title>', '&amp;'],
    ['a comment in a text', '<title>a<!-- <b> & -->b</title>', 'ab'],
    ['references to characters of Windows-1252', '<title>don&#146;t &#x96; x</title>', 'don’t – x'],
    ['a reference to a character that XML does not allow', '<title>a&#1;b&#0;</title>', 'a\u{FFFD}b\u{FFFD}'],
    ['several CDATA sections', '<title>a<![CDATA[ & ]]>b<![CDATA[<c>]]></title>', 'a & b<c>'],
    [
      'a comment across CDATA sections',
      '<title><![CDATA[a &lt;!-- ]]>b<![CDATA[ --&gt; c]]></title>',
      'a <!-- b --> c',
    ],
  ])('is read: %s', (_, item, title) => {
    expect(titles(rss(`<item>${item}</item>`))).toEqual([title]);
  });

  it('is read: a link with ampersands that begin no reference', () => {
    const { feed } = readSample(rss('<item><link>https://example.org/?a;&copy=1&lt=2&amp;b</link></item>'));
    expect(feed.items).toEqual([{ link: 'https://example.org/?a;&copy=1&lt=2&b' }]);
  });

  it('is read: white space before the declaration, and a document type without a subset', () => {
    const type =
      '<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://example.org/rss-0.91.dtd">';
    expect(
      titles(`\n <?xml version="1.0"?>\n${type}\n${rss('<item><title>x</title></item>')}\n<!-- end -->\n`),
    ).toEqual(['x']);
  });

  it.each(['http://purl.org/atom/ns', 'http://purl.org/atom/ns#', 'https://www.w3.org/2005/Atom/'])(
    'is read: Atom in the namespace %s',
    (namespace) => {
      expect(titles(`<a:feed xmlns:a="${namespace}"><a:entry><a:title>x</a:title></a:entry></a:feed>`)).toEqual(['x']);
    },
  );

  it('is read: RDF without the declaration of its namespace', () => {
    expect(titles('<rdf:RDF><channel><title>T</title></channel><item><title>x</title></item></rdf:RDF>')).toEqual([
      'x',
    ]);
  });
});

describe('a feed that is not well-formed', () => {
  it.each([
    ['an element that is not closed', rss('<item><title>x</item>')],
    ['no end', '<rss version="2.0"><channel><title>T</title><item><title>x</title></item>'],
    ['a character that XML does not allow', rss('<item><title>a\u0008</title></item>')],
    ['a comment within a tag', rss('<i<!-- -->tem><title>x</title></item>')],
    ['a comment in attributes of two elements', rss('<item a="<!-- a"/><item a="b -->"/>')],
    ['a comment with a damaged end', rss('<!-- a -> <item><title>x</title></item> <!-- z -->')],
    ['attributes without white space between them', rss('<item a="1"b="2"/>')],
    ['an element closed twice', rss('</item>')],
    ['a comment without its end', `${rss('')}<!-- `],
    ['CDATA without its end', rss('<item><title><![CDATA[x</title></item>')],
    ['an attribute without its end', rss('<item><title a="x></title></item>')],
    ['an attribute without a value', rss('<item a><title>x</title></item>')],
    ['a < in a text', rss('<item><title>a < b</title></item>')],
    ['two roots', `${rss('')}${rss('')}`],
    ['text behind the root', `${rss('')}x`],
    ['CDATA outside of the root', `<![CDATA[x]]>${rss('')}`],
    ['a declaration within it', rss('<!ELEMENT x ANY>')],
  ])('is refused: %s', (_, text) => {
    expect(describeRefusal(text)).toMatch(/^body: /);
  });

  it('is refused with a message in which names are short and without control characters', () => {
    expect(describeRefusal(rss(`<${'x'.repeat(1000)}>`)).length).toBeLessThan(200);
    expect(describeRefusal(`<x\u200b\u202e/>`)).not.toMatch(/\u202e/);
  });
});

describe('a hostile feed', () => {
  it.each([
    ['an internal entity', '<!DOCTYPE rss [<!ENTITY a "b">]>'],
    ['an external entity', '<!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/hostname">]>'],
    ['a parameter entity', '<!DOCTYPE rss SYSTEM "x" [<!ENTITY % a "b"> %a;]>'],
  ])('is refused: %s', (_, declaration) => {
    expect(describeRefusal(`${declaration}${rss('<item><title>&a;</title></item>')}`)).toBe(
      'body: XML with entity declarations is not read',
    );
  });

  it.each([
    ['100,000 nested elements', rss('<a>'.repeat(100_000))],
    ['500,000 elements', rss('<a/>'.repeat(500_010))],
    ['a title of a million characters', rss(`<item><title>${'x'.repeat(2 ** 20 + 1)}</title></item>`)],
    ['a text that comments divide', rss(`<a>${'xxxxxxxx<!---->'.repeat(140_000)}</a>`)],
  ])('is refused: %s', (_, text) => {
    expect(describeRefusal(text)).toMatch(/^size: /);
  });

  it('may have 50,000 items, also where RSS 1.0 lists them', () => {
    const list = Array.from({ length: 50_000 }, (_, at) => `https://example.org/${at}`);
    const listed = list.map((address) => `<rdf:li rdf:resource="${address}"/>`).join('');
    const items = list
      .map((address) => `<item rdf:about="${address}"><title>A title of an item</title></item>`)
      .join('');
    const namespaces = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"';
    const text = `<rdf:RDF ${namespaces}><channel><items><rdf:Seq>${listed}</rdf:Seq></items><title>T</title></channel>${items}</rdf:RDF>`;
    expect(readSample(text).feed.items.map(({ guid }) => guid)).toEqual(list);
  });
});

describe('the base URLs of a feed', () => {
  const links = (text: string): readonly (string | undefined)[] => readSample(text).feed.items.map(({ link }) => link);

  it('are absolute at each item, nested and in the channel', () => {
    const item = '<link>x</link></item>';
    const text = `<rss><channel xml:base="b/"><item xml:base="c/?d&amp;e">${item}<item>${item}</channel></rss>`;
    expect(links(text)).toEqual(['https://cert.example.org/news/b/c/x', 'https://cert.example.org/news/b/x']);
  });

  it('are read where the namespace of xml is declared', () => {
    const declared = 'xmlns="http://www.w3.org/2005/Atom" xmlns:xml="http://www.w3.org/XML/1998/namespace"';
    expect(links(`<feed ${declared} xml:base="b/"><entry><link href="x"/></entry></feed>`)).toEqual([
      'https://cert.example.org/news/b/x',
    ]);
  });

  it('are ignored unless they are of the web', () => {
    expect(links('<feed xml:base="javascript:x"><entry><link href="x"/></entry></feed>')).toEqual([
      'https://cert.example.org/news/x',
    ]);
  });
});
