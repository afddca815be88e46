import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TestGateway } from '../support/gateway/test-gateway.js';
import { SHRINK_LIMIT, GENERATED_TIMEOUT, generatedRuns } from '../support/generated-runs.js';
import { randomSources } from './random-sources.js';
import type { GeneratedSource } from './random-sources.js';
import { CHANNELS, NEWS, DATA_TEAMS } from './model/oracle-resources.js';
import type { OracleResource } from './model/oracle-resources.js';
import { withGateway, completeRecords } from './start-sources.js';

const RESOURCES: readonly OracleResource[] = [DATA_TEAMS, NEWS, CHANNELS];

/** Which record has which id, by resource. */
type Assignment = ReadonlyMap<OracleResource, ReadonlyMap<unknown, string>>;

/** Without aggregates: a source that comes makes an aggregate's copies of its records go, and that is meant to be. */
const direct = randomSources.map((sources) =>
  sources.map((source): GeneratedSource => ({ ...source, aggregate: false })),
);

it(
  'gives every record an id of its own, which another source or another order does not change',
  async () => {
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
    await fc.assert(property, { numRuns: generatedRuns({ usual: 5, long: 20 }), ...SHRINK_LIMIT });
  },
  GENERATED_TIMEOUT,
);

it(
  'leads by the id of every news item to that item',
  async () => {
    const property = fc.asyncProperty(randomSources, (sources) =>
      withGateway(sources, async (gateway) => {
        const news = completeRecords(await gateway.get(`${NEWS.list}?envelope=false&limit=10000`));
        for (const item of news.filter((_, at) => at % 5 === 0)) {
          const got = await gateway.get(`${NEWS.list}/${String(item['id'])}?envelope=false`);
          expect(got.status).toBe(200);
          expect(got.json).toMatchObject(item);
        }
      }),
    );
    await fc.assert(property, { numRuns: generatedRuns({ usual: 5, long: 20 }), ...SHRINK_LIMIT });
  },
  GENERATED_TIMEOUT,
);

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

/** The same records, which the upstream sends in another order. */
function rearranged(source: GeneratedSource, turn: number): GeneratedSource {
  const { directory, data } = source;
  const turned = <T>(list: readonly T[]): T[] => {
    const at = turn % Math.max(1, list.length);
    return [...list.slice(at), ...list.slice(0, at)].reverse();
  };
  return {
    ...source,
    directory: directory && turned(directory),
    data: data && { ...data, teams: turned(data.teams), news: turned(data.news), channels: turned(data.channels) },
  };
}
