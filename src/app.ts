import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Config, SourceConfig } from './config/config.js';
import { Gateway } from './gateway/gateway.js';
import type { Asked } from './gateway/gateway.js';
import { HeldStore } from './hold/held.js';
import { httpApp } from './http/app.js';
import type { Clock } from './model/clock.js';
import { directoryInterface } from './model/interface.js';
import type { Log } from './model/log.js';
import type { Outcome } from './model/outcome.js';
import { directoryTeams } from './model/resources/directory-teams.js';
import type { Transport } from './source/fetch.js';
import { limiter } from './source/limit.js';
import { Source } from './source/source.js';
import type { Copy, Registration, SourceHouse } from './source/source.js';
import { stack } from './source/stack.js';

/** What is handed in: the wire to the sources, the time, the log. */
export interface Surroundings {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: Log;
}

/** Rollcall, put together but for its listeners. */
export interface App {
  /** What the public port serves. */
  readonly listener: RequestListener;
  /** Drains every source, at most for one deadline (operation.md, `server.warm-up`). Never rejects. */
  warmUp(): Promise<void>;
  /** From here on connections are closed with their answer. */
  stopAccepting(): void;
  /** Ends what runs in the background. */
  stop(): void;
}

/** Puts the house together: every part gets here what it needs, and no part makes it for itself. */
export function createApp(config: Config, { transport, clock, log }: Surroundings): App {
  const { server, cache } = config;
  const name = server.name ?? `rollcall-${randomBytes(4).toString('hex')}`;
  const stopping = new AbortController();
  let accepting = true;
  const house: SourceHouse = {
    store: new HeldStore<Outcome<Copy>>(cache.memory),
    clock,
    log,
    name,
    drainBytes: cache.memory,
    stop: stopping.signal,
  };
  const sources = createSources(config, house, transport);
  const gateway = new Gateway(sources, clock, server.deadline);
  const listener = httpApp({
    directoryPath: server.directoryPath,
    directory: {
      face: directoryInterface,
      rules: { vocabulary: vocabularyOf(config), limit: server.limit, envelope: server.envelope.directory },
      answer: (query) => gateway.answer(query),
      publicUrl: server.publicUrl ?? '',
      name,
      clock,
    },
    access: { log, clock, level: server.log },
    stopping: () => !accepting,
  });
  return {
    listener,
    warmUp: async () => {
      const signal = AbortSignal.timeout(server.deadline);
      await Promise.all(sources.map((source) => source.ask(directoryTeams, signal)));
    },
    stopAccepting: () => {
      accepting = false;
    },
    stop: () => {
      stopping.abort();
    },
  };
}

function createSources(config: Config, house: SourceHouse, transport: Transport): readonly Asked[] {
  const inHouse = limiter(config.server.concurrency);
  return config.sources.map((source) => {
    const { timeout, maxBody, concurrency } = source;
    const fetch = stack({ transport, house: inHouse, own: limiter(concurrency), timeout, maxBody });
    const asked = new Source(registration(source, config.sources), fetch, house);
    const { code, sourceName, aggregate } = source;
    return { code, sourceName, aggregate, ask: (resource, signal) => asked.ask(resource, signal) };
  });
}

function registration(source: SourceConfig, all: readonly SourceConfig[]): Registration {
  const others = all.filter((other) => other !== source);
  const { sourceName, aggregate } = source;
  return {
    ...source,
    provenance: {
      sourceName,
      aggregate,
      codes: codesOf(source),
      otherCodes: others.flatMap(codesOf),
      otherNames: others.map((other) => other.sourceName),
    },
  };
}

function codesOf({ code, prefixes }: SourceConfig): readonly string[] {
  return [code, ...prefixes];
}

function vocabularyOf({ sources }: Config): {
  resource: typeof directoryTeams;
  sourceNames: string[];
  codes: string[];
  properties: string[];
  aggregate: boolean;
} {
  return {
    resource: directoryTeams,
    sourceNames: sources.map(({ sourceName }) => sourceName),
    codes: sources.flatMap(codesOf),
    properties: [...new Set(sources.flatMap(({ properties }) => properties))],
    aggregate: sources.some(({ aggregate }) => aggregate),
  };
}
