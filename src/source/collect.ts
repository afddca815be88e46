import type { Doubt, Outcome } from '../model/outcome.js';
import type { Resource } from '../model/resource.js';
import { teamKeys } from '../model/resources/data-teams.js';
import { RecordSet } from '../records/record-set.js';
import { readStates } from '../wire/source-status.js';
import { readVia, writeVia } from '../wire/via.js';
import { itemUrl, pageUrl } from './dialect.js';
import type { Parameters } from './dialect.js';
import { drain } from './drain.js';
import type { Drained } from './drain.js';
import type { Fetch, JsonReply } from './fetch.js';
import type { Rule } from './findings.js';
import { SourceFailure } from './failure.js';
import { identify } from './identity.js';
import { drainItem } from './item.js';
import type { DrainBounds, FetchPage } from './page.js';
import { readRecords, requireReadable } from './read-records.js';
import type { Draft } from './record-reader.js';
import type { Copy, Registration, SourceHouse } from './registration.js';
import { within } from './timeout.js';
import { drainPastWindow } from './window.js';

/** Longest drain, in milliseconds: what takes longer than this is never current. */
const DRAIN_TIME = 15 * 60_000;

/** What is fetched: a resource in the source's own interface, narrowed by parameters. */
export interface Wish {
  readonly resource: Resource;
  readonly parameters: Parameters;
  /** The source's own id of the one item that is wanted. */
  readonly native?: number;
}

/** What came of fetching it. */
export interface Collected {
  readonly outcome: Outcome<Copy>;
  readonly drained: Drained<Draft>;
}

/** One request of a drain, whatever its URL. */
type Request = (url: URL) => Promise<JsonReply>;

/** Statuses of a source that does not know a scope. */
const UNKNOWN_SCOPE: ReadonlySet<number | undefined> = new Set([400, 404, 422]);

/** A source that refuses to be asked for keys has none to give. */
async function orNothing(draining: Promise<Drained<Draft>>): Promise<Drained<Draft>> {
  try {
    return await draining;
  } catch (error) {
    if (error instanceof SourceFailure && UNKNOWN_SCOPE.has(error.status)) return NOTHING;
    throw error;
  }
}

const NOTHING: Drained<Draft> = { records: [], received: 0, bytes: 0, findings: new Map() };

/** What the replies of one drain said beside their records. */
interface Heard {
  readonly via: Set<string>;
  /** Whether an aggregate told of a source of its own that did not give all. */
  doubtful: boolean;
}

/** Drains one source and judges what came. */
export class Collector {
  constructor(
    private readonly registration: Registration,
    private readonly fetch: Fetch<JsonReply>,
    private readonly house: SourceHouse,
  ) {}

  /** Fetches everything that the wish names. Rejects when a page fails. */
  async collect(wish: Wish): Promise<Collected> {
    const { resource } = wish;
    const heard: Heard = { via: new Set(), doubtful: false };
    const started = this.house.clock.now();
    const drained = await within(DRAIN_TIME, this.house.stop, (signal) =>
      this.drain(wish, (url) => this.request(url, heard, signal)),
    );
    requireReadable(drained, resource.path);
    const copy = await this.copy(resource, drained, { started, heard });
    const repeated = drained.records.length - copy.set.records.length;
    const told = repeated === 0 ? drained : withRepeated(drained, repeated);
    return { outcome: this.judge(copy, told, heard), drained: told };
  }

  private drain({ resource, parameters, native }: Wish, request: Request): Promise<Drained<Draft>> {
    const { provenance, bases } = this.registration;
    const address = `${bases[resource.face] ?? ''}/${resource.path}`;
    if (native !== undefined) {
      return drainItem({ resource, native }, provenance, () => request(itemUrl(address, native)));
    }
    const pages =
      (more: Parameters): FetchPage<Draft> =>
      async (offset, limit) => {
        const reply = await request(pageUrl(address, { offset, limit }, { ...parameters, ...more }));
        return readRecords(reply, resource, provenance);
      };
    if (resource === teamKeys) return orNothing(drain(pages({}), this.bounds));
    return resource.name === 'news' ? drainPastWindow(pages, this.bounds) : drain(pages({}), this.bounds);
  }

  private async request(url: URL, heard: Heard, signal: AbortSignal): Promise<JsonReply> {
    const reply = await this.fetch({ url, headers: { via: writeVia([this.house.name]) } }, signal);
    listen(reply, heard);
    return reply;
  }

  private get bounds(): DrainBounds {
    const { pageSize, concurrency } = this.registration;
    return { pageSize, concurrency, bytes: this.house.drainBytes };
  }

  private async copy(
    resource: Resource,
    drained: Drained<Draft>,
    { started, heard }: { started: number; heard: Heard },
  ): Promise<Copy> {
    const { code, number, ttl } = this.registration;
    const { lastModified, records } = drained;
    return {
      set: new RecordSet(resource, number, await identify(resource, code, records)),
      fetchedAt: started,
      staleAt: this.house.clock.now() + ttl,
      ...(lastModified !== undefined && { lastModified }),
      via: [...heard.via],
    };
  }

  private judge(copy: Copy, { doubt, total, findings }: Drained<Draft>, heard: Heard): Outcome<Copy> {
    if (heard.via.has(this.house.name)) return { state: 'excluded', reason: 'loop' };
    const counted = total === undefined ? {} : { total };
    const dropped = DROPPING.find(([rule]) => findings.has(`${rule} (record)`))?.[1];
    const reason: Doubt | undefined = doubt ?? dropped ?? (heard.doubtful ? 'upstream' : undefined);
    if (reason === undefined) return { state: 'fresh', copy };
    // Nothing of more than nothing is no list that anybody could rest on.
    if (reason === 'too-large' || copy.set.records.length === 0) return { state: 'partial', reason, ...counted };
    return { state: INCONSISTENT.has(reason) ? 'inconsistent' : 'partial', reason, copy, ...counted };
  }
}

/** States of an aggregate's own sources that leave its answer whole; every other makes it less than all (decisions.md, section 5). */
const WHOLE: ReadonlySet<string> = new Set(['fresh', 'excluded']);

/** What was left out of a drain, or came twice, and the doubt that this is. A record without a name or an id is none, and left out for good. */
const DROPPING: readonly (readonly [rule: Rule, doubt: Doubt])[] = [
  ['id-range', 'id-range'],
  ['not-a-record', 'unreadable'],
  ['repeated-id', 'drift'],
];

/** Doubts about a copy that was read to its end. */
const INCONSISTENT: ReadonlySet<Doubt> = new Set<Doubt>(['drift', 'total']);

function withRepeated(drained: Drained<Draft>, times: number): Drained<Draft> {
  return { ...drained, findings: new Map([...drained.findings, ['repeated-id (record)', times]]) };
}

function listen(reply: JsonReply, heard: Heard): void {
  for (const name of readVia(reply.header('via'))) heard.via.add(name);
  heard.doubtful ||= readStates(reply.header('source-status')).some((state) => !WHOLE.has(state));
}
