import { feedEntries } from '../../model/resources/feed-entries.js';
import { RecordSet } from '../../records/record-set.js';
import { asFailure } from '../../source/client/source-failure.js';
import type { FeedAddress, FeedPaging } from '../../source/dialect/dialect.js';
import { nameFeeds } from '../../lists/feeds/feed-addresses.js';
import { buildFeedLists } from '../../lists/feeds/feed-lists.js';
import { assignIds } from '../../source/record/record-ids.js';
import { describeFailure } from '../describe-failure.js';
import type { FailedResourceReport, ResourceReport } from '../preview-report.js';
import type { PreviewSession } from '../preview-session.js';
import { buildFeedReport } from './feed-report.js';
import type { ObservedFeed, ReadFeed } from './feed-report.js';

/**
 * Requests each feed of a source once, one after the other, and reports what became of its items (operation 1.7). The ids
 * are those of a server with these feeds. Never rejects because of the source's behaviour.
 */
export async function previewFeeds(session: PreviewSession, { feeds }: FeedPaging): Promise<readonly ResourceReport[]> {
  const names = nameFeeds(feeds.map(({ url }) => url.href));
  const readings: (ReadFeed | FailedResourceReport)[] = [];
  for (const feed of feeds) readings.push(await readFeedOnce(session, feed));
  const { code, number, access } = session.options.registration;
  const origin = { sourceNumber: number, access };
  const readFeeds = readings.flatMap((reading) => ('failure' in reading ? [] : [reading]));
  const sets = readFeeds.map(({ records, address: { title } }) => ({
    set: new RecordSet(feedEntries, origin, records),
    title,
  }));
  const lists = sets.length === 0 ? undefined : await buildFeedLists(sets, { code, number });
  return readings.map((reading, at): ResourceReport => {
    const name = { resource: 'feed', interface: feedEntries.interfaceName, feed: names[at] ?? '' } as const;
    if ('failure' in reading) return { ...name, ...reading };
    if (lists === undefined) throw new Error('a feed was read, and is in no list');
    return { ...name, ...buildFeedReport(reading, lists, session) };
  });
}

async function readFeedOnce(session: PreviewSession, address: FeedAddress): Promise<ReadFeed | FailedResourceReport> {
  const recording = session.startRecording(feedEntries);
  let observed: ObservedFeed | undefined;
  try {
    const page = await session.fetchFeed(address, recording, (...seen) => {
      observed = seen;
    });
    if (observed === undefined) throw new Error('the feed was not parsed in this thread');
    const { records } = await assignIds(feedEntries, session.options.registration, page.records);
    return { address, recording, observed, page, records };
  } catch (error) {
    return describeFailure(asFailure(error), session, [recording]);
  }
}
