import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serializeAttachment } from '../../src/headers/content-disposition.js';
import { anyText } from '../support/generators/any-text.js';

describe('attachment', () => {
  it('has an answer saved under its name', () => {
    expect(serializeAttachment('teams.partial.csv')).toBe('attachment; filename="teams.partial.csv"');
  });

  it('writes what could end the name, the field or the head as an underscore', () => {
    expect(serializeAttachment('a"; filename=b\r\nSet-Cookie: c\\.csv')).toBe(
      'attachment; filename="a_filename_b_Set-Cookie_c_.csv"',
    );
  });

  it('is one field of plain characters, whatever the name', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        expect(serializeAttachment(name)).toMatch(/^attachment; filename="[\w.-]*"$/);
      }),
    );
  });
});
