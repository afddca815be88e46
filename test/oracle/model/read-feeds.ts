import { expectedChannels, expectedItems } from './feeds.js';
import type { OracleFeed } from './feeds.js';
import { CHANNELS, NEWS } from './oracle-resources.js';
import type { OracleResource } from './oracle-resources.js';
import type { OracleRecord } from './read-records.js';
import type { DisplayedValue } from './read-value.js';
import { fold } from './text.js';

/** Ids of records, by everything else in them. */
export type FeedIds = ReadonlyMap<string, readonly number[]>;

/** A source that consists of feeds. */
export interface OracleFeedSource {
  readonly code: string;
  readonly number: number;
  readonly sourceName: string;
  readonly feeds: readonly OracleFeed[];
  readonly feedIds: FeedIds | undefined;
}

/** What a record has besides its id, as text. */
export function contentOfFeeds(record: ReadonlyMap<string, unknown>): string {
  const others = [...record].filter(([name, value]) => name !== 'id' && value !== undefined);
  return JSON.stringify(others.sort(([one], [other]) => (one < other ? -1 : 1)));
}

type Values = readonly (readonly [name: string, value: DisplayedValue | undefined])[];

/** The records of a source that consists of feeds. Requires the ids of exactly these records. */
export function readFeedRecords(resource: OracleResource, source: OracleFeedSource): OracleRecord[] {
  const { code, number, sourceName, feeds, feedIds } = source;
  if (resource !== NEWS && resource !== CHANNELS) return [];
  if (feedIds === undefined) throw new Error('the ids of the source are not known');
  const known = new Map([...feedIds].map(([content, ids]) => [content, [...ids]]));
  const toRecord = (values: Values, detail: Values, channels: readonly string[]): OracleRecord => {
    const shown = new Map(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
    const id = known.get(contentOfFeeds(new Map([...shown, ...detail])))?.shift();
    if (id === undefined) throw new Error(`the gateway lacks ${JSON.stringify([...shown, ...detail])}`);
    const links = [...shown].filter(([name]) => resource.links.includes(name));
    const folded = channels.map(fold);
    const record = { id, number, keys: new Map<string, DisplayedValue>(), channels: folded, identity: '' };
    return { ...record, shown: new Map([['id', id], ...shown]), written: new Map(links) };
  };
  const records =
    resource === NEWS
      ? expectedItems(feeds).map(({ title, summary, link, published, updated, content, channels }) =>
          toRecord(
            [
              ['title', title],
              ['summary', summary],
              ['link', link],
              ['published', published],
              ['source-name', sourceName],
              [`-${code}-updated`, updated],
            ],
            [
              ['content', content],
              ['channels', channels.length === 0 ? undefined : channels],
            ],
            channels,
          ),
        )
      : expectedChannels(feeds).map(({ title, link, rss, summary }) =>
          toRecord(
            [
              ['title', title],
              ['link', link],
              ['rss', rss],
              ['summary', summary],
              ['source-name', sourceName],
            ],
            [],
            [],
          ),
        );
  return records;
}
