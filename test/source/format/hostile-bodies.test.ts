import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { documentFormats } from '../../../src/model/registration/document-mapping.js';
import type { DocumentFormat } from '../../../src/model/registration/document-mapping.js';
import { SourceFailure } from '../../../src/source/client/source-failure.js';
import { boundShrinking, generatedRuns } from '../../support/generated-runs.js';
import { readBody } from './read-body.js';

const SAMPLES: Readonly<Record<DocumentFormat, string>> = {
  json: '[{"name":"Zürich","phones":["+1 555 0100",null],"keys":{"id":1e3}}]',
  ndjson: '{"name":"Zürich"}\r\n{"phones":["+1 555 0100",null]}\n',
  csv: 'name;phone;phone\r\n"Zürich ""x""\r\n";+1 555 0100;\'=1\r\n;;\r\n',
  'rollcall-csv': 'name,phone-numbers,\'=x\r\nZürich,a\\|b|c\\\\,\'=1\r\n"a\r\nb",,\r\n',
  yaml: '%YAML 1.2\n--- !teams\n- name: &a Zürich\n  phones: [+1 555 0100, "x\\u00e9", \'y\']\n  note: |\n    a\n    b\n  ? k\n  : >-\n   v\n...\n',
  xml: '<?xml version="1.0"?><!DOCTYPE t><t a="1"><!-- c --><n>Z&#252;rich</n><n/><p:x><![CDATA[<y>]]>&amp;</p:x></t>',
};

/** Bytes that mean something in one of the formats or encodings. */
const SYNTAX = Buffer.from('\0\t\n\r "#%&\'*,-/:;<=>?[\\]|{}!@a0\x80\xc3\xbc\xe2\xed\xf0\xfe\xff', 'latin1');
const PIECES = [
  '<!DOCTYPE a [',
  '<!ENTITY a "b">',
  '<![CDATA[',
  '<!--',
  '&a;',
  '&a ',
  '*a',
  '\n---\n',
  '? ',
  '- ',
  '!!binary ',
  '""',
  '\ufeff',
  '__proto__',
];

interface Mutation {
  readonly at: number;
  readonly removed: number;
  readonly inserted: Buffer;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(200),
  removed: fc.nat(6),
  inserted: fc.oneof(
    fc.array(fc.constantFrom(...SYNTAX), { maxLength: 3 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom(...PIECES).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 3 }).map((bytes) => Buffer.from(bytes)),
  ),
});

function mutate(body: Buffer, { at, removed, inserted }: Mutation): Buffer {
  const from = at % (body.length + 1);
  return Buffer.concat([body.subarray(0, from), inserted, body.subarray(from + removed)]);
}

/** Whether a value consists of what JSON has. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null)
    return value === null || ['string', 'number', 'boolean'].includes(typeof value);
  const isExpected = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isExpected && Object.values(value).every(isPlain);
}

function describeResult(body: Buffer, format: DocumentFormat): string {
  try {
    return isPlain(readBody(body, { format }).value) ? 'value' : 'another value than JSON has';
  } catch (error) {
    if (!(error instanceof SourceFailure)) return String(error);
    return ['body', 'size'].includes(error.reason) && error.message.length < 200 ? 'failure' : error.message;
  }
}

describe.each(documentFormats)('a body of the format %s', (format) => {
  const sample = Buffer.from(SAMPLES[format]);

  it('is read before it is changed', () => {
    expect(describeResult(sample, format)).toBe('value');
  });

  it('gives plain values or a failure, whatever was changed in it', () => {
    fc.assert(
      boundShrinking(
        fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
          expect(describeResult(mutations.reduce(mutate, sample), format)).toMatch(/^(?:value|failure)$/);
        }),
      ),
      { numRuns: generatedRuns({ usual: 2_000, long: 200_000 }) },
    );
  });

  it('gives plain values or a failure wherever it is cut off', () => {
    for (let length = 0; length < sample.length; length += 1)
      expect(describeResult(sample.subarray(0, length), format)).toMatch(/^(?:value|failure)$/);
  });

  it('gives plain values or a failure in any other format', () => {
    for (const other of documentFormats) expect(describeResult(sample, other)).toMatch(/^(?:value|failure)$/);
  });
});
