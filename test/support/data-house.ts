import { fakeClock } from './clock.js';
import type { WatchedClock } from './clock.js';
import { dataUpstream } from './data-upstream.js';
import type { DataManners, Holdings } from './data-upstream.js';
import { startRollcall } from './rollcall.js';
import type { Got, Rollcall, Setup, Surroundings } from './rollcall.js';
import { openUpstream } from './upstream.js';
import type { Answering, Upstream } from './upstream.js';

/** A source of a test: what it has, how it behaves, and what else is registered of it. */
export interface Member {
  readonly has: Holdings;
  readonly manners?: DataManners;
  /** How it answers, where that is not what it has. */
  readonly answers?: Answering;
  readonly registered?: object;
}

/** A Rollcall over data sources, and the sources. */
export interface House {
  readonly rollcall: Rollcall;
  /** By code. */
  readonly upstreams: Readonly<Record<string, Upstream>>;
  /** An answer below `/data/v1`, its envelope taken apart. */
  readonly ask: (target: string) => Promise<Seen>;
  readonly clock: WatchedClock;
}

/** An answer of the data interface as tests look at it. */
export interface Seen extends Got {
  readonly envelope: Readonly<Record<string, unknown>>;
  /** The records of a list; of anything else, none. */
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly sourceStatus: string;
}

const open: (Upstream | Rollcall)[] = [];

/** Closes all that was opened. */
export async function closeHouses(): Promise<void> {
  await Promise.all(open.splice(0).map((one) => one.close()));
}

/** Starts the sources, numbered in this order from 1, and a Rollcall over them. */
export async function openHouse(
  members: Readonly<Record<string, Member>>,
  setup: object = {},
  surroundings: Pick<Surroundings, 'keys'> = {},
): Promise<House> {
  const upstreams: Record<string, Upstream> = {};
  const sources: Record<string, object> = {};
  for (const [code, { has, manners, answers, registered }] of Object.entries(members)) {
    const upstream = await openUpstream(answers ?? dataUpstream(has, manners));
    open.push(upstream);
    upstreams[code] = upstream;
    sources[code] = { data: upstream.address, ...registered };
  }
  const clock = fakeClock();
  const rollcall = await startRollcall({ ...setup, sources } satisfies Setup, { clock, ...surroundings });
  open.push(rollcall);
  return { rollcall, upstreams, clock, ask: async (target) => seen(await rollcall.get(`/data/v1${target}`)) };
}

function seen(got: Got): Seen {
  const { status, headers, text, json } = got;
  const envelope = fieldsOf(json);
  const { data } = envelope;
  const list = Array.isArray(data) ? data.map(fieldsOf) : [];
  return { status, headers, text, json, envelope, data: list, sourceStatus: headers.get('source-status') ?? '' };
}

/** A JSON object's fields; none of anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}
