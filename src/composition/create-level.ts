import { ChangeCounter } from '../cache/change-counter.js';
import { MemoryBudget } from '../cache/memory-budget.js';
import { SerializedRecordCache } from '../cache/serialized-record-cache.js';
import type { Config } from '../config/config.js';
import type { Publish } from '../events/event.js';
import { Gateway } from '../gateway/gateway.js';
import { MergedListCache } from '../gateway/merged-list-cache.js';
import { AnswerCache } from '../http/cache/answer-cache.js';
import { RenderCache } from '../http/cache/render-cache.js';
import type { RenderedBody } from '../http/cache/rendered-body.js';
import type { List } from '../lists/list.js';
import type { AccessLevel } from '../model/access-level.js';
import { createLimiter } from '../source/client/concurrency-limit.js';
import { LARGE_LIST_MEMORY_SHARE, MEMORY_PER_JSON_BYTE } from '../lists/memory-estimate.js';
import { SearchEngine } from '../search/search-engine.js';
import type { CachedIndex } from '../search/search-engine.js';
import type { AppDependencies } from './app-dependencies.js';
import { createSources } from './create-sources.js';
import type { LevelServices } from './create-sources.js';
import type { Level } from './level.js';

export interface LevelOptions {
  readonly config: Config;
  readonly dependencies: AppDependencies;
  readonly publish: Publish;
  readonly gatewayName: string;
  readonly stop: AbortSignal;
  /** Another configuration is in force. */
  readonly replaced: AbortSignal;
  /** In bytes, of one level. */
  readonly memory: number;
}

/** Of the memory. The rest is for garbage until V8 collects it. */
const CACHED_SHARE = 0.8;

/** Sources and caches of one access level (decisions 7.16; decision record 0021). */
export function createLevel(access: AccessLevel, options: LevelOptions): Level {
  const { config, dependencies, gatewayName, stop, replaced, memory } = options;
  const { clock, listFolder, sharedStore, random = Math.random } = dependencies;
  // The levels of the cache are evicted in this order.
  const maxBytes = Math.ceil(memory * CACHED_SHARE);
  const budget = new MemoryBudget(maxBytes);
  const renderCache = new RenderCache(budget.addLevel((rendered: RenderedBody) => rendered.notifyEvicted()));
  const recordCache = new SerializedRecordCache(budget.addLevel());
  const mergedLists = new MergedListCache(budget.addLevel());
  const searchIndexes = budget.addLevel<CachedIndex>();
  const perQuery = budget.addLevel((list: List) => list.evict());
  const kept = budget.addLevel((list: List) => list.evict());
  const changeCounter = new ChangeCounter();
  const keyReader = dependencies.workers?.[access].keyReader;
  const publish: Publish = access === 'public' ? options.publish : (event) => options.publish({ access, ...event });
  const codes = new Map(config.sources.map(({ number, code }) => [number, code]));
  const searchEngine = new SearchEngine({
    cacheLevel: searchIndexes,
    threads: dependencies.workers?.[access].searchThreads,
    clock,
    publish,
    codeOf: (number) => codes.get(number) ?? '',
  });
  const services: LevelServices = {
    memory: { kept, perQuery },
    changeCounter,
    onChange: (sourceNumber, path, replaced) => {
      mergedLists.dropSource(sourceNumber, path);
      recordCache.dropGroup(path);
      if (path !== 'teams') return;
      if (replaced === undefined) searchEngine.dropWhere((key) => key.endsWith(` ${sourceNumber}`));
      else searchEngine.noteReplaced(replaced);
    },
    clock,
    publish,
    gatewayName,
    random,
    hasLostLists: access === 'public' && listFolder?.hasLostLists === true,
    maxDrainBytes: maxBytes / MEMORY_PER_JSON_BYTE,
    maxLargeListBytes: memory * LARGE_LIST_MEMORY_SHARE,
    largeDrainLimiter: createLimiter(1 / LARGE_LIST_MEMORY_SHARE),
    keyReader,
    stop,
  };
  const { sources, breakers } = createSources(access, { config, services, dependencies });
  const gateway = new Gateway(sources, {
    ...{ mergedLists, clock, deadline: config.server.deadline, searchEngine, publish },
    // Instances do not know what the others have served (operation 2.5.4).
    givesDates: () => sharedStore === undefined && !replaced.aborted,
  });
  const answers = new AnswerCache({ gateway, mergedLists, changeCounter, clock });
  return {
    gateway,
    sources,
    breakers,
    renderCache,
    searchEngine,
    backend: {
      answerQuery: (query, itemId, queryOptions) =>
        itemId === undefined ? answers.getList(query, queryOptions) : answers.getItem(query, itemId, queryOptions),
      search: (query, queryOptions) => answers.search(query, queryOptions),
      findSameTeam: (query, id, queryOptions) => answers.getSameTeam(query, id, queryOptions),
      readKeyPackets: keyReader && ((texts) => keyReader.readPackets(texts)),
      changeCounter,
      recordCache,
    },
  };
}
