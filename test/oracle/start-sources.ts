import { expect } from 'vitest';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { startGateway } from '../support/gateway/test-gateway.js';
import type { GatewayResponse, TestGateway } from '../support/gateway/test-gateway.js';
import { startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler } from '../support/upstream/upstream-server.js';
import { createUndiciTransport } from '../support/gateway/program.js';
import type { Transport } from '../support/gateway/program.js';
import { registerFeeds, serveFeeds } from './feeds/serve-feeds.js';
import { registerDocument, serveDocument } from './documents/serve-document.js';
import { REGISTERED_PROPERTIES } from './random-raw-records.js';
import type { OracleQuery } from './model/expected-list.js';
import type { OracleSource } from './model/read-records.js';
import { hasUnreadValues } from './model/unread-values.js';
import type { GeneratedSource } from './random-sources.js';

/** Some sources have keys of none of their teams, or values that cannot be read, and are partial: zero hits would be an error (decisions 6.7). */
export const LENIENT = { prefer: 'handling=lenient' };

/** Runs a function with a gateway over these sources, which are served over HTTP. */
export async function withGateway(
  sources: readonly GeneratedSource[],
  work: (gateway: TestGateway) => Promise<void>,
): Promise<void> {
  const upstreams = await Promise.all(sources.map((source) => startUpstream(handler(source))));
  const registered = sources.map((source, at) => [source.code, registration(source, upstreams[at]?.address)] as const);
  // Feeds have the same addresses whichever ports are free: ids and links depend on them.
  const origins = new Map(sources.map(({ code }, at) => [code, new URL(upstreams[at]?.address ?? '').origin]));
  const wire = createUndiciTransport('rollcall');
  const transport: Transport = ({ url, headers }, signal) => {
    const origin = url.hostname === '127.0.0.1' ? url.origin : origins.get(url.pathname.split('/')[1] ?? '');
    return wire.transport({ headers, url: new URL(url.pathname + url.search, origin) }, signal);
  };
  const gateway = await startGateway({ sources: Object.fromEntries(registered) }, { transport });
  try {
    await work(gateway);
  } finally {
    await gateway.close();
    await wire.close();
    await Promise.all(upstreams.map((upstream) => upstream.close()));
  }
}

/** Statuses with which sources reject `scope=pgp` (decisions 4.22). */
const REJECTIONS = [400, 401, 403, 404, 422];

/** Handles the requests to a source, with its interfaces below `/directory` and `/data`. */
function handler({ number, directory: teams = [], data, paging, ...source }: GeneratedSource): RequestHandler {
  if (source.document !== undefined) return serveDocument(source.document, source.pageSize, paging);
  if (source.feeds !== undefined) return serveFeeds(source.feeds);
  const asDirectory = directoryUpstream(teams, paging);
  const refused = data?.keys === 'refused' ? { keysRefused: REJECTIONS[number % REJECTIONS.length] ?? 403 } : {};
  const keys = data?.keys === undefined || data.keys === 'refused' ? 'public' : data.keys;
  const asData = dataUpstream(data ?? {}, { ...paging, keys, ...refused });
  return (request, response) => {
    (request.path.includes('/directory/') ? asDirectory : asData)(request, response);
  };
}

function registration(
  { number, sourceName, aggregate, pageSize, site, ...source }: GeneratedSource,
  address = '',
): object {
  if (source.feeds !== undefined) return { number, 'source-name': sourceName, feed: registerFeeds(source.feeds) };
  const registered = { number, 'source-name': sourceName, site, properties: REGISTERED_PROPERTIES };
  if (source.document !== undefined) return { ...registered, document: registerDocument(source.document, address) };
  return {
    ...registered,
    aggregate,
    ...(source.directory && { directory: `${address}/directory` }),
    ...(source.data && { data: `${address}/data` }),
    'page-size': pageSize,
  };
}

/**
 * The records of a list without envelope. Requires that the response is complete. Sources may lack PGP keys only, because some keys
 * cannot be assigned to one of several teams with the same name (decisions 4.23), and values that cannot be read; where a query is given,
 * only if these are the values that count for it (decisions 4.6).
 */
export function completeRecords(
  { status, headers, json, text }: GatewayResponse,
  filtered?: { readonly query: OracleQuery; readonly fleet: readonly OracleSource[] },
): readonly Readonly<Record<string, unknown>>[] {
  expect(status, text).toBe(200);
  const reported = headers.get('source-status') ?? '';
  expect(reported).not.toMatch(/state=(?!fresh|excluded|partial;reason=(?:keys|unreadable))/);
  for (const member of reported.split(', ').filter((one) => !/state=excluded|reason=keys/.test(one))) {
    const source = filtered?.fleet.find(({ code }) => member.startsWith(`${code};`));
    const expected = filtered && source ? hasUnreadValues(source, filtered.query) : 'maybe';
    const actual = member.includes('reason=unreadable') ? 'yes' : 'no';
    expect([member, actual]).toEqual([member, expected === 'maybe' ? actual : expected]);
  }
  return listedRecords({ json });
}

/** The records of a list without envelope. */
export function listedRecords({ json }: Pick<GatewayResponse, 'json'>): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(json)) throw new Error('not a list');
  return json.map((record: unknown) => {
    if (typeof record !== 'object' || record === null) throw new Error('not a record');
    return Object.fromEntries(Object.entries(record));
  });
}
