import { describe, expect, it } from 'vitest';
import { renderHtmlDocument } from '../../../src/html/html.js';
import { EmailLink, parseWebAddress } from '../../../src/explorer/layout/source-link.js';

describe('a web address of a source', () => {
  it.each([
    ['https://www.example.org/', 'https://www.example.org/'],
    ['HTTP://example.org/a?b=c#d', 'http://example.org/a?b=c#d'],
    ['https://exämple.example/', 'https://xn--exmple-cua.example/'],
  ])('%j becomes a link', (address, href) => {
    expect(parseWebAddress(address)).toBe(href);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'https:example.org',
    'https:///example.org',
    'https://user@example.org/',
    'https://user:secret@example.org/',
    'https://example.org/a b',
    'https://exa\nmple.org',
    'https://example.org\\@example.com/',
    'www.example.org',
    '//example.org',
    '',
    `https://example.org/${'x'.repeat(2_000)}`,
  ])('%j does not', (address) => {
    expect(parseWebAddress(address)).toBeUndefined();
  });
});

describe('an e-mail address of a source', () => {
  const isLink = (address: string): boolean => renderHtmlDocument(EmailLink({ address })).includes('href="mailto:');

  it.each(['cert@example.org', "o'brien+csirt@mail.example.org"])('%j becomes a link', (address) => {
    expect(isLink(address)).toBe(true);
  });

  it.each([
    'cert@example.org, soc@example.org',
    'cert@example.org?cc=other@example.com',
    'cert@example.org\n',
    'cert',
    'cert@localhost',
    '<cert@example.org>',
    'cert@exämple.org',
    `${'a'.repeat(250)}@example.org`,
  ])('%j does not', (address) => {
    expect(isLink(address)).toBe(false);
  });
});
