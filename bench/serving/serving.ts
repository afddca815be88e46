import { execFileSync } from 'node:child_process';
import type { Figure } from '../bounds.js';
import { withFleet } from '../harness/source-fleet.js';
import { exchange, requireEqualResponses } from './http-exchange.js';
import { ASKING, startGateway, startBaseline } from './server-processes.js';
import type { ServerProcess } from './server-processes.js';
import { compareLoads } from './wrk.js';

const FLEET = { subject: 'directory', sources: 20, records: 1_000, core: ASKING } as const;

const TEAMS = '/directory/v1/teams';

/** Bytes of the held answer, about. */
const SIZE = 32 * 1024;

/** Records of a new page. */
const LIMIT = 100;

/** The built program to node:http and nothing beside it, which sends the same bytes and headers: requests a second over loopback sockets. */
export function serving(): Promise<Figure[]> {
  for (const tool of ['wrk', 'taskset']) requireInstalled(tool);
  return withFleet(FLEET, async ({ ports }) => {
    const gateway = await startGateway(ports);
    const figures = [...(await heldAnswers(gateway)), await newPages(gateway)];
    await gateway.close();
    return figures;
  });
}

function requireInstalled(tool: string): void {
  try {
    execFileSync('which', [tool]);
  } catch {
    throw new Error(`${tool} is not installed: Debian's packages wrk and util-linux`);
  }
}

async function heldAnswers(gateway: ServerProcess): Promise<Figure[]> {
  const target = await targetOf(gateway);
  // The third request for it gets the answer that is held.
  for (let asked = 0; asked < 2; asked += 1) await exchange(gateway.origin + target);
  const answer = await exchange(gateway.origin + target);
  const raw = await startBaseline(answer);
  requireEqualResponses(answer, await exchange(raw.origin + target));
  const header = await compareLoads(gateway, raw, { target, kind: 'header' });
  const equal = await compareLoads(gateway, raw, { target: `${target}&_=`, kind: 'target' });
  await raw.close();
  return [
    {
      name: 'held answer of 32 KB, each request with another header, to node:http',
      value: header,
      bound: 'held answer',
    },
    { name: 'the same by equal queries, each with another target, to node:http', value: equal, bound: 'equal queries' },
  ];
}

/** A page of teams in pretty JSON whose answer is nearest to 32 KiB. */
async function targetOf({ origin }: ServerProcess): Promise<string> {
  const records = await page(origin, 100, 0);
  let [bytes, limit] = [0, 0];
  for (; bytes < SIZE && limit < records.length; limit += 1) {
    bytes += JSON.stringify([records[limit]], null, 4).length;
  }
  return `${TEAMS}?limit=${limit}`;
}

/** Every request is for another page, which the gateway cuts from the held set, renders and tags; far fewer fit into its memory. */
async function newPages(gateway: ServerProcess): Promise<Figure> {
  const target = `${TEAMS}?limit=${LIMIT}&offset=`;
  const { headers } = await exchange(`${gateway.origin}${target}0`);
  const records = [...(await page(gateway.origin, 10_000, 0)), ...(await page(gateway.origin, 10_000, 10_000))];
  const raw = await startBaseline({
    status: 200,
    headers: headers.filter((_, at) => headers[at & ~1] !== 'Content-Length'),
    body: { records, limit: LIMIT },
  });
  for (const offset of [0, 7_777, 19_900]) await requireSameBytes(gateway, raw, `${target}${offset}`);
  const value = await compareLoads(gateway, raw, { target, kind: 'page' });
  await raw.close();
  return { name: 'new page of 100 records, to node:http with JSON.stringify', value, bound: 'new page' };
}

async function page(origin: string, limit: number, offset: number): Promise<readonly unknown[]> {
  const { body } = await exchange(`${origin}${TEAMS}?limit=${limit}&offset=${offset}`);
  return JSON.parse(body.toString()) as unknown[];
}

async function requireSameBytes(one: ServerProcess, other: ServerProcess, target: string): Promise<void> {
  const [page, same] = [await exchange(one.origin + target), await exchange(other.origin + target)];
  if (!same.body.equals(page.body)) throw new Error(`other bytes of ${target}`);
}
