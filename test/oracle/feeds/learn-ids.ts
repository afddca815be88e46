import { expect } from 'vitest';
import type { TestGateway } from '../../support/gateway/test-gateway.js';
import { fieldsOf } from '../../support/gateway/data-gateway.js';
import { CHANNELS, NEWS } from '../model/oracle-resources.js';
import { contentOfFeeds } from '../model/read-feeds.js';
import type { FeedIds } from '../model/read-feeds.js';
import type { GeneratedSource } from '../random-sources.js';
import { completeRecords } from '../start-sources.js';

/**
 * The model does not compute the ids of items and channels of feeds. Returns the fleet with those that the gateway uses,
 * assigned to records by everything else in them. Requires that the gateway has exactly the expected records, and that
 * each id is a safe integer with the number of the source.
 */
export async function learnIds(
  gateway: TestGateway,
  fleet: readonly GeneratedSource[],
): Promise<readonly GeneratedSource[]> {
  return Promise.all(
    fleet.map(async (source) =>
      source.feeds === undefined ? source : { ...source, feedIds: await idsOf(gateway, source) },
    ),
  );
}

async function idsOf(gateway: TestGateway, source: GeneratedSource): Promise<FeedIds> {
  const ids = new Map<string, number[]>();
  const all: number[] = [];
  for (const { list } of [NEWS, CHANNELS]) {
    const records = completeRecords(await gateway.get(`${list}?envelope=false&limit=10000`));
    for (const record of records) {
      const id = Number(record['id']);
      if (id % 1_000 !== source.number) continue;
      expect(Number.isSafeInteger(id)).toBe(true);
      all.push(id);
      const content = list === NEWS.list ? await detailOf(gateway, record) : record;
      const key = contentOfFeeds(new Map(Object.entries(content)));
      ids.set(
        key,
        [...(ids.get(key) ?? []), id].sort((one, other) => one - other),
      );
    }
  }
  expect(new Set(all).size).toBe(all.length);
  return ids;
}

/** The detail form of an item, which has what the list has. */
async function detailOf(gateway: TestGateway, listed: Readonly<Record<string, unknown>>): Promise<object> {
  const { status, json } = await gateway.get(`${NEWS.list}/${String(listed['id'])}?envelope=false`);
  expect(status).toBe(200);
  expect(json).toMatchObject(listed);
  return fieldsOf(json);
}
