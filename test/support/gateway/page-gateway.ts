import { fakeClock } from '../fake-clock.js';
import type { WatchedClock } from '../fake-clock.js';
import { dataUpstream } from '../upstream/data-upstream.js';
import type { DataBehaviour, DataRecords } from '../upstream/data-upstream.js';
import { directoryUpstream } from '../upstream/directory-upstream.js';
import { startUpstream } from '../upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../upstream/upstream-server.js';
import { startGateway } from './test-gateway.js';
import type { GatewayDependencies, GatewayResponse, TestGateway } from './test-gateway.js';

/** A source of a test: its records on one of the interfaces, or what handles its requests; and its registration. */
export interface PageSource {
  /** Teams of the directory interface, where `data` is absent. */
  readonly teams?: readonly object[];
  /** Records of the data interface. */
  readonly data?: DataRecords;
  /** How a source of the data interface behaves. */
  readonly behaviour?: DataBehaviour;
  /** Handles requests instead of serving records. */
  readonly handler?: RequestHandler;
  readonly registration?: object;
}

/** A gateway whose pages a test requests. */
export interface PageGateway {
  readonly gateway: TestGateway;
  /** By code. */
  readonly upstreams: Readonly<Record<string, UpstreamServer>>;
  readonly clock: WatchedClock;
  readonly page: (target: string, headers?: Readonly<Record<string, string>>) => Promise<Page>;
}

/** A page with what tests look for in it. */
export interface Page extends Pick<GatewayResponse, 'status' | 'headers' | 'text'> {
  /** HTML of the element with this id up to the next element with an id of the layout; empty where there is none. */
  readonly part: (id: 'notice' | 'results' | 'counts' | 'map') => string;
  /** Ids of the teams in the results, in their order. */
  readonly teams: readonly string[];
}

const open: (UpstreamServer | TestGateway)[] = [];

/** Closes all gateways and upstreams that `startPageGateway` has started. */
export async function closePageGateways(): Promise<void> {
  await Promise.all(open.splice(0).map((server) => server.close()));
}

/** Starts the sources, numbered from 1 in this order, and a gateway over them. */
export async function startPageGateway(
  sources: Readonly<Record<string, PageSource>>,
  setup: object = {},
  dependencies: Pick<GatewayDependencies, 'keys' | 'explorerAssets'> = {},
): Promise<PageGateway> {
  const upstreams: Record<string, UpstreamServer> = {};
  const registrations: Record<string, object> = {};
  for (const [code, { teams = [], data, behaviour, handler, registration }] of Object.entries(sources)) {
    const serves = data === undefined ? directoryUpstream(teams) : dataUpstream(data, behaviour);
    const upstream = await startUpstream(handler ?? serves);
    open.push(upstream);
    upstreams[code] = upstream;
    registrations[code] = { [data === undefined ? 'directory' : 'data']: upstream.address, ...registration };
  }
  const clock = fakeClock();
  const gateway = await startGateway({ ...setup, sources: registrations }, { clock, ...dependencies });
  open.push(gateway);
  return { gateway, upstreams, clock, page: async (target, headers) => readPage(await gateway.get(target, headers)) };
}

/** What begins another part. */
const PART = /<[a-z]+ id="(?:main|results|counts|map|sources)"/;

function readPage({ status, headers, text }: GatewayResponse): Page {
  const part: Page['part'] = (id) => {
    const [, rest] = text.split(new RegExp(`(?=<[a-z]+ id="${id}")`));
    return rest === undefined ? '' : rest.slice(0, 1) + (rest.slice(1).split(PART)[0] ?? '');
  };
  const teams = [...part('results').matchAll(/<h3><a href="\/teams\/([^"]*)"/g)].map(([, id = '']) =>
    decodeURIComponent(id),
  );
  return { status, headers, text, part, teams };
}

/** Returns the text of HTML: blocks on lines of their own, character references decoded. */
export function textOf(html: string): string {
  return html
    .replace(/<(?:dd|dt|li|p|h\d|tr|th|td|section)\b[^>]*>/g, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/\n+/g, '\n')
    .trim()
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
