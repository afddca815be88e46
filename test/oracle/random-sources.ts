import fc from 'fast-check';
import { STATIC_FILE } from '../support/upstream/paged-responses.js';
import type { PagingBehaviour } from '../support/upstream/paged-responses.js';
import type { OracleDataLists, OracleSource } from './model/read-records.js';
import { randomDocument } from './documents/random-documents.js';
import type { GeneratedDocument } from './documents/random-documents.js';
import { randomFeeds } from './feeds/random-feeds.js';
import { channel, dataTeam, directoryTeam, newsItem, numbered, teams } from './random-raw-records.js';

/** A generated source: its records and its paging behaviour. */
export interface GeneratedSource extends OracleSource {
  readonly paging: PagingBehaviour & { readonly generation: 2016 | 2026 };
  readonly pageSize: number;
  /** A published document instead of an interface. */
  readonly document?: GeneratedDocument | undefined;
}

/** Codes of the sources. None is a prefix of another. */
const CODES = ['alfa', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel'];

function data(code: string): fc.Arbitrary<OracleDataLists> {
  return fc
    .record({
      teams: teams(dataTeam(code), ['team', 'team-full']),
      channels: fc.array(channel(), { maxLength: 5 }),
      keys: fc.constantFrom('public' as const, 'refused' as const, 'some' as const, 'pgp' as const),
    })
    .chain(({ teams, channels, keys }) =>
      fc.array(newsItem(channels.map(({ title }) => String(title))), { maxLength: 30, size: 'max' }).map((items) => ({
        // If the keys are in a separate list, only ids can join both lists.
        teams: keys === 'pgp' || keys === 'some' ? teams.map((team, at) => ({ ...team, id: `t${at}` })) : teams,
        channels: channels.map((one, at) => ({ ...one, id: at + 1 })),
        news: numbered(items),
        keys,
      })),
    );
}

const cap = fc.constantFrom(1, 2, 5, 20, 100, undefined);
const total = fc.oneof(fc.constantFrom('absent' as const, 'page' as const, 0), fc.integer({ min: -50, max: -1 }));

/** Paging behaviours, correct and faulty, with which all records can still be fetched. */
const paging: fc.Arbitrary<GeneratedSource['paging']> = fc
  .oneof(
    { weight: 5, arbitrary: fc.record({ cap, total }) },
    { weight: 1, arbitrary: fc.record({ limit: fc.constant('ignored'), total: fc.constantFrom('absent', 0) }) },
    { weight: 1, arbitrary: fc.constantFrom<PagingBehaviour>(STATIC_FILE, { ...STATIC_FILE, total: 'absent' }) },
    { weight: 1, arbitrary: fc.constantFrom<PagingBehaviour>({ offset: 'clamped' }, { offset: 'ignored' }) },
  )
  .chain((paging) =>
    fc
      .record({
        form: fc.constantFrom('bare' as const, undefined),
        coding: fc.constantFrom('gzip' as const, 'br' as const, undefined),
      })
      .map((form) => defined({ ...paging, ...form })),
  )
  .chain((paging) => fc.constantFrom(2016 as const, 2026 as const).map((generation) => ({ ...paging, generation })));

/** Removes properties whose value is undefined. */
function defined(named: Readonly<Record<string, unknown>>): PagingBehaviour {
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

/** What a source may be. */
type SourceKind = 'directory' | 'data' | 'both' | 'document' | 'feeds';

/** One to eight sources of these kinds, numbered in no particular order; the last one may be an aggregate. */
function sourcesOf(kinds: readonly SourceKind[]): fc.Arbitrary<readonly GeneratedSource[]> {
  // The first source registers the properties that queries name, which feeds cannot.
  const registering = kinds.filter((kind) => kind !== 'feeds');
  const first: readonly SourceKind[] = registering.length === 0 ? ['directory'] : registering;
  return fc
    .tuple(
      fc.integer({ min: 1, max: CODES.length }),
      fc.uniqueArray(fc.integer({ min: 1, max: 999 }), { minLength: 8 }),
    )
    .chain(([size, numbers]) =>
      fc.tuple(
        ...CODES.slice(0, size).map((code, at) =>
          fc.record({
            code: fc.constant(code),
            number: fc.constant(numbers[at] ?? at + 1),
            sourceName: fc.constantFrom(code, `Register of ${code}`),
            aggregate: size > 1 && at === size - 1 ? fc.boolean() : fc.constant(false),
            site: fc.constantFrom(undefined, 'https://www.example.org/', 'https://news.example.net/press/'),
            speaks: fc.constantFrom(...(at === 0 ? first : kinds)),
            directory: teams(directoryTeam(code), ['short-team-name', 'official-team-name']),
            data: data(code),
            document: randomDocument(code),
            feeds: randomFeeds(code),
            paging,
            pageSize: fc.constantFrom(3, 7, 20, 100),
          }),
        ),
      ),
    )
    .map((sources) =>
      sources.map(({ speaks, directory, data, document, feeds, ...source }): GeneratedSource => {
        if (speaks === 'document') return { ...source, aggregate: false, document };
        if (speaks === 'feeds') return { ...source, aggregate: false, feeds };
        return {
          ...source,
          directory: speaks === 'data' ? undefined : directory,
          data: speaks === 'directory' ? undefined : data,
        };
      }),
    );
}

/** Sources of every kind. */
export const randomSources = sourcesOf(['directory', 'data', 'both', 'document', 'feeds']);

/** Sources that consist of feeds, beside one of the directory interface. */
export const randomFeedSources = sourcesOf(['feeds']);
