import { once } from 'node:events';
import { createServer } from 'node:http';
import { nextMessage, start } from '../harness/source-fleet.js';
import { fictitiousTeams } from './fictitious-teams.js';

/** Sources that serve the fictitious teams, and teams of each. */
const [SOURCES, TEAMS] = [20, 5_000];

/** Number of teams of all sources together. */
export const FICTITIOUS_TEAMS = SOURCES * TEAMS;

/** Starts the sources in a separate process, calls `work` with their registrations as YAML, and stops them afterwards. */
export async function withFictitiousSources<T>(work: (registrations: readonly string[]) => Promise<T>): Promise<T> {
  const child = start(new URL(import.meta.url), []);
  try {
    const origin = `http://127.0.0.1:${Number(await nextMessage(child))}`;
    const numbers = Array.from({ length: SOURCES }, (_, at) => at + 1);
    return await work(numbers.map((number) => `s${number}: { number: ${number}, directory: "${origin}/${number}" }`));
  } finally {
    child.disconnect();
  }
}

/** Serves the list of each source below its number. */
async function serve(): Promise<void> {
  const server = createServer(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://source');
    const [offset, limit] = [Number(searchParams.get('offset')), Number(searchParams.get('limit'))];
    const first = (Number(pathname.split('/')[1]) - 1) * TEAMS;
    const count = Math.max(0, Math.min(limit, TEAMS - offset));
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('X-Total-Count', TEAMS);
    response.end(JSON.stringify(fictitiousTeams(first + offset, count)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.once('disconnect', () => process.exit(0));
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : undefined);
}

if (process.send !== undefined) await serve();
