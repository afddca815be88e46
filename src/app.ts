import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Config, SourceConfig } from './config/config.js';
import { Gateway } from './gateway/gateway.js';
import { MergedSets } from './gateway/merged.js';
import { Budget } from './hold/budget.js';
import { HeldStore } from './hold/held.js';
import type { Held } from './hold/held.js';
import { Pulse } from './hold/pulse.js';
import { HeldTexts } from './hold/texts.js';
import type { AccessLog } from './http/access-log.js';
import { AnswerCache } from './http/answer-cache.js';
import { httpApp } from './http/app.js';
import { ReadyAnswers } from './http/ready.js';
import type { Rendered } from './http/rendered.js';
import { Renderings } from './http/renderings.js';
import { representationReader } from './http/representation.js';
import type { Served } from './http/serving.js';
import type { Clock } from './model/clock.js';
import { dataInterface, directoryInterface } from './model/interface.js';
import type { Log } from './model/log.js';
import { noMeter } from './model/meter.js';
import type { Meter } from './model/meter.js';
import type { Resource } from './model/resource.js';
import { channels } from './model/resources/channels.js';
import { dataTeams } from './model/resources/data-teams.js';
import { directoryTeams } from './model/resources/directory-teams.js';
import { news, newsItem } from './model/resources/news.js';
import { heldWithin } from './operate/heap.js';
import type { BodyParser } from './source/body-parser.js';
import type { Transport, Watching } from './source/fetch.js';
import type { KeyReader } from './source/key-reader.js';
import { limiter } from './source/limit.js';
import type { Memory } from './source/snapshot/memory.js';
import { Source } from './source/source.js';
import type { Kept, Registration, SourceHouse } from './source/source.js';
import { stack } from './source/stack.js';
import { deadline, sharedByMany } from './source/timeout.js';
import { HELD_PER_BYTE, SHARE_OF_ONE } from './source/weight.js';

/** What is handed in: the wire to the sources, the time, the log. */
export interface Surroundings {
  readonly transport: Transport;
  /** Parses large bodies of sources in a worker thread; absent: they block the thread that answers. */
  readonly bodies?: BodyParser;
  /** Reads PGP keys in a thread of its own; absent: fingerprints are neither read from keys nor compared with them. */
  readonly keys?: KeyReader;
  readonly clock: Clock;
  readonly log: Log;
  /** Absent: nothing is counted. */
  readonly meter?: Meter;
  /** Absent: nothing is known of earlier processes, nor kept for later ones. */
  readonly memory?: Memory;
  /** From 0 up to, not including, 1; absent: true chance. */
  readonly random?: () => number;
  /** Is told when more than half of what may be held comes to be, and when that is over; absent: nobody is. */
  readonly filled?: (isHalfFull: boolean) => void;
  /** Who looks on while the source of a code is asked; absent: nobody does. */
  readonly watch?: (source: string) => Watching;
}

/** Rollcall, put together but for its listeners. */
export interface App {
  /** What the public port serves. */
  readonly listener: RequestListener;
  /** Where requests are told and counted. */
  readonly access: AccessLog;
  /** The same, by resource. */
  readonly served: readonly Served[];
  /** What it rests on, ordered by number. */
  readonly sources: readonly Source[];
  /** Drains every source, at most for one deadline (operation.md, `server.warm-up`). Never rejects. */
  warmUp(): Promise<void>;
  /** From here on connections are closed with their answer. */
  stopAccepting(): void;
  /** Ends what runs in the background. */
  stop(): void;
}

/** Everything that is served, in the order in which it is asked for most. */
const RESOURCES = [directoryTeams, dataTeams, news, newsItem, channels] as const;

/** Puts the house together: every part gets here what it needs, and no part makes it for itself. */
export function createApp(config: Config, surroundings: Surroundings): App {
  const { clock, log, memory, meter = noMeter, random = Math.random } = surroundings;
  const { server, cache } = config;
  const name = server.name ?? `rollcall-${randomBytes(4).toString('hex')}`;
  const ending = new AbortController();
  let accepting = true;
  // In the order in which they give way.
  const mostHeld = heldWithin(cache.memory);
  const budget = new Budget(mostHeld, surroundings.filled);
  const renderings = new Renderings(budget.level((rendered: Rendered) => rendered.gone()));
  const texts = new HeldTexts(budget.level());
  const merged = new MergedSets(budget.level());
  const items = budget.level<Held<Kept>>();
  const copies = budget.level<Held<Kept>>();
  const pulse = new Pulse();
  const house: SourceHouse = {
    items: new HeldStore(items),
    store: new HeldStore(copies),
    pulse,
    changed: (sourceNumber, path) => {
      merged.drop(sourceNumber, path);
      texts.drop(path);
    },
    clock,
    log,
    meter,
    name,
    random,
    ...(memory && { memory }),
    drainBytes: mostHeld / HELD_PER_BYTE,
    mostOfOne: cache.memory * SHARE_OF_ONE,
    largeDrains: limiter(1 / SHARE_OF_ONE),
    keys: surroundings.keys,
    stop: sharedByMany(ending.signal),
  };
  const sources = createSources(config, house, surroundings);
  const gateway = new Gateway(sources, merged, clock, server.deadline);
  const answers = new AnswerCache({ gateway, merged, pulse, clock });
  const access: AccessLog = { log, meter, clock, level: server.log };
  const stopping = (): boolean => !accepting;
  const served = servedResources({ config, answers, name, clock, pulse, texts });
  const read = representationReader(served);
  const ready = new ReadyAnswers({ renderings, pulse, name, access, read, stopping });
  const out = { renderings, ready, clock };
  const listener = httpApp({ served, name, access, out, stopping, mostBody: server.limits.body });
  return {
    listener,
    access,
    served,
    sources,
    warmUp: async () => {
      const signal = deadline(server.deadline);
      const asked = sources.flatMap((source) => RESOURCES.map((resource) => source.warm(resource, signal)));
      await Promise.all(asked);
    },
    stopAccepting: () => {
      accepting = false;
    },
    stop: () => {
      ending.abort(new DOMException('the process stops', 'AbortError'));
    },
  };
}

interface ServedParts {
  readonly config: Config;
  readonly answers: AnswerCache;
  readonly name: string;
  readonly clock: Clock;
  readonly pulse: Pulse;
  readonly texts: HeldTexts;
}

function servedResources(parts: ServedParts): [Served, ...Served[]] {
  const [first, ...others] = RESOURCES;
  return [served(first, parts), ...others.map((resource) => served(resource, parts))];
}

function served(resource: Resource, { config, answers, name, clock, pulse, texts }: ServedParts): Served {
  const { server } = config;
  const [face, base] =
    resource.face === 'data' ? [dataInterface, server.dataPath] : [directoryInterface, server.directoryPath];
  const vocabulary = { resource, ...vocabularyOf(config) };
  const item = resource === newsItem;
  return {
    base,
    options: {
      face,
      rules: { vocabulary, limit: server.limit, envelope: server.envelope[resource.face], item },
      answer: (query, id, manner) => (id === undefined ? answers.list(query, manner) : answers.item(query, id, manner)),
      pulse,
      texts,
      publicUrl: server.publicUrl ?? '',
      name,
      clock,
    },
  };
}

function createSources(
  config: Config,
  house: SourceHouse,
  { transport, watch, bodies }: Pick<Surroundings, 'transport' | 'watch' | 'bodies'>,
): readonly Source[] {
  const inHouse = limiter(config.server.concurrency);
  return config.sources.map((source) => {
    const { code, timeout, maxBody, concurrency, breaker, retries } = source;
    const watching = watch?.(code);
    house.meter.suspended(code, false);
    const fetch = stack({
      transport: watching?.wire(transport) ?? transport,
      clock: house.clock,
      bodies,
      name: house.name,
      house: inHouse,
      own: limiter(concurrency),
      timeout,
      maxBody,
      breaker: {
        ...breaker,
        changed: (suspended) => {
          house.log.warn({ source: code }, suspended ? 'source suspended' : 'source resumed');
          house.meter.suspended(code, suspended);
        },
      },
      retry: { retries, longestWait: config.server.deadline, random: house.random },
      count: house.meter.requests(code),
    });
    return new Source(registration(source, config.sources), watching?.replies(fetch) ?? fetch, house);
  });
}

/** What a source is registered with, among all that are. */
export function registration(source: SourceConfig, all: readonly SourceConfig[]): Registration {
  const others = all.filter((other) => other !== source);
  const { number, sourceName, site, aggregate, directory, data } = source;
  return {
    ...source,
    bases: { directory, data },
    provenance: {
      sourceName,
      number,
      aggregate,
      ...(site !== undefined && { site }),
      codes: codesOf(source),
      otherCodes: others.flatMap(codesOf),
      otherNames: others.map((other) => other.sourceName),
      properties: all.flatMap(({ properties }) => properties),
    },
  };
}

function codesOf({ code, prefixes }: SourceConfig): readonly string[] {
  return [code, ...prefixes];
}

interface Names {
  readonly sourceNames: readonly string[];
  readonly codes: readonly string[];
  readonly properties: readonly string[];
  readonly aggregate: boolean;
}

function vocabularyOf({ sources }: Config): Names {
  return {
    sourceNames: sources.map(({ sourceName }) => sourceName),
    codes: sources.flatMap(codesOf),
    properties: [...new Set(sources.flatMap(({ properties }) => properties))],
    aggregate: sources.some(({ aggregate }) => aggregate),
  };
}
