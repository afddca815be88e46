import fc from 'fast-check';
import { expect, it } from 'vitest';
import { collectTexts, createPropertyLister } from '../../../src/search/index/field-texts.js';
import { IndexAssembly } from '../../../src/search/index/index-thread.js';
import { searchRecords } from '../../../src/search/ranking/search-records.js';
import type { SearchResult } from '../../../src/search/ranking/search-records.js';
import { listReasons } from '../../support/unit/list-hit-reasons.js';
import { parseSearchText } from '../../../src/search/text/search-request.js';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import type { RecordSet } from '../../../src/records/record-set.js';
import { boundShrinking, generatedRuns } from '../../support/generated-runs.js';
import { teamRecordSet } from '../../support/unit/team-record-set.js';
import type { TeamInput } from '../../support/unit/team-record-set.js';
import { commonLabels, hostsOf, phoneMatch, rangesOf, searchNaively } from './naive-search.js';
import type { GeneratedSearch } from './naive-search.js';
import { nameSearch, search, teams } from './random-fleet.js';

const listProperties = createPropertyLister(directoryTeams);

function indexOf({ records }: RecordSet): SharedArrayBuffer {
  const assembly = new IndexAssembly();
  assembly.add({
    longIds: [],
    ids: records.map(({ id }) => id),
    texts: records.map((record) => collectTexts(listProperties(record))),
  });
  return assembly.finish().index;
}

interface Found {
  readonly hits: readonly { readonly slug: string; readonly score: number; readonly source: number }[];
  readonly result: SearchResult;
}

interface Page {
  readonly offset?: number;
  readonly limit?: number;
  readonly isAllowed?: (slug: string) => boolean;
}

function find(sources: readonly (readonly TeamInput[])[], text: string, page: Page = {}): Found {
  const { offset = 0, limit = 1_000, isAllowed } = page;
  const sets = sources.map((one, at) => teamRecordSet(`s${at}`, at + 1, one));
  const slugOf = (id: string): string => id.slice(id.indexOf('.') + 1);
  const result = searchRecords({
    request: parseSearchText(text),
    searchesKeys: true,
    sources: sets.map((set) => ({
      index: indexOf(set),
      ...(isAllowed && { allowed: Uint8Array.from(set.records, ({ id }) => (isAllowed(slugOf(id)) ? 1 : 0)) }),
    })),
    offset,
    limit,
  });
  const hits = result.hits.map(({ source, position, score }) => ({
    slug: slugOf(sets[source]?.records[position]?.id ?? ''),
    score,
    source,
  }));
  return { hits, result };
}

/** Teams, and a text that is searched in them. */
const scenes = teams.chain((all) =>
  fc.tuple(fc.constant(all), fc.oneof({ weight: 3, arbitrary: search }, nameSearch(all))),
);

const RUNS = { numRuns: generatedRuns({ usual: 500, long: 30_000 }) };

it('finds exactly the records of the definition, the best first, and of each what matched', () => {
  const counted = { names: 0, identified: 0, words: 0, nothing: 0 };
  const property = fc.property(scenes, ([all, searched]) => {
    const expected = searchNaively(all, searched);
    const { hits, result } = find([all], searched.text);
    expect(hits.map(({ slug }) => slug).sort()).toEqual(expected.all.map((at) => all[at]?.slug));
    expect(result.total).toBe(expected.all.length);
    expect([...(result.positions[0] ?? [])]).toEqual(expected.all);
    expectOrder(hits);
    expectNamesFirst(all, expected, hits);
    if (expected.identified.length > 0) expectNearestFirst(all, searched, hits);
    expectReasons(all, searched, hits);
    counted.names += expected.shortNames.length;
    counted.identified += expected.identified.length;
    counted.words += expected.identified.length === 0 ? expected.all.length : 0;
    counted.nothing += expected.all.length === 0 ? 1 : 0;
  });
  fc.assert(boundShrinking(property), RUNS);
  expect(Math.min(...Object.values(counted))).toBeGreaterThan(RUNS.numRuns / 15);
});

function expectOrder(hits: Found['hits']): void {
  for (const { score } of hits) expect(score >= 1 && score <= 1_000).toBe(true);
  expect(hits).toEqual(orderNaively(hits));
}

/** The order of hits by definition: rounds of ten hits of each source; in a round by score, one of each source in turn. */
function orderNaively(hits: Found['hits']): Found['hits'] {
  const sources = [...new Set(hits.map(({ source }) => source))].sort((a, b) => a - b);
  const rest = [...hits].sort((a, b) => b.score - a.score || (a.slug < b.slug ? -1 : 1));
  const ordered: Found['hits'][number][] = [];
  while (rest.length > 0) {
    const round = sources.flatMap((source) => rest.filter((hit) => hit.source === source).slice(0, 10));
    for (const hit of round) rest.splice(rest.indexOf(hit), 1);
    while (round.length > 0) {
      const best = Math.max(...round.map(({ score }) => score));
      for (const source of sources) {
        const at = round.findIndex((hit) => hit.source === source && hit.score === best);
        if (at >= 0) ordered.push(...round.splice(at, 1));
      }
    }
  }
  return ordered;
}

function expectNamesFirst(
  all: readonly TeamInput[],
  { shortNames, officialNames }: ReturnType<typeof searchNaively>,
  hits: Found['hits'],
): void {
  const scoreOf = (at: number): number => hits.find(({ slug }) => slug === all[at]?.slug)?.score ?? 0;
  for (const at of shortNames) expect(scoreOf(at)).toBe(1_000);
  for (const at of officialNames) expect(scoreOf(at)).toBeGreaterThanOrEqual(980);
}

/** The rank of an identified record by definition; a smaller one comes first. Undefined where the definition does not say. */
function rankOf(record: TeamInput, { identifier }: GeneratedSearch): number | undefined {
  if (identifier?.kind === 'host')
    return -Math.max(...hostsOf(record).map((host) => commonLabels(host, identifier.host)));
  if (identifier?.kind === 'ip-range') {
    const common = rangesOf(record).filter(([first, last]) => first <= identifier.last && last >= identifier.first);
    return Math.min(...common.map(([first, last]) => last - first));
  }
  if (identifier?.kind === 'telephone') {
    const numbers = [record['phone-numbers'] ?? []]
      .flat()
      .map((number) => phoneMatch(String(number), identifier.digits));
    return Math.min(...numbers.map((match) => ['same', 'end', 'start', undefined].indexOf(match)));
  }
  return undefined;
}

function expectNearestFirst(all: readonly TeamInput[], searched: GeneratedSearch, hits: Found['hits']): void {
  // A complete name comes before its place as an identifier.
  const byIdentifier = hits.filter(
    ({ score }) => ![980, 1_000].includes(score) || searched.identifier?.kind === 'telephone',
  );
  const ranks = byIdentifier.map(({ slug }) => {
    const record = all.find((one) => one.slug === slug);
    return record && rankOf(record, searched);
  });
  const known = ranks.filter((rank) => rank !== undefined);
  expect(known).toEqual([...known].sort((a, b) => a - b));
}

function expectReasons(all: readonly TeamInput[], { text, identifier }: GeneratedSearch, hits: Found['hits']): void {
  const set = teamRecordSet('s0', 1, all);
  for (const { slug } of hits) {
    const record = set.records.find(({ id }) => id === `s0.${slug}`);
    if (record === undefined) throw new Error('no record');
    const reasons = listReasons(listProperties(record), parseSearchText(text), true);
    expect([text, slug, reasons.length > 0]).toEqual([text, slug, true]);
    for (const { kind } of reasons)
      if (!['name', 'word', 'beginning', 'spelling', 'host', 'e-mail'].includes(kind))
        expect(kind).toBe(identifier?.kind);
  }
}

it('finds the same with the same scores, however the records are distributed over sources', () => {
  const property = fc.property(
    scenes,
    fc.array(fc.nat(3), { minLength: 25, maxLength: 25 }),
    ([all, { text }], owners) => {
      const split = [0, 1, 2, 3].map((source) => all.filter((_, at) => owners[at] === source));
      const [whole, parts] = [find([all], text), find(split, text)];
      const scores = ({ hits }: Found): ReadonlyMap<string, number> =>
        new Map(hits.map(({ slug, score }) => [slug, score]));
      expect(scores(parts)).toEqual(scores(whole));
      expectOrder(parts.hits);
      expect(parts.result.suggestion).toBe(whole.result.suggestion);
      expect(parts.result.total).toBe(whole.result.total);
    },
  );
  fc.assert(boundShrinking(property), RUNS);
});

it('looks only among the records that may be hits, and cuts pages from one list', () => {
  const allowed = fc.array(fc.boolean(), { minLength: 25, maxLength: 25 });
  const property = fc.property(scenes, allowed, fc.integer({ min: 1, max: 5 }), ([all, searched], allows, limit) => {
    const isAllowed = (slug: string): boolean => allows[Number(slug.slice(1))] === true;
    const some = all.filter(({ slug }) => isAllowed(slug));
    const whole = find([all.slice(0, 9), all.slice(9)], searched.text, { isAllowed });
    expect(whole.hits.map(({ slug }) => slug).sort()).toEqual(
      searchNaively(some, searched).all.map((at) => some[at]?.slug),
    );
    const pages: Found['hits'][number][] = [];
    for (let offset = 0; offset <= whole.result.total; offset += limit) {
      const page = find([all.slice(0, 9), all.slice(9)], searched.text, { isAllowed, offset, limit });
      expect(page.result.total).toBe(whole.result.total);
      pages.push(...page.hits);
    }
    expect(pages).toEqual(whole.hits);
  });
  fc.assert(boundShrinking(property), { ...RUNS, numRuns: generatedRuns({ usual: 200, long: 10_000 }) });
});
