import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeClock } from '../support/fake-clock.js';
import { fieldsOf } from '../support/gateway/data-gateway.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayResponse, TestGateway } from '../support/gateway/test-gateway.js';
import { writtenFeedUpstream, feedsUpstream } from '../support/upstream/written-feeds.js';
import type { WrittenFeed } from '../support/upstream/written-feeds.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../support/upstream/upstream-server.js';

/** Time to live of the source, in milliseconds. */
export const TTL = 60_000;

/** Number of the source `one`. */
export const SOURCE_NUMBER = 7;

/** A list of news as a client gets it. */
export interface NewsPage extends GatewayResponse {
  readonly items: readonly Readonly<Record<string, unknown>>[];
  /** `Source-Status` without ages. */
  readonly states: string;
  /** Target of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/**
 * A gateway over one source `one` that consists of feeds of one server, with a clock that advances only on command and
 * snapshots in a temporary folder. The feeds may be replaced at any time.
 */
export class FeedScene {
  readonly clock = fakeClock();

  private constructor(
    readonly upstream: UpstreamServer,
    private readonly folder: string,
    /** By name, in the order of the registration. */
    readonly feeds: Record<string, WrittenFeed>,
    private readonly registration: object,
  ) {}

  private gateway: TestGateway | undefined;

  /** Starts the server and the gateway; `registration` has further settings of the source. */
  static async open(feeds: Readonly<Record<string, WrittenFeed>>, registration: object = {}): Promise<FeedScene> {
    const folder = await mkdtemp(join(tmpdir(), 'rollcall-feeds-'));
    const upstream = await startUpstream(() => undefined);
    const scene = new FeedScene(upstream, folder, { ...feeds }, registration);
    scene.restoreServer();
    await scene.start();
    return scene;
  }

  /** Serves the feeds again after another handler has replaced them. */
  restoreServer(): void {
    const handlers = Object.keys(this.feeds).map(
      (name) => [`/v1/${name}`, writtenFeedUpstream(() => this.feeds[name] ?? { form: 'rss', items: [] })] as const,
    );
    this.upstream.handler = feedsUpstream(new Map(handlers));
  }

  private async start(): Promise<void> {
    const feed = Object.keys(this.feeds).map((name) => `${this.upstream.address}/${name}`);
    const one = { number: SOURCE_NUMBER, feed, ...this.registration };
    const defaults = { ttl: '60s', 'stale-while-revalidate': '0s', 'stale-if-error': '24h', 'confirm-shrink': '10m' };
    const cache = { disk: join(this.folder, 'snapshots') };
    this.gateway = await startGateway({ cache, defaults, sources: { one } }, { clock: this.clock });
  }

  /** Ends the gateway and starts another one over the same folder. */
  async restart(whileDown: () => void = () => undefined): Promise<void> {
    await this.gateway?.close();
    whileDown();
    await this.start();
  }

  /** Lets the snapshots expire. */
  expire(): void {
    this.clock.advance(TTL);
  }

  async get(target: string): Promise<NewsPage> {
    if (this.gateway === undefined) throw new Error('the gateway is closed');
    const response = await this.gateway.get(target, { prefer: 'handling=lenient' });
    const { data } = fieldsOf(response.json);
    return {
      ...response,
      json: response.json,
      items: Array.isArray(data) ? data.map(fieldsOf) : [],
      states: (response.headers.get('source-status') ?? '').replaceAll(/;age=\d+/g, ''),
      next: /<([^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1],
    };
  }

  /** Requests the list of news in one page; `more` is appended to the query string. */
  list(more = ''): Promise<NewsPage> {
    return this.get(`/data/v1/news?limit=10000${more}`);
  }

  /** Ids by title. */
  async ids(): Promise<ReadonlyMap<string, number>> {
    const { items } = await this.list();
    return new Map(items.map((item) => [String(item['title']), Number(item['id'])]));
  }

  async close(): Promise<void> {
    await this.gateway?.close();
    await this.upstream.close();
    await rm(this.folder, { recursive: true });
  }
}
