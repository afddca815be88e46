import type { SourceCapabilities } from '../model/registration/capability.js';
import type { SourceResource } from '../model/resource.js';
import { channels } from '../model/resources/channels.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { news } from '../model/resources/news.js';
import type { Vocabulary } from '../query/vocabulary.js';
import { SourceFailure } from '../source/client/source-failure.js';
import type { SourceSettings } from '../source/source-settings.js';
import type { CheckResult, ProbeFinding } from './findings/finding.js';
import { ProbeClient } from './client/probe-client.js';
import type { ProbeClientOptions } from './client/probe-requests.js';
import {
  estimateDrainRequests,
  readInitialPages,
  readCompleteList,
  overBudgetReason,
} from './resource/initial-read.js';
import type { InitialRead } from './resource/initial-read.js';
import { probeFeeds } from './feeds/probe-feeds.js';
import { FindingList } from './findings/finding-list.js';
import { concludeTotal, describeInitialPages } from './checks/initial-page-findings.js';
import { BudgetExhausted } from './client/request-budget.js';
import { listChecks } from './checks/capability-checks.js';
import type { CapabilityCheck } from './checks/capability-checks.js';
import { recheckEarlierResponses } from './checks/recheck-earlier-responses.js';
import { concludeSorts } from './checks/sort-conclusion.js';
import { createCheckObservations } from './resource/probed-resource.js';
import type { ProbedResource } from './resource/probed-resource.js';
import { deriveCautions, deriveSupports } from './findings/derive-supports.js';

/** Result of a probe (operation 1.5). */
export interface ProbeReport {
  readonly code: string;
  readonly findings: readonly ProbeFinding[];
  /** Number of requests sent, redirects included. */
  readonly requests: number;
  readonly budget: number;
  /** Proved capabilities by path of the resource. Empty for feeds, which evaluate nothing. */
  readonly supports: SourceCapabilities;
  /** Conditions on which capabilities in `supports` rest in addition to the source's behaviour, one sentence each. */
  readonly cautions: readonly string[];
  /** Whether at least one resource, or one feed, of the source could be read. */
  readonly reached: boolean;
}

/** All lists that a source can have. */
const RESOURCES = [directoryTeams, dataTeams, news, channels] as const;

/** Maximum number of requests for draining a small resource before any check. Several resources share it equally. */
const MAX_FIRST_DRAIN_REQUESTS = 10;

/**
 * Requests that draining a resource may always take before any check: complete knowledge of a small resource is worth
 * them.
 */
const MIN_FIRST_DRAIN_REQUESTS = 2;

/**
 * Probes one source (decisions 5.19, operation 1.5). Never rejects because of the source's behaviour. The sequence of
 * requests depends on the source only; the budget only ends it.
 *
 * 1. Small resources are drained, and responses are compared with the drained records.
 * 2. Large resources are checked by sums over partitions and by sampled pages.
 * 3. As far as the budget allows, large resources are drained, and the checks that remain open are run again.
 *
 * Of a source that consists of feeds, each feed is requested and revalidated (operation 1.5.5).
 */
export async function probe(options: ProbeClientOptions): Promise<ProbeReport> {
  const { dialects, code } = options.registration;
  const paging = dialects.data?.paging;
  if (paging?.kind === 'feeds')
    return { code, ...(await probeFeeds(options, paging)), budget: options.budget, supports: {}, cautions: [] };
  const client = new ProbeClient(options);
  const { registration, budget } = options;
  const resources = RESOURCES.filter((resource) => servesResource(registration, resource));
  const findingList = new FindingList();
  const small = await startResources(client, resources, findingList);
  await runChecks(small.flatMap(listChecks), client, findingList);
  const subjects: ProbedResource[] = [];
  for (const subject of sortByCost(small)) subjects.push(await finishResource(subject, findingList));
  for (const subject of subjects) {
    findingList.add(subject.resource, [...describeInitialPages(subject), concludeTotal(subject)]);
  }
  const findings = findingList.sortedByTopic(resources);
  const trustedFindings = client.isAggregateIncomplete ? findings.map(downgradeProved) : findings;
  const supports = deriveSupports(trustedFindings, resources);
  return {
    code: registration.code,
    findings: trustedFindings,
    requests: client.requestsSent,
    budget,
    supports,
    cautions: deriveCautions(trustedFindings, supports),
    reached: subjects.length > 0,
  };
}

/**
 * Nothing is proved for an aggregate that was missing data of its own sources: its records may have been all that it
 * had at that moment.
 */
function downgradeProved({ grant, ...finding }: ProbeFinding): ProbeFinding {
  if (grant === undefined || finding.verdict !== 'proved') return finding;
  const { resource, topic, asked = [] } = finding;
  const evidence = `${finding.evidence}; but some of its own sources were incomplete`;
  return { resource, topic, verdict: 'consistent', evidence, asked };
}

function servesResource({ resources, dialects }: SourceSettings, { path, interfaceName }: SourceResource): boolean {
  return resources.includes(path) && dialects[interfaceName] !== undefined;
}

/** A resource whose initial pages were read. */
interface StartedResource extends ProbedResource {
  readonly initialRead: InitialRead;
}

/** Reads the initial pages of every resource, then drains the small ones, the smallest first. */
async function startResources(
  client: ProbeClient,
  resources: readonly SourceResource[],
  findingList: FindingList,
): Promise<readonly StartedResource[]> {
  const initialReads: InitialRead[] = [];
  for (const resource of resources) {
    try {
      initialReads.push(await readInitialPages(client, resource, buildVocabulary(client.registration, resource)));
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      findingList.add(resource, [{ topic: 'first page', verdict: 'open', evidence: describeFailure(error, client) }]);
    }
  }
  const maxRequests = Math.max(MIN_FIRST_DRAIN_REQUESTS, Math.floor(MAX_FIRST_DRAIN_REQUESTS / resources.length));
  const started: StartedResource[] = [];
  for (const read of [...initialReads].sort((a, b) => drainRequests(a) - drainRequests(b)))
    started.push(await startResource(read, maxRequests));
  return initialReads.flatMap(({ resource }) => started.find((subject) => subject.resource === resource) ?? []);
}

/** Number of further requests for a complete drain; Infinity where the source reports no usable total. */
function drainRequests(read: InitialRead): number {
  return estimateDrainRequests(read) ?? Infinity;
}

function sortByCost(all: readonly StartedResource[]): readonly StartedResource[] {
  return [...all].sort((a, b) => drainRequests(a.initialRead) - drainRequests(b.initialRead));
}

function describeFailure(failure: SourceFailure, client: ProbeClient): string {
  return failure instanceof BudgetExhausted
    ? `not requested: ${client.exhaustedReason}`
    : `request failed: ${failure.message}`;
}

async function startResource(initialRead: InitialRead, maxRequests: number): Promise<StartedResource> {
  const { client, resource, vocabulary, firstPage: first, pageSize, limitMax, initialPages } = initialRead;
  const seen = {
    client,
    resource,
    vocabulary,
    firstPage: first,
    pageSize,
    initialPages,
    ...(limitMax !== undefined && { limitMax }),
  };
  const cost = estimateDrainRequests(initialRead);
  const reads = cost !== undefined && cost <= maxRequests && client.hasBudgetFor(cost);
  const read = reads ? await readCompleteList(initialRead) : { unreadReason: overBudgetReason(cost) };
  const totals = initialPages.map(({ target, page: { total, receivedCount: received } }) => ({
    target,
    reported: total,
    received,
    ...(read.completeList && { expected: read.completeList.reference.size }),
  }));
  return { ...seen, initialRead, ...read, ...detectPageCap(seen, read), observations: createCheckObservations(totals) };
}

/**
 * Draws conclusions about the sort orders. If the drain was deferred and the budget now allows it, drains the
 * resource, rechecks the earlier results against the complete list, and runs the checks that are still open.
 */
async function finishResource(started: StartedResource, findingList: FindingList): Promise<ProbedResource> {
  const { resource, client, initialRead, unreadReason } = started;
  findingList.add(resource, await concludeSorts(started));
  const cost = estimateDrainRequests(initialRead);
  if (unreadReason?.isOverBudget !== true || !client.hasBudgetFor(cost ?? 1)) return started;
  const read = await readCompleteList(initialRead);
  if (read.completeList === undefined) {
    const subject = { ...started, ...read };
    await runChecks(openChecks(subject, findingList), client, findingList);
    return subject;
  }
  const { reference } = read.completeList;
  const refuted = await recheckEarlierResponses(started, reference);
  findingList.add(resource, refuted);
  const totals = started.observations.totals.map((count) => ({ expected: reference.size, ...count }));
  const consistentSorts = [...started.observations.consistentSorts].filter(([sort]) =>
    refuted.every(({ topic }) => topic !== `sort ${sort}`),
  );
  const observations = { ...started.observations, totals, consistentSorts: new Map(consistentSorts) };
  const subject: StartedResource = { ...started, ...read, ...detectPageCap(started, read), observations };
  await runChecks(openChecks(subject, findingList), client, findingList);
  findingList.add(resource, await concludeSorts(subject));
  return subject;
}

/** Checks whose findings are not settled. */
function openChecks(subject: ProbedResource, findingList: FindingList): readonly CapabilityCheck[] {
  return listChecks(subject).filter(({ topics }) =>
    topics.some((topic) => !findingList.isSettled(subject.resource, topic)),
  );
}

/**
 * Maximum page size of a source that reports no total: known once the complete list has more records than its largest
 * page.
 */
function detectPageCap(
  { initialPages, limitMax }: Omit<InitialRead, 'drainPageSize'>,
  { completeList }: Pick<ProbedResource, 'completeList'>,
): Partial<Pick<ProbedResource, 'limitMax' | 'pageSize'>> {
  const last = initialPages.at(-1);
  const hasNoTotal = last !== undefined && last.page.total === undefined && limitMax === undefined;
  if (!hasNoTotal || completeList === undefined) return {};
  const { receivedCount: received } = last.page;
  const isCapped = received < last.range.limit && completeList.reference.size > received;
  return isCapped ? { limitMax: received, pageSize: Math.min(received, initialPages[0]?.range.limit ?? received) } : {};
}

function buildVocabulary({ provenance }: SourceSettings, resource: SourceResource): Vocabulary {
  const { sourceName, codes, isAggregate: aggregate } = provenance;
  return { resource, sourceNames: [sourceName], codes, properties: [], aggregate };
}

async function runChecks(
  checks: readonly CapabilityCheck[],
  client: ProbeClient,
  findingList: FindingList,
): Promise<void> {
  for (const { subject, topics, cost, run } of [...checks].sort((a, b) => a.rank - b.rank)) {
    const addOpen = (evidence: string, extra: Pick<CheckResult, 'cost'> = {}): void =>
      findingList.add(
        subject.resource,
        topics.map((topic) => ({ topic, verdict: 'open', evidence, ...extra })),
      );
    const requests = await cost();
    if (!client.hasBudgetFor(requests)) {
      addOpen(`not requested: ${client.exhaustedReason}`, { cost: requests / topics.length });
      continue;
    }
    try {
      findingList.add(subject.resource, await run());
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      addOpen(describeFailure(error, client));
    }
  }
}
