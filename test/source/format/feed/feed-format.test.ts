import { expect, test } from 'vitest';
import { nameFeedFormat } from '../../../../src/source/format/feed/feed-format.js';

const ATOM = '<?xml version="1.0"?>\n<feed xmlns="http://www.w3.org/2005/Atom">';

test.each([
  ['RSS', '<rss version="2.0">'],
  ['RSS', '\ufeff<?xml version="1.0"?><!-- a <feed> --><!DOCTYPE rss [ <!ENTITY x "y"> ]>\n<rss>'],
  ['RSS 1.0', '<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'],
  ['Atom', ATOM],
  ['Atom', '<atom:feed xmlns:atom="http://www.w3.org/2005/Atom">'],
  ['JSON Feed', '\n{"version": "https://jsonfeed.org/version/1.1"}'],
  [undefined, '<!doctype html><html><head>'],
  [undefined, ''],
])('the format is %s where a feed begins with %j', (name, text) => {
  expect(nameFeedFormat(Buffer.from(text))).toBe(name);
});

test('the format is known in UTF-16, too', () => {
  expect(nameFeedFormat(Buffer.from(`\ufeff${ATOM}`, 'utf16le'))).toBe('Atom');
  expect(nameFeedFormat(Buffer.from(`\ufeff${ATOM}`, 'utf16le').swap16())).toBe('Atom');
});
