import type { Figure } from '../measure.js';
import { startPaging } from './baseline.js';
import type { Workshop } from './build.js';
import { exchange } from './exchange.js';
import { TEAMS, withFleet } from './gateway.js';
import type { Served } from './gateway.js';
import { FLEET, TURN, withGateway } from './held-answers.js';
import { duel } from './wrk.js';

const LIMIT = 100;

/** Pages of a held set that nobody asked for before: each has to be cut, shown, written and tagged. */
export function newPages(workshop: Workshop): Promise<Figure[]> {
  return withFleet(FLEET, (fleet) =>
    withGateway(workshop, fleet, {}, async (one) => {
      const target = `${TEAMS}?limit=${LIMIT}&offset=`;
      const other = await startPaging(workshop, await exchange(`${one.origin}${target}0`), {
        records: await allRecords(one),
        limit: LIMIT,
      });
      await requireSamePages(one, other, target);
      const name = 'new page of 100 records of a held set to node:http with JSON.stringify';
      const load = { target, script: 'pages.lua', seconds: TURN };
      const figures = await duel({ name, one, other, load, least: 0.5 });
      await other.close();
      return figures;
    }),
  );
}

/** Records of the longest page. */
const MOST = 10_000;

async function allRecords({ origin }: Served): Promise<unknown[]> {
  const records: unknown[] = [];
  for (let offset = 0; offset < FLEET.sources * FLEET.records; offset += MOST) {
    const { body } = await exchange(`${origin}${TEAMS}?limit=${MOST}&offset=${offset}`);
    records.push(...(JSON.parse(body.toString()) as unknown[]));
  }
  return records;
}

async function requireSamePages(one: Served, other: Served, target: string): Promise<void> {
  for (const offset of [0, 7_777, 19_900]) {
    const [page, same] = await Promise.all([one, other].map(({ origin }) => exchange(`${origin}${target}${offset}`)));
    if (page === undefined || !same?.body.equals(page.body)) throw new Error(`other bytes at ${offset}`);
  }
}
