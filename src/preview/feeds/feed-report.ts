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
import type { FeedLists } from '../../source/feeds/feed-lists.js';
import type { FeedItem } from '../../source/format/feed/read-feed.js';
import type { FindingRule } from '../../source/record/findings.js';
import { reportFindings } from '../finding-reports.js';
import type { RecordReading } from '../observation/recording-record-reader.js';
import type { ChannelReport, PathValue, PropertyReport, ReadResourceReport, RecordReport } from '../preview-report.js';
import type { ListRecording, PreviewSession } from '../preview-session.js';
import { readProperty } from '../read-records.js';
import { countDropped, listFailures } from '../resource-report.js';

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
  const reporter = new FeedRecordReporter(feed, lists, session);
  return {
    channel: reporter.reportChannel(),
    isDocument: false,
    received: items.length,
    leftOut: 0,
    read: read.filter(({ record }) => record !== undefined).length,
    dropped: countDropped(read.map(({ dropped }) => ({ dropped }))),
    problems: listFailures(() => {
      requireReadableRecords(page, feedEntries);
    }).map(sanitizer.redact),
    records: read.slice(0, options.limit).map((item, at) => reporter.reportItem(item, at)),
    expressions: [],
    unused: [],
    unusedBeyond: 0,
    outside: [],
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

/** Where a property comes from: names of values of the feed or item. */
type PropertyOrigin = Pick<PropertyReport, 'origin'> & { readonly names: readonly string[] };

const FROM_REGISTRATION: PropertyOrigin = { origin: 'registration', names: [] };

/** Where the properties come from that an item does not state. */
const ITEM_ORIGINS: ReadonlyMap<string, PropertyOrigin> = new Map([
  ['channels', { origin: 'derived', names: [] }],
  [newsItem.sourceNameProperty, FROM_REGISTRATION],
]);

/** Reports the channel and the items of one feed, as clients will get them. */
class FeedRecordReporter {
  private readonly updatedName: string;

  constructor(
    private readonly feed: ReadFeed,
    private readonly lists: FeedLists,
    private readonly session: PreviewSession,
  ) {
    this.updatedName = `-${session.options.registration.code}-updated`;
  }

  reportChannel(): ChannelReport {
    const {
      address,
      observed: [feed],
      recording,
      records,
    } = this.feed;
    const { sanitizer } = this.session;
    const { lifetime } = feed;
    const sent = Object.fromEntries(Object.entries(feed).filter(([name]) => CHANNEL_VALUES.has(name)));
    const [entry] = records;
    const id = entry === undefined ? '' : this.lists.idOf(entry);
    const shown = project(
      this.lists.channels.records.find((record) => record.id === id),
      channels,
    );
    const format = recording.body && nameFeedFormat(recording.body);
    const originOf = (name: string): PropertyOrigin => {
      if (name === ID) return { origin: 'derived', names: [] };
      if (name === 'rss' || name === channels.sourceNameProperty) return FROM_REGISTRATION;
      return { origin: name === 'title' && address.title !== undefined ? 'registration' : 'source', names: [name] };
    };
    return {
      id,
      ...(format !== undefined && { format }),
      ...(lifetime !== undefined && { lifetime: lifetime / 1_000 }),
      record: this.copyRecord(shown),
      sent: sanitizer.copy(sent),
      properties: this.reportProperties(shown, { sent, reading: recording.reader.readings[0], originOf }),
    };
  }

  reportItem({ item, reading, record, dropped }: ReadItem, at: number): RecordReport {
    const { sanitizer } = this.session;
    const id = record && this.lists.idOf(record);
    const shown = project(id === undefined ? undefined : this.lists.selectItem(id).records[0], newsItem);
    const originOf = (name: string): PropertyOrigin => {
      if (name === ID) return { origin: 'derived', names: listIdentityNames(item) };
      return ITEM_ORIGINS.get(name) ?? { origin: 'source', names: [name === this.updatedName ? UPDATED : name] };
    };
    return {
      entry: at + 1,
      ...(id !== undefined && { id }),
      ...(dropped && { dropped }),
      record: this.copyRecord(shown),
      sent: sanitizer.copy(item),
      properties: this.reportProperties(shown, { sent: item, reading, originOf }),
      unused: [],
    };
  }

  private copyRecord(shown: ReadonlyMap<string, unknown>): RecordReport['record'] {
    const { sanitizer } = this.session;
    return Object.fromEntries([...shown].map(([name, value]) => [name, sanitizer.copy(value)]));
  }

  /** The properties of the record, then those that were sent and are not among them. */
  private reportProperties(
    shown: ReadonlyMap<string, unknown>,
    {
      sent,
      reading,
      originOf,
    }: {
      readonly sent: object;
      readonly reading: RecordReading | undefined;
      readonly originOf: (name: string) => PropertyOrigin;
    },
  ): readonly PropertyReport[] {
    const { sanitizer } = this.session;
    const shownNames = new Map([
      [GUID, ID],
      [UPDATED, this.updatedName],
    ]);
    const sentNames = Object.keys(sent).map((name) => shownNames.get(name) ?? name);
    return [...new Set([...shown.keys(), ...sentNames])].map((name): PropertyReport => {
      const { origin, names } = originOf(name);
      const value = shown.get(name);
      const from = names.map((one): PathValue => ({ path: one, value: readProperty(sent, one) }));
      const field = name === this.updatedName ? UPDATED : name;
      const findings = (reading?.findings ?? []).filter((finding) => finding.field === field).map(({ rule }) => rule);
      return {
        name,
        ...(value !== undefined && { value: sanitizer.copy(value) }),
        origin,
        from: from.map((one) => sanitizer.copyPathValue(one)),
        findings: [...new Set(findings)],
      };
    });
  }
}

/** What a feed states about itself, beside its lifetime. */
const CHANNEL_VALUES: ReadonlySet<string> = new Set(['title', 'link', 'image', 'summary', 'copyright']);

const ID = 'id';
const GUID = 'guid';
const UPDATED = 'updated';

/** The values that the id of an item is computed from (decisions 4.32.3). */
function listIdentityNames({ guid, link, title }: FeedItem): readonly string[] {
  if (guid !== undefined) return [GUID];
  if (link !== undefined) return ['link'];
  return [title === undefined ? 'summary' : 'title', 'published'];
}

function project(record: StoredRecord | undefined, resource: Resource): ReadonlyMap<string, unknown> {
  return record === undefined ? new Map() : createProjector(resource, 'members')(record);
}
