import type { Clock } from '../../support/gateway/program.js';
import { behaviourOf, withSeparateKeys, withFewerRecords, visibleFaults } from './large-sources.js';
import type { LargeSource } from './large-sources.js';
import { REGISTERED_PROPERTIES } from '../random-raw-records.js';
import { simulatedRepository } from '../../support/repository/simulated-repository.js';
import type { Behaviour } from '../../support/repository/simulated-repository.js';
import { showFaultsEarly } from '../../support/repository/faulty-repository.js';
import { startGateway } from '../../support/gateway/test-gateway.js';
import type { TestGateway } from '../../support/gateway/test-gateway.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../../support/upstream/upstream-server.js';

/** Sources that are served over HTTP, and a gateway over them. */
export interface LargeSourceGateway {
  readonly gateway: TestGateway;
  /** By code. */
  readonly upstreams: Readonly<Record<string, UpstreamServer>>;
  close(): Promise<void>;
}

/** Starts the sources and a gateway. `registered` are further settings of every source, `cache` is the section `cache`. */
export async function startLargeSourceGateway(
  sources: readonly LargeSource[],
  {
    clock,
    registered = {},
    cache,
  }: { readonly clock?: Clock; readonly registered?: object; readonly cache?: object } = {},
): Promise<LargeSourceGateway> {
  const upstreams: Record<string, UpstreamServer> = {};
  const registrations: Record<string, object> = {};
  for (const source of sources) {
    const upstream = await startUpstream(handler(source));
    upstreams[source.code] = upstream;
    registrations[source.code] = { ...registration(source, upstream.address), ...registered };
  }
  // Long enough that no source times out on a busy machine.
  const setup = { server: { deadline: '60s' }, sources: registrations, ...(cache && { cache }) };
  const gateway = await startGateway(setup, clock && { clock });
  const close = async (): Promise<void> => {
    await gateway.close();
    await Promise.all(Object.values(upstreams).map((upstream) => upstream.close()));
  };
  return { gateway, upstreams, close };
}

/** Runs a function with the sources and a gateway. */
export async function withLargeSources(
  sources: readonly LargeSource[],
  work: (scene: LargeSourceGateway) => Promise<void>,
  cache?: object,
): Promise<void> {
  const scene = await startLargeSourceGateway(sources, { ...(cache && { cache }) });
  try {
    await work(scene);
  } finally {
    await scene.close();
  }
}

function handler(source: LargeSource): RequestHandler {
  const { growth } = source;
  if (growth === undefined) return unchangingHandler(source);
  const states = Array.from({ length: growth.records + 1 }, (_, at) =>
    unchangingHandler(withFewerRecords(source, growth.records - at)),
  );
  const last = unchangingHandler(source);
  return (request, response) => {
    const state = states[Math.floor((request.number - 1) / growth.every)] ?? last;
    state(request, response);
  };
}

/** Handles the requests to a source that does not change, with behaviours in addition to its own. */
export function unchangingHandler(source: LargeSource, more: readonly Behaviour[] = []): RequestHandler {
  const { lists, behaviours, depth, keys } = source;
  const faults = visibleFaults(source);
  const permanent = [...behaviours.filter((name) => !faults.includes(name)).map(behaviourOf), ...more];
  if (keys === 'pgp') permanent.push(withSeparateKeys);
  if (faults.length === 0) return simulatedRepository(lists, permanent);
  return showFaultsEarly({ lists, behaviours: permanent, faults: faults.map(behaviourOf), depth });
}

function registration(
  { number, sourceName, pageSize, threshold, supports, ...source }: LargeSource,
  address = '',
): object {
  return {
    number,
    'source-name': sourceName,
    ...(source.directory && { directory: `${address}/directory` }),
    ...(source.data && { data: `${address}/data` }),
    properties: REGISTERED_PROPERTIES,
    'page-size': pageSize,
    'drain-threshold': threshold,
    supports,
    timeout: '30s',
  };
}
