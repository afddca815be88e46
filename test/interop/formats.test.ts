import { describe, expect, test } from 'vitest';
import type { DocumentNode } from '../../src/model/document-node.js';
import { allowed, bytes, describeRoundTrip, itemsOf, tableOf } from '../render/round-trip.js';
import { hostileTexts } from '../support/generators/hostile-values.js';
import { readByPython, shownByOffice } from './readers.js';

describeRoundTrip(readByPython, 3);

describe('LibreOffice', () => {
  test('shows the texts of a workbook unchanged, and computes no formula', async () => {
    const texts = hostileTexts.map(
      (text) =>
        new Map<string, DocumentNode>([
          ['host', `${text}.`],
          ['email', text],
          ['phone-numbers', ['=1+1', text]],
        ]),
    );
    const table = tableOf(texts);
    const body = shownByOffice(await bytes('xlsx', { table }));
    const [found] = readByPython([{ format: 'csv', body }]);
    const shown = (value: DocumentNode | undefined): string =>
      allowed(
        itemsOf(value ?? '')
          .join('\n')
          .replace(/\r\n?/g, '\n'),
      );
    expect(found).toEqual([table.columns, ...texts.map((row) => table.columns.map((name) => shown(row.get(name))))]);
  });
});
