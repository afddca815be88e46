import { execFileSync } from 'node:child_process';
import type { Figure } from '../bounds.js';
import { withFleet } from '../harness/source-fleet.js';
import { exchange, requireEqualResponses } from './http-exchange.js';
import { CLIENT_CORE, startGateway, startBaseline } from './server-processes.js';
import type { ServerProcess } from './server-processes.js';
import { compareLoads } from './wrk.js';

const FLEET = { subject: 'directory', sources: 20, records: 1_000, core: CLIENT_CORE } as const;

const TEAMS = '/directory/v1/teams';

/** Approximate bytes of the cached response. */
const SIZE = 32 * 1024;

/** Records of a page that was not requested before. */
const LIMIT = 100;

/** Requests per second of the built program over loopback sockets, relative to a node:http server that sends the same bytes and header fields. */
export function serving(): Promise<Figure[]> {
  for (const tool of ['wrk', 'taskset']) requireInstalled(tool);
  return withFleet(FLEET, async ({ ports }) => {
    const gateway = await startGateway(ports);
    const figures = [...(await cachedResponses(gateway)), await newPages(gateway)];
    await gateway.close();
    return figures;
  });
}

function requireInstalled(tool: string): void {
  try {
    execFileSync('which', [tool]);
  } catch {
    throw new Error(`${tool} is not installed; Debian packages: wrk, util-linux`);
  }
}

async function cachedResponses(gateway: ServerProcess): Promise<Figure[]> {
  const target = await targetOf(gateway);
  // The third request is answered from the response cache.
  for (let sent = 0; sent < 2; sent += 1) await exchange(gateway.origin + target);
  const response = await exchange(gateway.origin + target);
  const raw = await startBaseline(response);
  requireEqualResponses(response, await exchange(raw.origin + target));
  const header = await compareLoads(gateway, raw, { target, kind: 'header' });
  const equal = await compareLoads(gateway, raw, { target: `${target}&_=`, kind: 'target' });
  await raw.close();
  return [
    {
      name: 'cached response of 32 KB, each request with a different header, to node:http',
      value: header,
      bound: 'cached response',
    },
    {
      name: 'the same for equal queries, each with a different target, to node:http',
      value: equal,
      bound: 'equal queries',
    },
  ];
}

/** The target of a page of teams in pretty JSON of about 32 KiB. */
async function targetOf({ origin }: ServerProcess): Promise<string> {
  const records = await page(origin, 100, 0);
  let [bytes, limit] = [0, 0];
  for (; bytes < SIZE && limit < records.length; limit += 1) {
    bytes += JSON.stringify([records[limit]], null, 4).length;
  }
  return `${TEAMS}?limit=${limit}`;
}

/** Each request is for another page, which the gateway cuts from the cached merged list, renders and tags. Only few of them fit into the cache. */
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

async function requireSameBytes(first: ServerProcess, second: ServerProcess, target: string): Promise<void> {
  const responses = [await exchange(first.origin + target), await exchange(second.origin + target)] as const;
  if (!responses[1].body.equals(responses[0].body)) throw new Error(`bodies of ${target} differ`);
}
