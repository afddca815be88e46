import type {
  ReportedLevel,
  ReportedList,
  ReportedResource,
  ReportedSource,
  WorkerListStatus,
} from '../../../admin/sources/reported-source.js';
import type { SharingStatus } from '../../../admin/sources/sharing-status.js';
import type { SourcesReport } from '../../../admin/sources/reported-source.js';
import { findWorstCondition } from '../../../source/status/list-summary.js';
import type { CapabilityStatus, ListStatus, RequestStatus } from '../../../source/status/source-status.js';

/** Something that one worker reports. */
export interface WorkerReport<T> {
  readonly worker: number;
  readonly report: T;
}

/** Reports of the same thing by at least one worker. */
type Reports<T> = readonly [WorkerReport<T>, ...WorkerReport<T>[]];

/**
 * Merges the states of the sources in all workers (operation 3.5.5): counts are added, the worst state of each list is shown,
 * and workers are listed where they differ.
 */
export function mergeSources(reports: readonly WorkerReport<readonly ReportedSource[]>[]): readonly ReportedSource[] {
  return mergeItems(reports, ({ code }) => code, mergeSource);
}

/** Returns the state of the first worker that is not in agreement with the others, with its number; else of any. */
export function mergeSharing(
  reports: readonly WorkerReport<Pick<SourcesReport, 'sharing'>>[],
): SharingStatus | undefined {
  const states = reports.flatMap(({ worker, report: { sharing } }) => (sharing ? [{ worker, sharing }] : []));
  const outside = states.find(({ sharing }) => !sharing.inAgreement);
  return outside === undefined ? states[0]?.sharing : { ...outside.sharing, worker: outside.worker };
}

function mergeSource(reports: Reports<ReportedSource>): ReportedSource {
  const [{ report: first }] = reports;
  const certificates = reports.flatMap(({ report }) => report.certificates);
  return {
    ...first,
    certificates: [...new Map(certificates.map((one) => [one.origin, one])).values()],
    condition: findWorstCondition(reports.map(({ report }) => report.condition)),
    levels: mergeItems(
      reports.map(({ worker, report }) => ({ worker, report: report.levels })),
      ({ access }) => access,
      mergeLevel,
    ),
  };
}

function mergeLevel(reports: Reports<ReportedLevel>): ReportedLevel {
  const [{ report: first }] = reports;
  const levels = reports.map(({ report }) => report);
  const suspension = levels.find((level) => level.suspension !== undefined)?.suspension;
  return {
    access: first.access,
    requestedAs: first.requestedAs,
    condition: findWorstCondition(levels.map(({ condition }) => condition)),
    ...(suspension && { suspension }),
    requests: addRequests(levels.map(({ requests }) => requests)),
    resources: mergeItems(
      reports.map(({ worker, report }) => ({ worker, report: report.resources })),
      ({ resource, feed = '' }) => `${resource} ${feed}`,
      mergeResource,
    ),
  };
}

function addRequests(requests: readonly RequestStatus[]): RequestStatus {
  const failures = new Map<string, number>();
  for (const [reason, count] of requests.flatMap((one) => Object.entries(one.failures)))
    failures.set(reason, (failures.get(reason) ?? 0) + count);
  return { sent: requests.reduce((sum, { sent }) => sum + sent, 0), failures: Object.fromEntries(failures) };
}

function mergeResource(reports: Reports<ReportedResource>): ReportedResource {
  const keys = mergeItems(
    reports.map(({ worker, report }) => ({ worker, report: report.keys === undefined ? [] : [report.keys] })),
    () => 'keys',
    mergeList,
  );
  return {
    ...mergeList(reports),
    capabilities: mergeItems(
      reports.map(({ worker, report }) => ({ worker, report: report.capabilities })),
      ({ capability }) => capability,
      mergeCapability,
    ),
    ...(keys[0] && { keys: keys[0] }),
  };
}

function mergeList<T extends ReportedList>(reports: Reports<T>): T {
  const { report: worst } = findWorst(reports);
  const workers = reports.map(({ worker, report }) => toWorkerStatus(worker, report));
  const isEqual = workers.every((one) => describe(one) === workers.map(describe)[0]);
  return {
    ...worst,
    isRefreshing: reports.some(({ report }) => report.isRefreshing),
    ...(!isEqual && { workers }),
  };
}

/** The report with the worst condition; of several, the one with the oldest records. */
function findWorst<T extends ListStatus>(reports: Reports<T>): WorkerReport<T> {
  const condition = findWorstCondition(reports.map(({ report }) => report.condition));
  const candidates = reports.filter(({ report }) => report.condition === condition);
  const [first = reports[0], ...more] = candidates;
  return more.reduce((worst, one) => ((one.report.age ?? 0) > (worst.report.age ?? 0) ? one : worst), first);
}

function toWorkerStatus(worker: number, list: ListStatus): WorkerListStatus {
  const { state, condition, summary, records, verifiedAt } = list;
  return {
    worker,
    ...{ state, condition, summary },
    ...(records !== undefined && { records }),
    ...(verifiedAt !== undefined && { verifiedAt }),
  };
}

/** What must be equal in all workers. */
function describe({ state, summary, records, verifiedAt }: WorkerListStatus): string {
  return JSON.stringify([state, summary, records, verifiedAt]);
}

/** From the best to the worst. A capability that one worker uses and checks is not `unused`. */
const VERDICTS = ['unused', 'unchecked', 'consistent', 'disproved'] as const;

function mergeCapability(reports: Reports<CapabilityStatus>): CapabilityStatus {
  const capabilities = reports.map(({ report }) => report);
  const verdict = VERDICTS.findLast((one) => capabilities.some((capability) => capability.verdict === one)) ?? 'unused';
  const disproof = capabilities.find((one) => one.disproof !== undefined)?.disproof;
  const lastChecked = capabilities
    .flatMap((one) => one.lastChecked ?? [])
    .sort()
    .at(-1);
  return {
    capability: reports[0].report.capability,
    verdict,
    uses: capabilities.reduce((sum, { uses }) => sum + uses, 0),
    checks: capabilities.reduce((sum, { checks }) => sum + checks, 0),
    ...(lastChecked !== undefined && { lastChecked }),
    ...(disproof && { disproof }),
  };
}

/** Merges lists of items: those with the same key become one. The order is that of their first occurrence. */
function mergeItems<T>(
  reports: readonly WorkerReport<readonly T[]>[],
  getKey: (item: T) => string,
  merge: (items: Reports<T>) => T,
): readonly T[] {
  const byKey = new Map<string, Reports<T>>();
  for (const { worker, report } of reports)
    for (const item of report) {
      const known = byKey.get(getKey(item));
      const one = { worker, report: item };
      byKey.set(getKey(item), known === undefined ? [one] : [...known, one]);
    }
  return [...byKey.values()].map(merge);
}
