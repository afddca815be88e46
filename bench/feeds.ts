import { once } from 'node:events';
import { createServer } from 'node:http';
import { news } from '../src/model/resources/news.js';
import { FEED_FORMS, FEED_MEDIA_TYPES, writeFeed } from '../test/support/upstream/written-feeds.js';
import type { WrittenFeed } from '../test/support/upstream/written-feeds.js';
import type { Figure } from './bounds.js';
import { nextMessage, start } from './harness/source-fleet.js';
import { openGateway, parseBenchConfig, requestComplete } from './harness/in-process-gateway.js';
import { longestBlock } from './harness/measure.js';

const FEEDS = 200;

/** Items of each feed. */
const ITEMS = 50;

/** Rounds of measurement; the best one counts. */
const ROUNDS = 3;

const range = (length: number): readonly number[] => Array.from({ length }, (_, at) => at);

/** How the feeds are registered, by description. */
const registrations: ReadonlyMap<string, (addresses: readonly string[]) => readonly string[]> = new Map([
  ['200 feeds of one source', (addresses) => [`  one: { number: 1, feed: [${addresses.join(', ')}] }`]],
  [
    '200 sources of one feed',
    (addresses) => addresses.map((address, at) => `  s${at + 1}: { number: ${at + 1}, feed: ${address} }`),
  ],
]);

/**
 * Longest turn of the event loop while 200 feeds of 50 items are fetched for the first time, while all are revalidated, and
 * while one of them has changed, each until the first page of news has been sent.
 */
export async function feedsBench(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, register] of registrations) {
    const rounds: Blocks[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure(register));
    for (const step of ['first fetch', 'all unchanged', 'one changed'] as const) {
      const value = Math.min(...rounds.map((blocks) => blocks[step]));
      figures.push({ name: `longest block, ${name}, ${step}`, value, bound: 'block' });
    }
  }
  return figures;
}

/** Milliseconds of the longest block of each step. */
type Blocks = Readonly<Record<'first fetch' | 'all unchanged' | 'one changed', number>>;

async function measure(register: (addresses: readonly string[]) => readonly string[]): Promise<Blocks> {
  const child = start(new URL(import.meta.url), ['serve']);
  try {
    const port = Number(await nextMessage(child));
    const config = parseBenchConfig([
      'server: { log: none, deadline: 60s }',
      // Each request after a millisecond refreshes the snapshots, and waits for them.
      'defaults: { ttl: 1ms, stale-while-revalidate: 0s, timeout: 60s }',
      'sources:',
      ...register(range(FEEDS).map((at) => `"http://127.0.0.1:${port}/${at}"`)),
    ]);
    const running = await openGateway(config);
    const target = `${running.address(news)}?limit=100`;
    const read = (): Promise<unknown> => requestComplete(target, FEEDS * ITEMS);
    const firstFetch = await longestBlock(read);
    const allUnchanged = await longestBlock(read);
    child.send('change');
    await nextMessage(child);
    const oneChanged = await longestBlock(read);
    await running.close();
    return { 'first fetch': firstFetch, 'all unchanged': allUnchanged, 'one changed': oneChanged };
  } finally {
    child.disconnect();
  }
}

const SENTENCE =
  'The teams of the region took part, and reported what they had learned from the exercise of this year. ';

const FIRST = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;

/** A feed with texts of the size of real ones: 300 characters of summary, 1,500 of content. */
function feedOf(number: number, version: number): WrittenFeed {
  const items = range(ITEMS).map((at) => ({
    guid: `tag:example.org,2026:${number}-${at}`,
    title: `Exercise ${at} of region ${number} (${version})`,
    link: `/news/${at}`,
    summary: SENTENCE.repeat(3),
    content: `<p>${SENTENCE.repeat(5)}</p>`.repeat(3),
    published: new Date(FIRST + (number + at * FEEDS) * HOUR).toUTCString(),
  }));
  return { form: FEED_FORMS[number % FEED_FORMS.length] ?? 'rss', title: `Region ${number}`, items };
}

/** The feeds, in a separate process. A message changes the first one. */
async function serve(): Promise<void> {
  const feeds = range(FEEDS).map((number) => feedOf(number, 1));
  const bodies = feeds.map(writeFeed);
  const versions = feeds.map(() => 1);
  const server = createServer({ keepAliveTimeout: 60_000 }, ({ url = '', headers }, response) => {
    const number = Number(url.slice(1));
    const etag = `"${number}-${versions[number] ?? 0}"`;
    response.setHeader('ETag', etag);
    if (headers['if-none-match'] === etag) response.writeHead(304).end();
    else
      response.writeHead(200, { 'Content-Type': FEED_MEDIA_TYPES[feeds[number]?.form ?? 'rss'] }).end(bodies[number]);
  });
  server.listen(0, '127.0.0.1', 1_024);
  await once(server, 'listening');
  process.on('message', () => {
    versions[0] = 2;
    bodies[0] = writeFeed(feedOf(0, 2));
    process.send?.('changed');
  });
  process.once('disconnect', () => process.exit(0));
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : undefined);
}

if (process.send !== undefined && process.argv[2] === 'serve') await serve();
