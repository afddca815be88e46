import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replaceInvalidXml } from '../../../src/render/allowed-characters.js';
import { renderXml } from '../../../src/render/xml.js';
import { boundShrinking, generatedRuns } from '../../support/generated-runs.js';
import { anyUtf16 } from '../../support/generators/any-text.js';
import { hostileTexts } from '../../support/generators/hostile-values.js';
import { readBody } from './read-body.js';

const xml = (text: string | Buffer): unknown => readBody(text, { format: 'xml' }).value;
const bodyFailure = expect.objectContaining({ reason: 'body' }) as Error;

describe('XML that Rollcall wrote', () => {
  it('gives exactly the texts that Rollcall had', () => {
    const text = fc.oneof(anyUtf16, fc.constantFrom(...hostileTexts)).map(replaceInvalidXml);
    fc.assert(
      boundShrinking(
        fc.property(fc.array(text, { minLength: 2, maxLength: 4 }), text, fc.boolean(), (list, one, pretty) => {
          const record = new Map([
            ['host', one],
            ['-x-note', one],
          ]);
          const written = [...renderXml([record, new Map([['phone-numbers', list]])], { pretty })].join('');
          const property = { '@name': '-x-note', ...(one !== '' && { '#text': one }) };
          expect(xml(written)).toEqual({
            data: { item: [{ host: one, property }, { 'phone-numbers': { item: list } }] },
          });
        }),
      ),
      { numRuns: generatedRuns({ usual: 150, long: 20_000 }) },
    );
  });
});

describe('an element of XML', () => {
  it.each([
    ['<b>007</b>', { b: '007' }],
    ['<b> x\n</b>', { b: ' x\n' }],
    ['<b/>', { b: '' }],
    ['<b></b >', { b: '' }],
    ['<b>1</b><c/><b>2</b>', { b: ['1', '2'], c: '' }],
    ['<b c="1" d=\'"2" > "1"\'/>', { b: { '@c': '1', '@d': '"2" > "1"' } }],
    ['<b c="1">x</b>', { b: { '@c': '1', '#text': 'x' } }],
    ['<b c="1"> </b>', { b: { '@c': '1', '#text': ' ' } }],
    ['\n  <b>\n  <c>x</c>\n</b>\n', { b: { c: 'x' } }],
    ['<b>x <c>y</c> z</b>', { b: { c: 'y', '#text': 'x  z' } }],
    ['<n:b xmlns:n="urn:x" n:c="1" xml:lang="de">x</n:b>', { 'n:b': { '@xmlns:n': 'urn:x', '@n:c': '1', '@xml:lang': 'de', '#text': 'x' } }], // prettier-ignore
    ['<b><![CDATA[<c>&amp;&x;</c>]]></b>', { b: '<c>&amp;&x;</c>' }],
    ['<b>x<![CDATA[ y]]><!-- <c> & --> z</b>', { b: 'x y z' }],
    ['<?php <c> ?><b>x<?y?>z</b>', { b: 'xz' }],
    ['<b>&lt;&gt;&amp;&quot;&apos;&#13;&#x1F600;&amp;lt;</b>', { b: '<>&"\'\r\u{1f600}&lt;' }],
    ['<b c="&lt;&#10;&#x9;a\n\tb"/>', { b: { '@c': '<\n\ta  b' } }],
    ['<b>a\r\nb\rc</b>', { b: 'a\nb\nc' }],
    ['<É>x</É>', { É: 'x' }],
  ])('%j is %j', (text, value) => {
    expect(xml(`<a>${text}</a>`)).toEqual({ a: value });
  });

  it.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'])('may have the name %s', (name) => {
    const value = xml(`<a><${name}>x</${name}><${name} ${name}="y"/></a>`) as { readonly a: object };
    expect(Object.entries(value.a)).toEqual([[name, ['x', { [`@${name}`]: 'y' }]]]);
    expect(Object.getPrototypeOf(value.a)).toBe(Object.prototype);
    expect(Object.entries(xml(`<${name}>x</${name}>`) as object)).toEqual([[name, 'x']]);
  });
});

describe('an XML document', () => {
  const declared = (encoding: string, text: string): string =>
    `<?xml version="1.0" encoding="${encoding}"?>\n<a>${text}</a>`;

  it.each([
    ['UTF-8', Buffer.from(declared('utf-8', 'Zürich'))],
    ['UTF-8 with a mark', Buffer.from('\ufeff<a>Zürich</a>')],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${declared('UTF-16', 'Zürich')}`, 'utf16le')],
    ['big-endian UTF-16 with a mark', Buffer.from(`\ufeff${declared('UTF-16', 'Zürich')}`, 'utf16le').swap16()],
    ['declared ISO-8859-1', Buffer.from(declared('ISO-8859-1', 'Zürich'), 'latin1')],
    ['declared Windows-1252', Buffer.from(declared('windows-1252', 'Zürich'), 'latin1')],
    ['ASCII', Buffer.from(declared('us-ascii', 'Z&#252;rich'))],
    ['UTF-8 that is declared as UTF-16', Buffer.from(declared('utf-16', 'Zürich'))],
  ])('is read in %s', (_, body) => {
    expect(xml(body)).toEqual({ a: 'Zürich' });
  });

  it('that is declared as ISO-8859-1 is read as Windows-1252', () => {
    expect(xml(Buffer.from(declared('iso-8859-1', '\x80'), 'latin1'))).toEqual({ a: '€' });
  });

  it.each([
    ['an element that is not closed', '<a><b>\n</a>'],
    ['elements that overlap', '<a><b><c></b></c></a>'],
    ['a closing tag too many', '<a/></a>'],
    ['its end cut off', '<a><b>x</b><b>y'],
    ['its end cut off in a tag', '<a><b>x</b><b c="'],
    ['its end cut off in a comment', '<a>x</a><!-- '],
    ['two roots', '<a>x</a><b/>'],
    ['two empty roots', '<a/><b/>'],
    ['text beside the root', '<a>x</a>y'],
    ['nothing', ''],
    ['text only', 'x'],
    ['an attribute twice', '<a b="1" b="2"/>'],
    ['an attribute without a value', '<a b/>'],
    ['NUL', '<a>\0</a>'],
    ['a character that is not allowed', '<a>&#0;</a>'],
    ['a reference beyond Unicode', '<a>&#x110000;</a>'],
    ['a reference to a surrogate', '<a>&#xD800;</a>'],
    ['an entity of HTML', '<a>&nbsp;</a>'],
    ['an ampersand', '<a>x & y</a>'],
    ['an entity in an attribute', '<a b="&c;"/>'],
    ['an HTML page', '<!DOCTYPE html>\n<html><head><meta charset="utf-8"></head><body>Log in<br></body></html>'],
    ['an HTML page with a declaration in lower case', '<!doctype html>\n<html><body>Log in</body></html>'],
    ['nesting of 102 levels', `${'<a>'.repeat(102)}${'</a>'.repeat(102)}`],
    ['nesting of 400,000 levels', '<a>'.repeat(400_000)],
    ['other bytes than UTF-8', Buffer.from('<a>\xfc</a>', 'latin1')],
    ['another encoding', Buffer.from(declared('koi8-r', '\xfc'), 'latin1')],
    ['a lone surrogate', Buffer.from('\ufeff<a>\ud800x</a>', 'utf16le')],
    ['UTF-16 without a mark', Buffer.from('<a>x</a>', 'utf16le')],
  ])('with %s is refused', (_, body) => {
    expect(() => xml(body)).toThrow(bodyFailure);
  });

  it('that is not well-formed is refused with the line of the fault and without its text', () => {
    expect(() => xml('<a>\n<secret>\n</a>')).toThrow(/^not well-formed XML \(InvalidTag in line 3\)$/);
  });

  it.each([
    ['an internal entity', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
    ['an external entity', '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/hostname">]><a>&b;</a>'],
    ['a parameter entity', '<!DOCTYPE a [<!ENTITY % b SYSTEM "http://127.0.0.1/b.dtd"> %b;]><a/>'],
    ['any internal subset', '<!DOCTYPE a [<!ELEMENT a ANY>]><a/>'],
    ['a declaration behind the root', '<a/><!ENTITY b "c">'],
    [
      'a declaration that a comment in an attribute hides',
      '<a b="<!--"/><!DOCTYPE a [<!ENTITY b "c">]><c d="-->">&b;</c>',
    ],
  ])('with %s is refused', (_, text) => {
    expect(() => xml(text)).toThrow(bodyFailure);
  });

  it('with an external document type is read without it', () => {
    expect(xml('<!DOCTYPE a PUBLIC "-//x" "http://127.0.0.1:1/a.dtd"><a>x</a>')).toEqual({ a: 'x' });
  });

  it('that expands itself by entities is refused before it is expanded', () => {
    const levels = Array.from({ length: 30 }, (_, at) => `<!ENTITY b${at + 1} "${`&b${at};`.repeat(10)}">`);
    const text = `<!DOCTYPE a [<!ENTITY b0 "x">${levels.join('\n')}]><a>&b30;</a>`;
    expect(() => xml(text)).toThrow('XML with entity declarations is not read');
  });

  it.each([
    ['elements', (count: number) => `<a>${'<b/>'.repeat(count - 1)}</a>`],
    ['attributes', (count: number) => `<a>${'<b c="" d="" e=""/>'.repeat((count - 1) / 4)}</a>`],
    ['comments', (count: number) => `<a>${'<!---->'.repeat(count - 1)}</a>`],
  ])('has at most 500,000 values, or one for each 24 characters: %s', (_, text) => {
    expect(() => xml(text(499_997))).not.toThrow();
    expect(() => xml(text(500_005))).toThrow(/^more than 500000 values/);
  });

  it.each([
    ['text', (length: number) => `<a>${'x'.repeat(length)}</a>`],
    ['tag', (length: number) => `<a b="${'x'.repeat(length)}"/>`],
  ])('has at most 1,048,576 characters in one %s', (_, text) => {
    expect(() => xml(text(1_048_500))).not.toThrow();
    expect(() => xml(text(1_048_600))).toThrow(/^XML with more than 1048576 characters in one text or tag$/);
  });
});
