import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serializeAttachment } from '../../src/headers/content-disposition.js';
import { anyText } from '../support/generators/any-text.js';

describe('serializeAttachment', () => {
  it('writes an attachment with a file name', () => {
    expect(serializeAttachment('teams.partial.csv')).toBe('attachment; filename="teams.partial.csv"');
  });

  it('replaces characters that could end the name, the field or the head with underscores', () => {
    expect(serializeAttachment('a"; filename=b\r\nSet-Cookie: c\\.csv')).toBe(
      'attachment; filename="a_filename_b_Set-Cookie_c_.csv"',
    );
  });

  it('writes one field of plain characters for any name', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        expect(serializeAttachment(name)).toMatch(/^attachment; filename="[\w.-]*"$/);
      }),
    );
  });
});
