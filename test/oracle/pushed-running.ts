import type { Clock } from '../../src/model/clock.js';
import { habitOf, keysApart, lacking, liesOf } from './pushed-fleet.js';
import type { Pushed } from './pushed-fleet.js';
import { REGISTERED } from './fleet.js';
import { repository } from '../support/habits.js';
import type { Habit } from '../support/habits.js';
import { boldly } from '../support/liar.js';
import { startRollcall } from '../support/rollcall.js';
import type { Rollcall } from '../support/rollcall.js';
import { openUpstream } from '../support/upstream.js';
import type { Answering, Upstream } from '../support/upstream.js';

/** A fleet that is served over HTTP, and a Rollcall over it. */
export interface Scene {
  readonly rollcall: Rollcall;
  /** By code. */
  readonly upstreams: Readonly<Record<string, Upstream>>;
  close(): Promise<void>;
}

/** Opens it; `registered` are further keys of every source, `cache` those of the section. */
export async function openScene(
  sources: readonly Pushed[],
  {
    clock,
    registered = {},
    cache,
  }: { readonly clock?: Clock; readonly registered?: object; readonly cache?: object } = {},
): Promise<Scene> {
  const upstreams: Record<string, Upstream> = {};
  const registrations: Record<string, object> = {};
  for (const source of sources) {
    const upstream = await openUpstream(answering(source));
    upstreams[source.code] = upstream;
    registrations[source.code] = { ...registration(source, upstream.address), ...registered };
  }
  // A machine that is busy is no source that is late.
  const setup = { server: { deadline: '60s' }, sources: registrations, ...(cache && { cache }) };
  const rollcall = await startRollcall(setup, clock && { clock });
  const close = async (): Promise<void> => {
    await rollcall.close();
    await Promise.all(Object.values(upstreams).map((upstream) => upstream.close()));
  };
  return { rollcall, upstreams, close };
}

/** The same for as long as the work lasts. */
export async function overPushed(
  sources: readonly Pushed[],
  work: (scene: Scene) => Promise<void>,
  cache?: object,
): Promise<void> {
  const scene = await openScene(sources, { ...(cache && { cache }) });
  try {
    await work(scene);
  } finally {
    await scene.close();
  }
}

function answering(source: Pushed): Answering {
  const { growth } = source;
  if (growth === undefined) return standing(source);
  const states = Array.from({ length: growth.records + 1 }, (_, at) => standing(lacking(source, growth.records - at)));
  const last = standing(source);
  return (asked, response) => {
    const state = states[Math.floor((asked.number - 1) / growth.every)] ?? last;
    state(asked, response);
  };
}

/** How a source answers that stays as it is, with habits beside its own. */
export function standing(source: Pushed, more: readonly Habit[] = []): Answering {
  const { shelves, habits, depth, keys } = source;
  const lies = liesOf(source);
  const plain = [...habits.filter((name) => !lies.includes(name)).map(habitOf), ...more];
  if (keys === 'pgp') plain.push(keysApart);
  if (lies.length === 0) return repository(shelves, plain);
  return boldly({ shelves, habits: plain, lies: lies.map(habitOf), depth });
}

function registration({ number, sourceName, pageSize, threshold, supports, ...source }: Pushed, address = ''): object {
  return {
    number,
    'source-name': sourceName,
    ...(source.directory && { directory: `${address}/directory` }),
    ...(source.data && { data: `${address}/data` }),
    properties: REGISTERED,
    'page-size': pageSize,
    'drain-threshold': threshold,
    supports,
    timeout: '30s',
  };
}
