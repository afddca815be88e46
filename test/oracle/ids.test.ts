import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Rollcall } from '../support/rollcall.js';
import { PATIENCE, TIMEOUT, runs } from '../support/runs.js';
import { fleet } from './fleet.js';
import type { Generated } from './fleet.js';
import { CHANNELS, NEWS, TEAMS } from './nouns.js';
import type { Noun } from './nouns.js';
import { over, recordsOf } from './running.js';

const RESOURCES: readonly Noun[] = [TEAMS, NEWS, CHANNELS];

/** Which record has which id, by resource. */
type Assignment = ReadonlyMap<Noun, ReadonlyMap<unknown, string>>;

/** Without aggregates: a source that comes makes an aggregate's copies of its records go, and that is meant to be. */
const direct = fleet.map((sources) => sources.map((source): Generated => ({ ...source, aggregate: false })));

it(
  'gives every record an id of its own, which another source or another order does not change',
  async () => {
    const property = fc.asyncProperty(direct, fc.nat(), fc.nat(), async (sources, leaving, turn) => {
      const gone = sources[leaving % sources.length];
      const before = await assignment(sources);
      const others = sources.filter((source) => source !== gone).map((source) => rearranged(source, turn));
      const after = others.length === 0 ? undefined : await assignment(others);
      for (const noun of RESOURCES) {
        const kept = [...(before.get(noun) ?? [])].filter(([, record]) => sourceName(record) !== gone?.sourceName);
        if (after !== undefined) expect(new Map(after.get(noun))).toEqual(new Map(kept));
      }
    });
    await fc.assert(property, { numRuns: runs({ usual: 5, long: 20 }), ...PATIENCE });
  },
  TIMEOUT,
);

it(
  'leads by the id of every news item to that item',
  async () => {
    const property = fc.asyncProperty(fleet, (sources) =>
      over(sources, async (rollcall) => {
        const news = recordsOf(await rollcall.get(`${NEWS.list}?envelope=false&limit=10000`));
        for (const item of news.filter((_, at) => at % 5 === 0)) {
          const got = await rollcall.get(`${NEWS.list}/${String(item['id'])}?envelope=false`);
          expect(got.status).toBe(200);
          expect(got.json).toMatchObject(item);
        }
      }),
    );
    await fc.assert(property, { numRuns: runs({ usual: 5, long: 20 }), ...PATIENCE });
  },
  TIMEOUT,
);

async function assignment(sources: readonly Generated[]): Promise<Assignment> {
  const found = new Map<Noun, ReadonlyMap<unknown, string>>();
  await over(sources, async (rollcall) => {
    for (const noun of RESOURCES) found.set(noun, await idsOf(noun, rollcall));
  });
  return found;
}

async function idsOf(noun: Noun, rollcall: Rollcall): Promise<ReadonlyMap<unknown, string>> {
  const records = recordsOf(await rollcall.get(`${noun.list}?envelope=false&limit=10000`));
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
function rearranged(source: Generated, turn: number): Generated {
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
