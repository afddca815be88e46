import { describe, expect, it } from 'vitest';
import { describeRefusal, readSample } from './read-sample.js';

const declared = (encoding: string, title: string): string =>
  `<?xml version="1.0" encoding="${encoding}"?><rss version="2.0"><channel><title>${title}</title></channel></rss>`;
const plain = (title: string): string => `<rss version="2.0"><channel><title>${title}</title></channel></rss>`;

/** A feed whose title is written in these bytes. */
const inBytes = (feed: (title: string) => string, bytes: readonly number[]): Buffer =>
  Buffer.from(feed(String.fromCharCode(...bytes)), 'latin1');

const read = (body: Buffer, contentType?: string): readonly [string | undefined, Readonly<Record<string, number>>] => {
  const { feed, findings } = readSample(body, contentType);
  return [feed.title, findings];
};

describe('the encoding of a feed', () => {
  it.each([
    ['UTF-8', Buffer.from(plain('Zürich')), undefined, 'Zürich'],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${declared('utf-8', 'Zürich')}`), undefined, 'Zürich'],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${declared('utf-16', 'Zürich')}`, 'utf16le'), undefined, 'Zürich'],
    ['UTF-16 without a mark', Buffer.from(declared('utf-16', 'Zürich'), 'utf16le'), undefined, 'Zürich'],
    ['big-endian UTF-16', Buffer.from(plain('Zürich'), 'utf16le').swap16(), undefined, 'Zürich'],
    ['ASCII that is declared as UTF-16', Buffer.from(declared('utf-16', 'Z')), undefined, 'Z'],
    ['ISO-8859-1 as Windows-1252', inBytes((title) => declared('ISO-8859-1', title), [0x80, 0xfc]), undefined, '€ü'],
    ['windows-1251', inBytes((title) => declared('windows-1251', title), [0xca, 0xe8, 0xe5, 0xe2]), undefined, 'Киев'],
    ['iso-8859-2', inBytes((title) => declared('iso-8859-2', title), [0xb1]), undefined, 'ą'],
    ['shift_jis', inBytes((title) => declared('Shift_JIS', title), [0x93, 0xfa, 0x96, 0x7b]), undefined, '日本'],
    ['euc-jp', inBytes((title) => declared('euc-jp', title), [0xc6, 0xfc, 0xcb, 0xdc]), undefined, '日本'],
    ['gb18030', inBytes((title) => declared('gb18030', title), [0xd6, 0xd0, 0xb9, 0xfa]), undefined, '中国'],
    ['iso-2022-jp', inBytes((title) => declared('iso-2022-jp', title), [0x1b, 0x24, 0x42, 0x46, 0x7c, 0x1b, 0x28, 0x42]), undefined, '日'],
    ['that of Content-Type', inBytes(plain, [0xca, 0xe8]), 'text/xml; charset="windows-1251"', 'Ки'],
    ['that of Content-Type, not the declared one', inBytes((title) => declared('iso-8859-1', title), [0xca]), 'text/xml;charset=windows-1251', 'К'],
  ])('may be %s', (_, body, contentType, title) => {
    expect(read(body, contentType)).toEqual([title, {}]);
  }); // prettier-ignore

  it('is UTF-8 where the bytes are, whatever is stated, and that is counted', () => {
    expect(read(Buffer.from(declared('iso-8859-1', 'Zürich')))).toEqual(['Zürich', { 'mixed-encoding (document)': 1 }]);
    expect(read(Buffer.from(plain('Zürich')), 'text/xml; charset=latin1')).toEqual([
      'Zürich',
      { 'mixed-encoding (document)': 1 },
    ]);
  });

  it('is Windows-1252 for each byte that is not UTF-8 in a text that should be, and each is counted', () => {
    const mixed = Buffer.from(Buffer.from(plain('é|')).toString('latin1').replace('|', '\xfc\x80'), 'latin1');
    expect(read(mixed)).toEqual(['éü€', { 'mixed-encoding (document)': 2 }]);
    expect(read(mixed, 'text/xml; charset=x-unknown')).toEqual(['éü€', { 'mixed-encoding (document)': 2 }]);
  });

  it('is the declared one where Content-Type states UTF-8 that it is not', () => {
    const body = inBytes((title) => declared('windows-1251', title), [0xca, 0xe8]);
    expect(read(body, 'text/xml; charset=utf-8')).toEqual(['Ки', { 'mixed-encoding (document)': 1 }]);
  });

  it('is read with replacement characters where bytes are not of it', () => {
    const body = inBytes((title) => declared('shift_jis', title), [0x93, 0xfa, 0xff]);
    expect(read(body)).toEqual(['日\ufffd', { 'mixed-encoding (document)': 1 }]);
  });

  it('of UTF-16 with half a character is refused', () => {
    expect(describeRefusal(Buffer.from(plain('x'), 'utf16le').subarray(0, -1))).toMatch(/^body: not UTF-16/);
  });

  it('of JSON may be another than UTF-8', () => {
    const body = Buffer.from('\ufeff{"version":"https://jsonfeed.org/version/1","title":"ü","items":[]}', 'utf16le');
    expect(read(body)).toEqual(['ü', {}]);
  });
});
