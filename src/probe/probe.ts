import type { SourceCapabilities } from '../model/capability.js';
import type { Resource } from '../model/resource.js';
import { channels } from '../model/resources/channels.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { news } from '../model/resources/news.js';
import type { Vocabulary } from '../query/vocabulary.js';
import { SourceFailure } from '../source/client/source-failure.js';
import type { SourceSettings } from '../source/source-settings.js';
import type { CheckResult, ProbeFinding } from './findings/finding.js';
import { ProbeClient } from './client/probe-client.js';
import type { ProbeClientOptions } from './client/probe-client.js';
import {
  estimateDrainRequests,
  readInitialPages,
  readCompleteList,
  overBudgetReason,
} from './resource/initial-read.js';
import type { InitialRead } from './resource/initial-read.js';
import { FindingList } from './findings/finding-list.js';
import { concludeTotal, describeInitialPages } from './checks/initial-page-findings.js';
import { BudgetExhausted } from './client/request-budget.js';
import { listChecks } from './checks/capability-checks.js';
import type { CapabilityCheck } from './checks/capability-checks.js';
import { verifyWithCompleteList } from './checks/verify-with-complete-list.js';
import { concludeSorts } from './checks/sort-conclusion.js';
import { createCheckState } from './resource/probed-resource.js';
import type { ProbedResource } from './resource/probed-resource.js';
import { deriveCautions, deriveSupports } from './findings/derive-supports.js';

/** Result of a probe (operation 1.5). */
export interface ProbeReport {
  readonly code: string;
  readonly findings: readonly ProbeFinding[];
  /** Number of requests sent, redirects included. */
  readonly requests: number;
  readonly budget: number;
  /** Proved capabilities by path of the resource. */
  readonly supports: SourceCapabilities;
  /** Conditions on which capabilities in `supports` rest in addition to the source's behaviour, one sentence each. */
  readonly cautions: readonly string[];
  /** Whether at least one resource of the source could be requested. */
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
 */
export async function probe(parts: ProbeClientOptions): Promise<ProbeReport> {
  const line = new ProbeClient(parts);
  const { registration, budget } = parts;
  const resources = RESOURCES.filter((resource) => servesResource(registration, resource));
  const ledger = new FindingList();
  const small = await startResources(line, resources, ledger);
  await runChecks(small.flatMap(listChecks), line, ledger);
  const subjects: ProbedResource[] = [];
  for (const subject of sortByCost(small)) subjects.push(await finishResource(subject, ledger));
  for (const subject of subjects) {
    ledger.add(subject.resource, [...describeInitialPages(subject), concludeTotal(subject)]);
  }
  const findings = ledger.sortedByTopic(resources);
  const believed = line.isAggregateIncomplete ? findings.map(downgradeProved) : findings;
  const supports = deriveSupports(believed, resources);
  return {
    code: registration.code,
    findings: believed,
    requests: line.requestsSent,
    budget,
    supports,
    cautions: deriveCautions(believed, supports),
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

function servesResource(
  { resources, baseUrls: bases }: SourceSettings,
  { path, interfaceName: face }: Resource,
): boolean {
  return resources.includes(path) && bases[face] !== undefined;
}

/** A resource whose initial pages were read. */
interface StartedResource extends ProbedResource {
  readonly initialRead: InitialRead;
}

/** Reads the initial pages of every resource, then drains the small ones, the smallest first. */
async function startResources(
  line: ProbeClient,
  resources: readonly Resource[],
  ledger: FindingList,
): Promise<readonly StartedResource[]> {
  const looks: InitialRead[] = [];
  for (const resource of resources) {
    try {
      looks.push(await readInitialPages(line, resource, buildVocabulary(line.registration, resource)));
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      ledger.add(resource, [{ topic: 'first page', verdict: 'open', evidence: describeFailure(error, line) }]);
    }
  }
  const cheap = Math.max(MIN_FIRST_DRAIN_REQUESTS, Math.floor(MAX_FIRST_DRAIN_REQUESTS / resources.length));
  const begun: StartedResource[] = [];
  for (const one of [...looks].sort((a, b) => drainRequests(a) - drainRequests(b)))
    begun.push(await startResource(one, cheap));
  return looks.flatMap(({ resource }) => begun.find((subject) => subject.resource === resource) ?? []);
}

/** Number of further requests for a complete drain; Infinity where the source reports no usable total. */
function drainRequests(one: InitialRead): number {
  return estimateDrainRequests(one) ?? Infinity;
}

function sortByCost(all: readonly StartedResource[]): readonly StartedResource[] {
  return [...all].sort((a, b) => drainRequests(a.initialRead) - drainRequests(b.initialRead));
}

function describeFailure(failure: SourceFailure, line: ProbeClient): string {
  return failure instanceof BudgetExhausted
    ? `not requested: ${line.exhaustedReason}`
    : `request failed: ${failure.message}`;
}

async function startResource(look: InitialRead, cheap: number): Promise<StartedResource> {
  const { client: line, resource, vocabulary, firstPage: first, pageSize, limitMax, initialPages: looked } = look;
  const seen = {
    client: line,
    resource,
    vocabulary,
    firstPage: first,
    pageSize,
    initialPages: looked,
    ...(limitMax !== undefined && { limitMax }),
  };
  const cost = estimateDrainRequests(look);
  const reads = cost !== undefined && cost <= cheap && line.hasBudgetFor(cost);
  const read = reads ? await readCompleteList(look) : { unreadReason: overBudgetReason(cost) };
  const counts = looked.map(({ target, page: { total, receivedCount: received } }) => ({
    target,
    reported: total,
    received,
    ...(read.completeList && { expected: read.completeList.reference.size }),
  }));
  return { ...seen, initialRead: look, ...read, ...detectPageCap(seen, read), state: createCheckState(counts) };
}

/**
 * Draws conclusions about the sort orders. If the drain was deferred and the budget now allows it, drains the
 * resource, rechecks the earlier results against the complete list, and runs the checks that are still open.
 */
async function finishResource(begun: StartedResource, ledger: FindingList): Promise<ProbedResource> {
  const { resource, client: line, initialRead: look, unreadReason: lacks } = begun;
  ledger.add(resource, await concludeSorts(begun));
  const cost = estimateDrainRequests(look);
  if (lacks?.isOverBudget !== true || !line.hasBudgetFor(cost ?? 1)) return begun;
  const read = await readCompleteList(look);
  if (read.completeList === undefined) {
    const subject = { ...begun, ...read };
    await runChecks(openChecks(subject, ledger), line, ledger);
    return subject;
  }
  const { reference: known } = read.completeList;
  const wrong = await verifyWithCompleteList(begun, known);
  ledger.add(resource, wrong);
  const counts = begun.state.totals.map((count) => ({ expected: known.size, ...count }));
  const agreed = [...begun.state.consistentSorts].filter(([sort]) =>
    wrong.every(({ topic }) => topic !== `sort ${sort}`),
  );
  const state = { ...begun.state, totals: counts, consistentSorts: new Map(agreed) };
  const subject: StartedResource = { ...begun, ...read, ...detectPageCap(begun, read), state };
  await runChecks(openChecks(subject, ledger), line, ledger);
  ledger.add(resource, await concludeSorts(subject));
  return subject;
}

/** Checks whose findings are not settled. */
function openChecks(subject: ProbedResource, ledger: FindingList): readonly CapabilityCheck[] {
  return listChecks(subject).filter(({ topics }) => topics.some((one) => !ledger.isSettled(subject.resource, one)));
}

/**
 * Maximum page size of a source that reports no total: known once the complete list has more records than its largest
 * page.
 */
function detectPageCap(
  { initialPages: looked, limitMax }: Omit<InitialRead, 'drainPageSize'>,
  { completeList: whole }: Pick<ProbedResource, 'completeList'>,
): Partial<Pick<ProbedResource, 'limitMax' | 'pageSize'>> {
  const last = looked.at(-1);
  const silent = last !== undefined && last.page.total === undefined && limitMax === undefined;
  if (!silent || whole === undefined) return {};
  const { receivedCount: received } = last.page;
  const cut = received < last.range.limit && whole.reference.size > received;
  return cut ? { limitMax: received, pageSize: Math.min(received, looked[0]?.range.limit ?? received) } : {};
}

function buildVocabulary({ provenance }: SourceSettings, resource: Resource): Vocabulary {
  const { sourceName, codes, isAggregate: aggregate } = provenance;
  return { resource, sourceNames: [sourceName], codes, properties: [], aggregate };
}

async function runChecks(questions: readonly CapabilityCheck[], line: ProbeClient, ledger: FindingList): Promise<void> {
  for (const { subject, topics, cost, run: ask } of [...questions].sort((a, b) => a.rank - b.rank)) {
    const none = (evidence: string, more: Pick<CheckResult, 'cost'> = {}): void =>
      ledger.add(
        subject.resource,
        topics.map((topic) => ({ topic, verdict: 'open', evidence, ...more })),
      );
    const requests = await cost();
    if (!line.hasBudgetFor(requests)) {
      none(`not requested: ${line.exhaustedReason}`, { cost: requests / topics.length });
      continue;
    }
    try {
      ledger.add(subject.resource, await ask());
    } catch (error) {
      if (!(error instanceof SourceFailure)) throw error;
      none(describeFailure(error, line));
    }
  }
}
