import { describe, expect, test } from 'vitest';
import { negotiateCodings, negotiateFormat } from '../../../src/http/request/content-negotiation.js';
import { jsonFormat } from '../../../src/render/formats.js';
import type { Format } from '../../../src/render/formats.js';
import { XLSX, plainFormats } from '../../support/gateway/plain-formats.js';

const several = plainFormats(jsonFormat);

function chosenExtension(accept: string | undefined, formats: readonly Format[] = several): string | undefined {
  return negotiateFormat(accept, formats)?.format.extensions[0];
}

const CHROME =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7';
const FIREFOX = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const OLD_FIREFOX = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8';
const SAFARI = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const EDGE_LEGACY = 'text/html, application/xhtml+xml, application/xml; q=0.9, */*; q=0.8';

const EXCEL_ODATA =
  'application/json;odata.metadata=minimal;q=1.0,application/json;odata=minimalmetadata;q=0.9,' +
  'application/atomsvc+xml;q=0.8,application/atom+xml;q=0.8,application/xml;q=0.7,text/plain;q=0.7';

describe('negotiateFormat', () => {
  test.each([
    ['a client that sends no Accept', undefined],
    ['an empty Accept', ''],
    ['curl and wget', '*/*'],
    ['Go net/http, which sends no field', undefined],
    ['Python requests, httpx and aiohttp', '*/*'],
    ['Postman and Insomnia', '*/*'],
    ['Excel and Power BI (Web.Contents)', '*/*'],
    ['Excel and Power BI (OData.Feed)', EXCEL_ODATA],
    ['PowerShell 5, which sends the field of a browser', 'text/html, application/xhtml+xml, image/jxr, */*'],
    ['LibreOffice', '*/*'],
    ['a reader of XHTML', 'application/xhtml+xml, application/xml;q=0.9'],
    ['Java', 'text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2'],
    ['R httr', 'application/json, text/xml, application/xml, */*'],
    ['axios and Angular', 'application/json, text/plain, */*'],
    ['a script element', '*/*'],
    ['jQuery', 'application/json, text/javascript, */*; q=0.01'],
    ['Chrome, although it ranks XML above the rest', CHROME],
    ['Firefox', FIREFOX],
    ['an older Firefox', OLD_FIREFOX],
    ['Safari', SAFARI],
    ['the old Edge', EDGE_LEGACY],
    ['an image element', 'image/avif,image/webp,*/*;q=0.8'],
    ['application/json', 'application/json'],
    ['application/json with charset', 'application/json; charset=utf-8'],
    ['application/*', 'application/*'],
  ])('selects JSON for %s', (_, accept) => {
    expect(chosenExtension(accept)).toBe('.json');
  });

  test.each([
    ['application/xml', '.xml'],
    ['application/yaml', '.yml'],
    ['application/csv, text/plain', '.csv'],
    ['text/csv', '.csv'],
    ['text/xml', '.xml'],
    ['text/yaml', '.yml'],
    ['application/x-yaml', '.yml'],
    ['TEXT/CSV;header=present', '.csv'],
    ['text/csv; charset=UTF-8', '.csv'],
    [XLSX, '.xlsx'],
    ['text/*', '.yml'],
    ['application/json;q=0.5, application/xml', '.xml'],
    ['application/xml;q=0.4, application/yaml;q=0.6, */*;q=0.1', '.yml'],
    ['application/json;q=0, */*', '.yml'],
    ['text/html;q=0, application/xml', '.xml'],
    ['*/*;q=0.1, application/csv;q=0.2', '.csv'],
    ['application/xml, application/json', '.xml'],
  ])('selects by the weights of %s, and by order among equal weights: %s', (accept, extension) => {
    expect(chosenExtension(accept)).toBe(extension);
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
    expect(chosenExtension(accept)).toBeUndefined();
  });

  test('finds nothing acceptable when the only format is not accepted', () => {
    expect(chosenExtension('application/xml', several.slice(0, 1))).toBeUndefined();
    expect(chosenExtension('application/xml, */*;q=0.1', several.slice(0, 1))).toBe('.json');
  });

  test.each([
    ['text/csv', 'text/csv'],
    ['text/xml, application/xml;q=0.9', 'text/xml'],
    ['text/yaml', 'text/yaml'],
    ['application/x-yaml', 'application/x-yaml'],
    ['application/csv, text/csv', 'application/csv'],
    ['application/csv;q=0.5, text/csv', 'text/csv'],
    [XLSX, XLSX],
    ['*/*', 'application/json'],
    ['application/*;q=0.5, application/json;q=0', 'application/yaml'],
  ])('returns the media type that %s names: %s', (accept, mediaType) => {
    expect(negotiateFormat(accept, several)?.mediaType).toBe(mediaType);
  });

  test('reads only the first media ranges of an overlong field', () => {
    const many = 'a/b,'.repeat(15_000);
    expect(chosenExtension(`application/xml,${many}application/yaml`)).toBe('.xml');
    expect(chosenExtension(`${many}application/xml`)).toBeUndefined();
    expect(chosenExtension(`application/xml;x="${'\\"'.repeat(30_000)}`)).toBeUndefined();
  });
});

describe('negotiateCodings', () => {
  test('sorts codings by weight, then by the preference of the server', () => {
    const codings = ['br', 'gzip', 'identity'] as const;
    expect(negotiateCodings('gzip, br', codings)).toEqual(['br', 'gzip', 'identity']);
    expect(negotiateCodings('br;q=0.1, gzip;q=0.2', codings)).toEqual(['gzip', 'br', 'identity']);
    expect(negotiateCodings('identity;q=0', codings)).toEqual([]);
    expect(negotiateCodings('x-gzip', codings)).toEqual(['gzip', 'identity']);
  });
});
