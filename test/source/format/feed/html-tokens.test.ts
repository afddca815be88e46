import { describe, expect, it } from 'vitest';
import { isHtmlElement, readHtmlTokens } from '../../../../src/source/format/feed/html-tokens.js';

const read = (html: string): readonly string[] =>
  [...readHtmlTokens(html)].map(({ kind, from, to }) => `${kind} ${html.slice(from, to)}`);

describe('tokens of HTML', () => {
  it.each([
    ['tags', 'a<B c="d>e">f</b >', ['start <B c="d>e">', 'end </b >']],
    ['void elements', '<br/><img src=x>', ['start <br/>', 'start <img src=x>']],
    ['comments and declarations', '<!-- <b> --><!DOCTYPE html><![if x]>', ['hidden <!-- <b> -->', 'hidden <!DOCTYPE html>', 'hidden <![if x]>']],
    ['elements without text, with their content', '<SCRIPT>a<b></Script >c', ['hidden <SCRIPT>a<b></Script >']],
    ['no unknown elements', '<buffer overflow> <foo>', []],
    ['no other <', 'a < b <b c <3 <', []],
    ['no tag without its end', '<a href="x <b>', ['start <b>']],
    ['no script without its end', '<script>x <!-- y', []],
    ['letters that change their length', 'İİ<script>x</script>İ<b>', ['hidden <script>x</script>', 'start <b>']],
  ])('are %s', (_, html, tokens) => {
    expect(read(html)).toEqual(tokens);
  }); // prettier-ignore

  it('have names of elements of HTML', () => {
    expect([isHtmlElement('p'), isHtmlElement('rss'), isHtmlElement('constructor')]).toEqual([true, false, false]);
  });
});
