import fc from 'fast-check';

const point = fc.oneof(
  fc.integer({ min: 0, max: 0x7f }),
  fc.integer({ min: 0x80, max: 0x24ff }),
  fc.integer({ min: 0x2500, max: 0xd7ff }),
  fc.integer({ min: 0xe000, max: 0xffff }),
  fc.integer({ min: 0x10000, max: 0x10ffff }),
);

/** Any text that UTF-8 can encode: all code points except surrogates. */
export const anyText: fc.Arbitrary<string> = fc
  .array(point, { maxLength: 10 })
  .map((points) => String.fromCodePoint(...points));

/** Any JavaScript string, including lone surrogates. */
export const anyUtf16: fc.Arbitrary<string> = fc
  .array(fc.oneof(point, fc.integer({ min: 0xd800, max: 0xdfff })), { maxLength: 10 })
  .map((points) => String.fromCodePoint(...points));
