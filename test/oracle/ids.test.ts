import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TestGateway } from '../support/gateway/test-gateway.js';
import { boundShrinking, generatedRuns } from '../support/generated-runs.js';
import { randomSources } from './random-sources.js';
import type { GeneratedSource } from './random-sources.js';
import { CHANNELS, NEWS, DATA_TEAMS } from './model/oracle-resources.js';
import type { OracleResource } from './model/oracle-resources.js';
import { withGateway, completeRecords } from './start-sources.js';

const RESOURCES: readonly OracleResource[] = [DATA_TEAMS, NEWS, CHANNELS];

/** Records by id, by resource. */
type Assignment = ReadonlyMap<OracleResource, ReadonlyMap<unknown, string>>;

/** Sources without aggregates. An aggregate's copies of the records of a registered source are dropped on purpose (decisions 5.21). */
const direct = randomSources.map((sources) =>
  sources.map((source): GeneratedSource => ({ ...source, aggregate: false })),
);

it('assigns every record a unique id that does not depend on other sources or on the order of the source', async () => {
  const property = fc.asyncProperty(direct, fc.nat(), fc.nat(), async (sources, leaving, turn) => {
    const gone = sources[leaving % sources.length];
    const before = await assignment(sources);
    const others = sources.filter((source) => source !== gone).map((source) => rearranged(source, turn));
    const after = others.length === 0 ? undefined : await assignment(others);
    for (const resource of RESOURCES) {
      const kept = [...(before.get(resource) ?? [])].filter(([, record]) => sourceName(record) !== gone?.sourceName);
      if (after !== undefined) expect(new Map(after.get(resource))).toEqual(new Map(kept));
    }
  });
  await fc.assert(boundShrinking(property), { numRuns: generatedRuns({ usual: 3, long: 20 }) });
});

it('returns a news item for the id that its list contains', async () => {
  const property = fc.asyncProperty(randomSources, (sources) =>
    withGateway(sources, async (gateway) => {
      const news = completeRecords(await gateway.get(`${NEWS.list}?envelope=false&limit=10000`));
      for (const item of news.filter((_, at) => at % 5 === 0)) {
        const response = await gateway.get(`${NEWS.list}/${String(item['id'])}?envelope=false`);
        expect(response.status).toBe(200);
        expect(response.json).toMatchObject(item);
      }
    }),
  );
  await fc.assert(boundShrinking(property), { numRuns: generatedRuns({ usual: 3, long: 20 }) });
});

it('returns each team for the id that the lists of both interfaces show, and no other team', async () => {
  const property = fc.asyncProperty(direct, (sources) =>
    withGateway(sources, async (gateway) => {
      const directory = completeRecords(await gateway.get('/directory/v1/teams?limit=10000'));
      const listed = completeRecords(await gateway.get('/directory/v1/teams?limit=10000&fields=-rollcall-id'));
      const ids = listed.map((record) => String(record['-rollcall-id']));
      expect(new Set(ids).size).toBe(directory.length);
      for (const [at, id] of ids.entries()) {
        const { status, json } = await gateway.get(`/directory/v1/teams/${encodeId(id)}`);
        expect([id, status, json]).toEqual([id, 200, directory[at]]);
      }
      for (const team of completeRecords(await gateway.get('/data/v1/teams?limit=10000&envelope=0'))) {
        const { status, json } = await gateway.get(`/data/v1/teams/${encodeId(String(team['id']))}?envelope=0`);
        expect([status, json]).toEqual([200, team]);
      }
    }),
  );
  await fc.assert(boundShrinking(property), { numRuns: generatedRuns({ usual: 3, long: 20 }) });
});

/** An id as a part of a path, also where it ends like an extension. */
function encodeId(id: string): string {
  return encodeURIComponent(id).replaceAll('.', '%2E');
}

async function assignment(sources: readonly GeneratedSource[]): Promise<Assignment> {
  const found = new Map<OracleResource, ReadonlyMap<unknown, string>>();
  await withGateway(sources, async (gateway) => {
    for (const resource of RESOURCES) found.set(resource, await idsOf(resource, gateway));
  });
  return found;
}

async function idsOf(resource: OracleResource, gateway: TestGateway): Promise<ReadonlyMap<unknown, string>> {
  const records = completeRecords(await gateway.get(`${resource.list}?envelope=false&limit=10000`));
  const ids = new Map(records.map((record) => [record['id'], JSON.stringify(record)]));
  expect(ids.size).toBe(records.length);
  expect([...ids.keys()]).not.toContain(undefined);
  return ids;
}

function sourceName(record: string): unknown {
  const parsed: unknown = JSON.parse(record);
  return Object.getOwnPropertyDescriptor(parsed, 'source-name')?.value;
}

/** The same source with its records in another order. */
function rearranged(source: GeneratedSource, turn: number): GeneratedSource {
  const { directory, data, document } = source;
  const turned = <T>(list: readonly T[]): T[] => {
    const at = turn % Math.max(1, list.length);
    return [...list.slice(at), ...list.slice(0, at)].reverse();
  };
  return {
    ...source,
    document: document && { ...document, entries: turned(document.entries) },
    directory: directory && turned(directory),
    data: data && { ...data, teams: turned(data.teams), news: turned(data.news), channels: turned(data.channels) },
  };
}
