import { Budget } from '../src/hold/budget.js';
import { HeldStore } from '../src/hold/held.js';
import { Pulse } from '../src/hold/pulse.js';
import { systemClock } from '../src/model/clock.js';
import { noMeter } from '../src/model/meter.js';
import type { Resource } from '../src/model/resource.js';
import type { SourceFetch } from '../src/source/fetch.js';
import { readJson } from '../src/source/read-body.js';
import { readReply, unpacked } from '../src/source/read-replies.js';
import { Source } from '../src/source/source.js';
import type { Kept, Registration, SourceHouse } from '../src/source/source.js';
import { provenanceOf } from './held.js';
import { codeOf } from './pages.js';
import type { Raw } from './records.js';
import { enveloped } from './subjects/envelope.js';

/** A day, in milliseconds: longer than any benchmark. */
const DAY = 24 * 3_600_000;

/** Larger than any list: each comes in one page. */
const PAGE = 1_000_000;

/** What a source of the data interface gives, as JSON, by {@link listName}. */
export type Given = ReadonlyMap<string, string>;

/** The name of a list that a source gives: its path, and what narrows it. */
export function listName(path: Resource['path'], narrowed: 'scope=pgp' | `channel=${string}` | '' = ''): string {
  return `${path} ${narrowed}`;
}

/**
 * A source of the data interface whose wire is this process: what it gives is read, held, translated and narrowed to channels by the
 * code that does it in a gateway, and only requests cost nothing. It gives each list once, so that nothing but the held copies keeps it.
 */
export function sourceOver(number: number, given: Given): Source {
  const registration: Registration = {
    code: codeOf(number),
    number,
    bases: { directory: undefined, data: 'http://source.example' },
    resources: ['teams', 'news', 'channels'],
    ttl: DAY,
    staleWhileRevalidate: 0,
    staleIfError: DAY,
    maxUnverified: 0,
    confirmShrink: DAY,
    required: false,
    drainThreshold: Infinity,
    tolerates: [],
    supports: {},
    pageSize: PAGE,
    concurrency: 1,
    provenance: provenanceOf(number),
  };
  return new Source(registration, wire(given), house());
}

/** Everything is parsed beforehand: bodies of this size would be in a gateway's way, and do not come in one piece. */
function wire(given: Given): SourceFetch {
  const lists = new Map([...given].map(([name, json]) => [name, JSON.parse(json) as readonly Raw[]]));
  return ({ url: { pathname, searchParams }, as }) => {
    const narrowing = ['scope', 'channel'].flatMap((name) =>
      searchParams.has(name) ? [`${name}=${searchParams.get(name) ?? ''}`] : [],
    );
    const name = `${pathname.slice(1)} ${narrowing.join('&')}`;
    // One page goes beyond the window of news, and there is nothing older than what is in it.
    const data = searchParams.has('before') ? [] : lists.get(name);
    if (data === undefined) throw new Error(`nothing is given as ${name}, or it was given before`);
    lists.delete(name);
    const json = enveloped({ total: data.length, limit: PAGE, offset: 0, data });
    return readReply(
      { header: () => undefined, bytes: 0, readAt: Date.now() },
      Promise.resolve(unpacked(readJson({ json, bytes: 0 }, as, Date.now()))),
    );
  };
}

function house(): SourceHouse {
  const log = { info: () => undefined, warn: console.warn, error: console.error };
  const memory = new Budget(Number.MAX_SAFE_INTEGER);
  return {
    store: new HeldStore<Kept>(memory.level()),
    items: new HeldStore<Kept>(memory.level()),
    changed: () => undefined,
    pulse: new Pulse(),
    clock: systemClock,
    log,
    meter: noMeter,
    name: 'bench',
    random: () => 0,
    mostOfOne: Infinity,
    drainBytes: Infinity,
    stop: new AbortController().signal,
  };
}
