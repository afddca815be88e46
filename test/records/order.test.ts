import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { positionOf } from '../../src/model/resource.js';
import { news } from '../../src/model/resources/news.js';
import { byDate, placesOf, totalOrder, withOrder } from '../../src/records/order.js';
import { RecordSet } from '../../src/records/record-set.js';
import { imfFixdate } from '../../src/text/date.js';
import { recordsOf } from '../support/records.js';

const PUBLISHED = positionOf(news, 'published');

/** Items that were published then; undefined: at no time. */
function setOf(dates: readonly (number | undefined)[]): RecordSet {
  const records = dates.map((at, nth) => {
    const values = news.properties.map((_, position) =>
      position === PUBLISHED && at !== undefined ? imfFixdate(at) : undefined,
    );
    return { id: String(1_000 - nth), values };
  });
  return new RecordSet(news, 1, recordsOf(news, records));
}

const instants = fc.oneof(
  fc.constantFrom(0, 1_000, -1_000),
  fc.integer({ min: Date.UTC(1000, 0) / 1_000, max: Date.UTC(9999, 0) / 1_000 }).map((seconds) => seconds * 1_000),
);

describe('byDate', () => {
  it('orders as comparing every two places does, ties too', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(instants, { maxLength: 100 }), fc.boolean(), async (dates, descending) => {
        const order = [{ property: 'published', descending }];
        const from = await withOrder(setOf(dates), order);
        const positions = Uint32Array.from(dates.keys());
        const compared = placesOf(from, positions).sort(totalOrder(order));
        expect(byDate(from, positions, order)?.map(({ at }) => at)).toEqual(compared.map(({ at }) => at));
      }),
    );
  });

  it('leaves other orders, and records of which one has no date, to that', async () => {
    const positions = Uint32Array.of(0, 1);
    const byTitle = [{ property: 'title', descending: false }];
    expect(byDate(await withOrder(setOf([0, 1]), byTitle), positions, byTitle)).toBeUndefined();
    const published = [{ property: 'published', descending: false }];
    expect(byDate(await withOrder(setOf([0, undefined]), published), positions, published)).toBeUndefined();
    const both = [...published, ...byTitle];
    expect(byDate(await withOrder(setOf([0, 1]), both), positions, both)).toBeUndefined();
  });
});
