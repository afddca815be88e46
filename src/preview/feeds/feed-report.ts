import type { DraftRecord, StoredRecord } from '../../model/record.js';
import type { Resource } from '../../model/resource.js';
import { channels } from '../../model/resources/channels.js';
import { feedEntries } from '../../model/resources/feed-entries.js';
import { newsItem } from '../../model/resources/news.js';
import { createProjector } from '../../projection/record-projector.js';
import type { SourcePage } from '../../source/body/page.js';
import { requireReadableRecords } from '../../source/body/parse-page-body.js';
import type { FeedAddress } from '../../source/dialect/dialect.js';
import type { FeedObserver } from '../../source/dialect/feed/feed-parser.js';
import { nameFeedFormat } from '../../source/format/feed/feed-format.js';
import type { FeedLists } from '../../lists/feeds/feed-lists.js';
import type { FeedItem } from '../../source/format/feed/read-feed.js';
import type { FindingRule } from '../../source/record/findings.js';
import { reportFindings } from '../finding-reports.js';
import type { RecordReading } from '../recording-record-reader.js';
import type { ChannelReport, ReadResourceReport, RecordReport } from '../preview-report.js';
import type { ListRecording, PreviewSession } from '../preview-session.js';
import { countDropped, listFailures } from '../resource-report.js';
import type { Sanitizer } from '../sanitizer.js';

/** What a feed contains, before its records are read. */
export type ObservedFeed = Parameters<FeedObserver>;

/** A feed that was read. */
export interface ReadFeed {
  readonly address: FeedAddress;
  readonly recording: ListRecording;
  readonly observed: ObservedFeed;
  readonly page: SourcePage<DraftRecord>;
  /** The records of the page, the channel first, each with its identity as its id. */
  readonly records: readonly StoredRecord[];
}

/** An item of a feed, and what became of it. */
interface ReadItem {
  readonly item: FeedItem;
  /** Absent: another item of the feed has its identity, and is used instead. */
  readonly reading?: RecordReading;
  /** Absent: it was dropped. */
  readonly record?: StoredRecord;
  readonly dropped?: FindingRule;
}

/** Reports what became of the channel and the items of a feed, with the ids that `lists` gives them. */
export function buildFeedReport(feed: ReadFeed, lists: FeedLists, session: PreviewSession): ReadResourceReport {
  const { page, observed, recording } = feed;
  const { sanitizer, options } = session;
  const [{ items }] = observed;
  const read = matchItems(feed);
  return {
    channel: reportChannel(feed, lists, sanitizer),
    isDocument: false,
    received: items.length,
    leftOut: 0,
    read: read.filter(({ record }) => record !== undefined).length,
    dropped: countDropped(read.map(({ dropped }) => ({ dropped }))),
    problems: listFailures(() => {
      requireReadableRecords(page, feedEntries);
    }).map(sanitizer.redact),
    records: read.slice(0, options.limit).map((item, at) => reportItem(item, at, { lists, sanitizer })),
    expressions: [],
    unused: [],
    findings: reportFindings(page.findings, [...listRepeatedGuids(items), ...recording.reader.readings], sanitizer),
    entries: items.slice(0, options.limit).map((item) => sanitizer.copy(item)),
  };
}

/** The items in the order of the feed. The first record and the first reading are those of the channel. */
function matchItems({ observed: [feed, identified], recording, records }: ReadFeed): readonly ReadItem[] {
  const readings = new Map(identified.map(({ item }, at) => [item, recording.reader.readings[at + 1]]));
  let kept = 0;
  const recordsByItem = new Map<FeedItem, StoredRecord | undefined>();
  for (const { item } of identified)
    if (readings.get(item)?.isKept === true) recordsByItem.set(item, records[(kept += 1)]);
  return feed.items.map((item): ReadItem => {
    const [reading, record] = [readings.get(item), recordsByItem.get(item)];
    if (reading === undefined) return { item, dropped: 'repeated-id' };
    const rule = reading.findings.at(-1)?.rule;
    return { item, reading, ...(record ? { record } : rule && { dropped: rule }) };
  });
}

/** Examples of the finding about guids that occur again, which is about several items. */
function listRepeatedGuids(items: readonly FeedItem[]): readonly RecordReading[] {
  const seen = new Set<string>();
  const repeated = items.find(({ guid }) => guid !== undefined && seen.size === seen.add(guid).size);
  return repeated ? [{ raw: repeated, isKept: true, findings: [{ field: 'guid', rule: 'repeated-id' }] }] : [];
}

/** The channel as clients get it, and what the feed states about itself. */
function reportChannel(
  { observed: [feed], recording: { body }, records: [entry] }: ReadFeed,
  lists: FeedLists,
  sanitizer: Sanitizer,
): ChannelReport {
  const { title, link, image, summary, copyright, lifetime } = feed;
  const id = entry === undefined ? '' : lists.idOf(entry);
  const format = body && nameFeedFormat(body);
  const channel = lists.channels.records.find((record) => record.id === id);
  return {
    id,
    ...(format !== undefined && { format }),
    ...(lifetime !== undefined && { lifetime: lifetime / 1_000 }),
    record: sanitizer.copyRecord(project(channel, channels)),
    sent: sanitizer.copy({ title, link, image, summary, copyright }),
  };
}

/** An item in detail form as clients get it, and what the feed states about it. */
function reportItem(
  { item, reading, record, dropped }: ReadItem,
  at: number,
  { lists, sanitizer }: { readonly lists: FeedLists; readonly sanitizer: Sanitizer },
): RecordReport {
  const id = record && lists.idOf(record);
  const shown = project(id === undefined ? undefined : lists.selectItem(id).records[0], newsItem);
  return {
    entry: at + 1,
    ...(id !== undefined && { id }),
    ...(dropped && { dropped }),
    record: sanitizer.copyRecord(shown),
    sent: sanitizer.copy(item),
    findings: reading?.findings ?? [],
  };
}

function project(record: StoredRecord | undefined, resource: Resource): ReadonlyMap<string, unknown> {
  return record === undefined ? new Map() : createProjector(resource, 'members')(record);
}
