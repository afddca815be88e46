import { describe, expect, it } from 'vitest';
import { findSnapshot } from '../../../src/model/outcome.js';
import type { Outcome } from '../../../src/model/outcome.js';
import { channels } from '../../../src/model/resources/channels.js';
import { news } from '../../../src/model/resources/news.js';
import { FeedRetrieval } from '../../../src/lists/feeds/feed-retrieval.js';
import { createSourceRequestContext } from '../../../src/source/request/source-request-context.js';
import type { Snapshot } from '../../../src/lists/snapshot.js';
import { feedChannel, feedRecordSet } from '../../support/unit/feed-record-set.js';

const URLS = ['https://cert.example.org/a.xml', 'https://cert.example.org/b.xml'];
const context = createSourceRequestContext(new AbortController().signal);

function snapshot(name: string, times: Partial<Snapshot> = {}): Snapshot {
  const set = feedRecordSet([
    feedChannel(`https://cert.example.org/${name}.xml`),
    { identity: `guid ${name}`, title: name },
  ]);
  return { set, fetchedAt: 1, verifiedAt: 1, staleAt: 9, via: [], lists: [], ...times };
}

interface Scene {
  readonly retrieval: FeedRetrieval;
  /** What each feed gives, in the order of `URLS`; may be replaced. */
  readonly outcomes: Outcome<Snapshot>[];
  readonly events: object[];
}

function createScene(...outcomes: Outcome<Snapshot>[]): Scene {
  const events: object[] = [];
  const retrieval = new FeedRetrieval({
    source: { code: 'cert', number: 7 },
    feeds: URLS.map((url) => ({ url: new URL(url), title: undefined })),
    getFeed: ({ parameters: { feed = '' } }) => {
      const outcome = outcomes[URLS.indexOf(feed)];
      return outcome === undefined ? Promise.reject(new Error(feed)) : Promise.resolve(outcome);
    },
    publish: (event) => events.push(event),
  });
  return { retrieval, outcomes, events };
}

function titles(outcome: Outcome<Snapshot>): unknown {
  const position = news.properties.findIndex(({ name }) => name === 'title');
  return findSnapshot(outcome)?.set.records.map((record) => record.valueAt(position));
}

const failed: Outcome<Snapshot> = { state: 'failed', reason: 'timeout' };

describe('a source that consists of feeds', () => {
  it('is fresh where all feeds are, as old as the oldest and changed when the last of them changed', async () => {
    const [a, b] = [
      snapshot('a', { verifiedAt: 5, changedAt: 2_000, via: ['x'] }),
      snapshot('b', { staleAt: 7, changedAt: 3_000 }),
    ];
    const { retrieval } = createScene({ state: 'fresh', snapshot: a }, { state: 'fresh', snapshot: b });
    const outcome = await retrieval.get(news, context);
    expect(outcome).toMatchObject({
      state: 'fresh',
      snapshot: { verifiedAt: 1, staleAt: 7, changedAt: 3_000, via: ['x'] },
    });
    expect(titles(outcome)).toEqual(['a', 'b']);
    expect(await retrieval.get(channels, context)).toMatchObject({ snapshot: { set: { records: { length: 2 } } } });
  });

  it('is stale with the reason of a feed that is served from its last copy', async () => {
    const stale: Outcome<Snapshot> = { state: 'stale', reason: 'body', snapshot: snapshot('b') };
    const outcome = await createScene({ state: 'fresh', snapshot: snapshot('a') }, stale).retrieval.get(news, context);
    expect(outcome).toMatchObject({ state: 'stale', reason: 'body' });
    expect(titles(outcome)).toEqual(['a', 'b']);
  });

  it.each<[string, Outcome<Snapshot>]>([
    ['failed', failed],
    ['is suspended', { state: 'suspended', reason: 'connect' }],
    ['leads back to this gateway', { state: 'excluded', reason: 'loop' }],
  ])('is partial where a feed %s without a copy, whatever the others are', async (_, missing) => {
    const stale: Outcome<Snapshot> = { state: 'stale', reason: 'body', snapshot: snapshot('b') };
    const outcome = await createScene(missing, stale).retrieval.get(news, context);
    expect(outcome).toMatchObject({ state: 'partial', reason: 'feed' });
    expect(titles(outcome)).toEqual(['b']);
  });

  it('fails with the reason of the first feed that failed where none has a copy', async () => {
    const excluded: Outcome<Snapshot> = { state: 'excluded', reason: 'loop' };
    expect(await createScene(excluded, failed).retrieval.get(news, context)).toEqual(failed);
    expect(await createScene(excluded, excluded).retrieval.get(news, context)).toEqual(excluded);
  });

  it('gives the same lists until a feed changes', async () => {
    const { retrieval, outcomes, events } = createScene(
      { state: 'fresh', snapshot: snapshot('a') },
      { state: 'fresh', snapshot: snapshot('b') },
    );
    const setOf = async (): Promise<unknown> => findSnapshot(await retrieval.get(news, context))?.set;
    const first = await setOf();
    await retrieval.getChannel('none', context);
    await retrieval.getItem('1007', context);
    expect(await setOf()).toBe(first);
    outcomes[1] = { state: 'fresh', snapshot: snapshot('c') };
    expect(await setOf()).not.toBe(first);
    expect(events).toEqual([]);
  });
});
