import { describe, expect, it } from 'vitest';
import { parseUrl } from '../../../../src/text/url.js';
import {
  collapseParagraphs,
  convertHtmlToText,
  convertTextToHtml,
  convertTitleToText,
  hasMarkup,
  sanitizeHtml,
  toOneLine,
} from '../../../../src/source/format/feed/feed-html.js';

const clean = (html: string): string | undefined =>
  sanitizeHtml(html, (href) => parseUrl(href, 'https://example.org/a/b'));

describe('a title', () => {
  it.each([
    ['AT&T', 'AT&T'],
    ['AT&amp;T &#8217;&#150;&eacute;&unknown;', 'AT&T ’–é&unknown;'],
    ['<p>Hello</p>', 'Hello'],
    ['a < b and c > d', 'a < b and c > d'],
    ['CVE-2026-1 <buffer overflow> in x', 'CVE-2026-1 <buffer overflow> in x'],
    ['XSS by <script> in <a> tags', 'XSS by <script> in <a> tags'],
    ['A <b>bold</b>\n move<br>next', 'A bold move next'],
    ['&lt;b&gt; stays', '<b> stays'],
    [' a\u0000\u0007\t b\ud800 ', 'a b\ufffd'],
  ])('%j is %j as plain text', (title, text) => {
    expect(convertTitleToText(title)).toBe(text);
  });
});

describe('HTML as plain text', () => {
  it.each([
    ['<p>One\n two</p><p>Three<br>four</p>', 'One two\nThree\nfour'],
    ['<ul><li>a</li><li>b</li></ul><table><tr><td>c</td><td>d</td></tr></table>', 'a\nb\nc d'],
    ['<style>p{}</style>x<script>y</script><!-- z -->', 'x'],
    ['One\ntwo\n\nThree\r\n\r\nfour', 'One two\nThree\nfour'],
    ['a &lt;b&gt; <i>c</i>', 'a <b> c'],
  ])('%j is %j', (html, text) => {
    expect(convertHtmlToText(html)).toBe(text);
  });

  it('takes no longer than its length allows', () => {
    for (const piece of ['<', '&', '<div>', '<script>', '<!--', '<a href=\'<a href="', '</p>', ' '])
      expect(convertHtmlToText(piece.repeat(200_000)).length).toBeLessThan(4_000_000);
  });
});

describe('sanitised HTML', () => {
  it.each([
    ['<p onclick="x">a <img src="x"><b style="c">d</b></p>', '<p>a <b>d</b></p>'],
    ['<a href="c" target="_blank">x</a>', '<a href="https://example.org/a/c">x</a>'],
    ['<a href="#c">x</a> <a href="//example.net">y</a>', '<a href="https://example.org/a/b#c">x</a> <a href="https://example.net/">y</a>'],
    ['<a href="java\tscript:x">x</a> <a href="data:,x">y</a> <a href="ftp://example.org/">z</a>', '<a>x</a> <a>y</a> <a>z</a>'],
    ['<a href="mailto:cert@example.org">x</a>', '<a href="mailto:cert@example.org">x</a>'],
    ['<form><p>a</p><button>b</button></form><iframe src="x">c</iframe><svg><script>d</script></svg>', '<p>a</p>'],
    ['<svg/onload=alert(1)>x', '&lt;svg/onload=alert(1)&gt;x'],
    ['see <buffer overflow> <b>x</b>', 'see &lt;buffer overflow&gt; <b>x</b>'],
    ['<script>alert(1)', '&lt;script&gt;alert(1)'],
    ['<td colspan="2" width="3">a</td>', '<td colspan="2">a</td>'],
    ['<img src="x"><p> </p>', undefined],
  ])('of %j is %j', (html, result) => {
    expect(clean(html)).toBe(result);
  }); // prettier-ignore

  it('is plain text where elements are nested too deep', () => {
    expect(clean(`${'<div>'.repeat(100_000)}x & y${'</span>'.repeat(100_000)}`)).toBe('<p>x &amp; y</p>');
    expect(clean(`${'<div>'.repeat(100)}x`)).toContain('<div>x</div>');
  });

  it('may have many paragraphs, list items and rows that are not closed', () => {
    expect(clean('<p>x'.repeat(1000))?.split('<p>x</p>').length).toBe(1001);
  });
});

describe('plain text', () => {
  it('becomes HTML with a paragraph for each', () => {
    expect(convertTextToHtml('a < b\nc\n\nd & e')).toBe('<p>a &lt; b c</p>\n<p>d &amp; e</p>');
    expect(convertTextToHtml(' \n ')).toBeUndefined();
  });

  it('has collapsed white space', () => {
    expect(toOneLine(' a\n\n <b>\t&amp; ')).toBe('a <b> &amp;');
    expect(collapseParagraphs('a\nb\n \nc')).toBe('a b\nc');
  });

  it('has no tags of elements of HTML', () => {
    expect(['a < b', '<foo>', '&eacute;', 'x<br>'].map(hasMarkup)).toEqual([false, false, false, true]);
  });
});
