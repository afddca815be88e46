import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { SourceFingerprints } from '../../config/config-fingerprint.js';
import { listStoredProperties } from '../../model/resource.js';
import type { StoredRecord } from '../../model/record.js';
import type { Resource } from '../../model/resource.js';
import { channels } from '../../model/resources/channels.js';
import { dataTeams, dataTeamsWithKeys } from '../../model/resources/data-teams.js';
import { directoryTeams } from '../../model/resources/directory-teams.js';
import { feedEntries } from '../../model/resources/feed-entries.js';
import { news, newsItem } from '../../model/resources/news.js';
import { RecordSet } from '../../records/record-set.js';
import type { RecordOrigin } from '../../records/record-set.js';
import type { ExpressionResults } from '../../source/record/drain-result.js';
import type { SnapshotValidators } from '../../source/drain/page-validators.js';
import type { SavedSnapshot } from '../../source/snapshot-persistence.js';
import type { RecordDigest } from './record-stream.js';
import { HeadReader } from './head-reader.js';

const FORMAT = 'rollcall-snapshot';

/** Changes when a file is laid out in another way, or when the same response of a source gives other records. */
const VERSION = 3;

const RESOURCES: ReadonlyMap<string, Resource> = new Map(
  [directoryTeams, dataTeams, news, newsItem, channels, feedEntries].map((resource) => [resource.name, resource]),
);

/** What is known of a saved snapshot besides its records (operation 2.5.3). Times are in milliseconds since 1970. */
export interface SnapshotHead extends Pick<SavedSnapshot, 'validators' | 'weight'> {
  readonly source: string;
  readonly fingerprints: SourceFingerprints;
  readonly query: Pick<SavedSnapshot['query'], 'resource' | 'parameters' | 'completeAtAnySize'>;
  readonly fetchedAt: number;
  readonly verifiedAt: number;
  readonly staleAt: number;
  readonly lastModified?: number | undefined;
  readonly via: readonly string[];
  readonly expressions?: ExpressionResults | undefined;
  readonly unreadProperties?: readonly string[] | undefined;
  /** As in `RecordSet.readAt`. */
  readonly readAt: number;
  readonly contestedIds: ReadonlyMap<string, readonly string[]>;
  /** Of the first records of an ordered list (`RecordSet`). */
  readonly unfetchedCount?: number | undefined;
  readonly isTruncated?: boolean | undefined;
  /** In the same folder. */
  readonly records: RecordDigest & { readonly file: string };
}

export function createHead(
  source: Pick<SnapshotHead, 'fingerprints'> & { readonly code: string },
  { query, snapshot, validators, weight }: SavedSnapshot,
  records: SnapshotHead['records'],
): SnapshotHead {
  const { set, fetchedAt, verifiedAt, staleAt, lastModified, via, expressions, unreadProperties } = snapshot;
  const { readAt, contestedIds, unfetchedCount, isTruncated } = set;
  return {
    source: source.code,
    ...(unfetchedCount > 0 && { unfetchedCount, isTruncated }),
    fingerprints: source.fingerprints,
    query,
    ...{ fetchedAt, verifiedAt, staleAt, lastModified, via, expressions, unreadProperties, readAt, contestedIds },
    ...{ validators, weight, records },
  };
}

export function createRecordSet(
  { query, readAt, contestedIds, unfetchedCount = 0, isTruncated = false }: SnapshotHead,
  records: readonly StoredRecord[],
  origin: RecordOrigin,
): RecordSet {
  return new RecordSet(query.resource, origin, records, { readAt, contestedIds, unfetchedCount, isTruncated });
}

export function createSnapshot(
  { fetchedAt, verifiedAt, staleAt, lastModified, via, expressions, unreadProperties }: SnapshotHead,
  set: RecordSet,
): SavedSnapshot['snapshot'] {
  const optional = {
    ...(lastModified !== undefined && { lastModified }),
    ...(expressions && { expressions }),
    ...(unreadProperties && { unreadProperties }),
  };
  return { set, fetchedAt, verifiedAt, staleAt, via, ...optional };
}

/** A checksum, and the head as JSON. */
export function formatHead({
  fingerprints,
  query,
  expressions,
  validators,
  contestedIds,
  ...head
}: SnapshotHead): string {
  const { resource, parameters, completeAtAnySize } = query;
  const json = JSON.stringify(
    {
      format: FORMAT,
      version: VERSION,
      properties: propertyNames(resource),
      ...head,
      ...fingerprints,
      resource: resource.name,
      parameters,
      completeAtAnySize,
      contestedIds: [...contestedIds],
      expressions: expressions && {
        ...expressions,
        valueCounts: [...expressions.valueCounts],
        failures: [...expressions.failures],
      },
      validators: validators?.map((one) => ({ ...one, url: one.url.href })),
    },
    encodeInfinity,
  );
  return `${checksum(json)}\n${json}\n`;
}

function encodeInfinity(_key: string, value: unknown): unknown {
  return value === Infinity ? String(value) : value;
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/** Undefined for a head of another version of the program. Throws where it is damaged. */
export function parseHead(text: string): SnapshotHead | undefined {
  const [sum, json = ''] = text.split('\n', 2);
  if (checksum(json) !== sum) throw new Error('the checksum is wrong');
  const reader = new HeadReader(JSON.parse(json));
  if (reader.value('format') !== FORMAT) throw new Error('not a snapshot of Rollcall');
  const parameters = reader.texts('parameters');
  const resource = findSavedResource(reader.text('resource'), parameters);
  const isKnown = reader.value('version') === VERSION && resource !== undefined;
  if (!isKnown || !isDeepStrictEqual(reader.value('properties'), propertyNames(resource))) return undefined;
  const records = reader.child('records');
  return {
    source: reader.text('source'),
    fingerprints: { definition: reader.text('definition'), context: reader.text('context') },
    query: {
      resource,
      parameters,
      ...(reader.value('completeAtAnySize') === true && { completeAtAnySize: true }),
    },
    fetchedAt: reader.number('fetchedAt'),
    verifiedAt: reader.number('verifiedAt'),
    staleAt: reader.number('staleAt'),
    lastModified: reader.optional('lastModified', () => reader.number('lastModified')),
    via: reader.list('via').map(String),
    readAt: reader.number('readAt'),
    contestedIds: new Map(reader.pairs('contestedIds').map(([id, ids]) => [id, toTexts(ids)])),
    ...(reader.value('unfetchedCount') !== undefined && {
      unfetchedCount: reader.number('unfetchedCount'),
      isTruncated: reader.value('isTruncated') === true,
    }),
    expressions: reader.optional('expressions', () => parseExpressions(reader.child('expressions'))),
    unreadProperties: reader.optional('unreadProperties', () => reader.list('unreadProperties').map(String)),
    validators: reader.optional('validators', () => parseValidators(reader.children('validators'))),
    weight: reader.number('weight'),
    records: { file: records.text('file'), bytes: records.number('bytes'), sha256: records.text('sha256') },
  };
}

/** The teams of the data interface and their keys are two lists with one name: the second has `scope=pgp`. */
function findSavedResource(name: string, { scope }: Readonly<Record<string, string>>): Resource | undefined {
  return name === dataTeams.name && scope === 'pgp' ? dataTeamsWithKeys : RESOURCES.get(name);
}

/** Records are stored by the positions of their properties, which another version of the program may change. */
function propertyNames(resource: Resource): readonly string[] {
  return listStoredProperties(resource).map(({ name }) => name);
}

function parseExpressions(reader: HeadReader): ExpressionResults {
  return {
    entryCount: reader.number('entryCount'),
    recordCount: reader.number('recordCount'),
    valueCounts: new Map(reader.pairs('valueCounts').map(([field, count]) => [field, Number(count)])),
    failures: new Map(reader.pairs('failures').map(([field, failure]) => [field, String(failure)])),
  };
}

function parseValidators(readers: readonly HeadReader[]): SnapshotValidators | undefined {
  const [first, ...others] = readers.map((reader) => ({
    url: new URL(reader.text('url')),
    condition: reader.texts('condition'),
    freshnessLifetime: reader.number('freshnessLifetime'),
    ...(reader.value('headerTotal') !== undefined && { headerTotal: reader.number('headerTotal') }),
    ...(reader.value('statedLifetime') !== undefined && { statedLifetime: reader.number('statedLifetime') }),
  }));
  return first && [first, ...others];
}

function toTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
