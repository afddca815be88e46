import { describe, expect, test } from 'vitest';
import { negotiate } from '../../src/http/negotiate.js';
import type { Format } from '../../src/render/formats.js';

function format(extension: string, mediaType: string): Format {
  return { extension, mediaType, render: () => [] };
}

/** A table of several formats, JSON first, as the specification names them. */
const several = [
  format('.json', 'application/json'),
  format('.yml', 'application/yaml'),
  format('.xml', 'application/xml'),
  format('.csv', 'application/csv'),
];

function chosen(accept: string | undefined, formats: readonly Format[] = several): string | undefined {
  return negotiate(accept, formats)?.extension;
}

const CHROME =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';
const FIREFOX = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const OLD_FIREFOX = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8';
const SAFARI = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const EDGE_LEGACY = 'text/html, application/xhtml+xml, application/xml; q=0.9, */*; q=0.8';

describe('negotiate', () => {
  test.each([
    ['nothing', undefined],
    ['an empty field', ''],
    ['curl, wget and others that take anything', '*/*'],
    ['axios', 'application/json, text/plain, */*'],
    ['jQuery', 'application/json, text/javascript, */*; q=0.01'],
    ['Chrome, although it ranks XML above the rest', CHROME],
    ['Firefox', FIREFOX],
    ['an older Firefox', OLD_FIREFOX],
    ['Safari', SAFARI],
    ['the old Edge', EDGE_LEGACY],
    ['an image element', 'image/avif,image/webp,*/*;q=0.8'],
    ['a plain wish for JSON', 'application/json'],
    ['a wish for JSON with its charset', 'application/json; charset=utf-8'],
    ['a wish for any application type', 'application/*'],
  ])('gives JSON to %s', (_, accept) => {
    expect(chosen(accept)).toBe('.json');
  });

  test.each([
    ['application/xml', '.xml'],
    ['application/yaml', '.yml'],
    ['application/csv, text/plain', '.csv'],
    ['application/json;q=0.5, application/xml', '.xml'],
    ['application/xml;q=0.4, application/yaml;q=0.6, */*;q=0.1', '.yml'],
    ['application/json;q=0, */*', '.yml'],
    ['text/html;q=0, application/xml', '.xml'],
    ['*/*;q=0.1, application/csv;q=0.2', '.csv'],
    ['application/xml, application/json', '.xml'],
  ])('goes by the weights of %s, and where they are alike by their order: %s', (accept, extension) => {
    expect(chosen(accept)).toBe(extension);
  });

  test.each([
    'text/plain',
    'image/png, image/*;q=0.8',
    'application/pdf',
    'application/json;q=0',
    '*/*;q=0',
    'application/json; charset=iso-8859-1',
    'nonsense',
    ';;;',
  ])('finds nothing acceptable in %s', (accept) => {
    expect(chosen(accept)).toBeUndefined();
  });

  test('finds nothing acceptable when the only format is not wanted', () => {
    expect(chosen('application/xml', several.slice(0, 1))).toBeUndefined();
    expect(chosen('application/xml, */*;q=0.1', several.slice(0, 1))).toBe('.json');
  });
});
