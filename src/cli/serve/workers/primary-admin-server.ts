import type { Server } from 'node:http';
import type { ServedConfig } from '../../../admin/admin-state.js';
import { createConfigRoute } from '../../../admin/config/config-route.js';
import { sharedPageRoutes } from '../../../admin/create-admin-server.js';
import { formatMergedMetrics } from '../../../admin/metrics/metric-registry.js';
import type { PrimaryMetrics } from '../../../admin/metrics/metrics.js';
import { createTextResponse } from '../../../admin/server/admin-response.js';
import type { AdminResponse } from '../../../admin/server/admin-response.js';
import type { AdminRequest, AdminRoute } from '../../../admin/server/admin-route.js';
import { createAdminHttpServer } from '../../../admin/server/admin-server.js';
import type { MissingWorker } from '../../../admin/sources/reported-source.js';
import { createSourcesReportRoute } from '../../../admin/sources/sources-route.js';
import type { SourcesReport } from '../../../admin/sources/reported-source.js';
import { systemClock } from '../../../model/clock.js';
import type { Log } from '../../../model/log.js';
import { getErrorMessage } from '../../../text/get-error-message.js';
import { mergeActionResponses } from './merge-actions.js';
import { mergeSharing, mergeSources } from './merge-sources.js';
import { parseSourcesReport } from './source-status-parser.js';
import { parseAdminResponse, readUnreadiness } from './worker-messages.js';
import type { ForwardedRequest } from './worker-messages.js';
import { performAction } from './worker-actions.js';
import type { WorkerHandle } from './worker-handle.js';
import { parseMetricReports } from './worker-metrics.js';
import type { WorkerPool } from './worker-pool.js';

/** Time in which a worker must answer for the admin port, in milliseconds. Others are reported without it. */
const WORKER_ANSWER_TIME = 1_000;

/** Time for a probe, which sends at most 20 requests, in milliseconds. */
const PROBE_TIME = 600_000;

/** What the admin port of a primary process reports. */
export interface PrimaryAdminOptions {
  readonly pool: WorkerPool;
  readonly metrics: PrimaryMetrics;
  /** Whether the warm-up of the start is over, and the process does not stop. */
  readonly isServing: () => boolean;
  /** The configuration in force. */
  readonly served: () => ServedConfig;
  readonly log: Log;
}

/** Creates the admin server, which reports the merged state of all workers (operation 3.5.5). */
export function createPrimaryAdminServer(options: PrimaryAdminOptions): Server {
  const settings = (): ServedConfig['config']['admin'] => options.served().config.admin;
  return createAdminHttpServer({
    routes: [
      ...createProcessRoutes(options),
      createSourcesReportRoute({ readSources: () => readSources(options), settings, clock: systemClock }),
      ...createActionRoutes(options),
      createExplainRoute(options),
      createConfigRoute({ generation: options.served }),
      ...sharedPageRoutes,
    ],
    settings,
    log: options.log,
  });
}

function createProcessRoutes(options: PrimaryAdminOptions): readonly AdminRoute[] {
  return [
    { path: '/healthz', get: () => createTextResponse(200, 'ok') },
    {
      path: '/readyz',
      get: async () => {
        const reasons = await findUnreadiness(options);
        return reasons === undefined
          ? createTextResponse(200, 'ready')
          : createTextResponse(503, ['not ready', ...reasons].join('\n'));
      },
    },
    { path: '/metrics', get: () => respondWithMetrics(options) },
  ];
}

/** Why this gateway should receive no request; undefined: all workers are ready. */
async function findUnreadiness({ pool, isServing }: PrimaryAdminOptions): Promise<readonly string[] | undefined> {
  if (!isServing()) return [];
  const request = forward('get', '/readyz');
  const { answers, missing } = await pool.requestAll(
    { type: 'operate', request },
    WORKER_ANSWER_TIME,
    parseAdminResponse,
  );
  const unready = answers.flatMap(({ worker, report }) => {
    const reasons = readUnreadiness(report);
    if (reasons === undefined) return [];
    return reasons.length === 0 ? [`worker ${worker}: not ready`] : reasons.map((one) => `worker ${worker}: ${one}`);
  });
  const reasons = [...unready, ...missing.map(({ worker, reason }) => `worker ${worker}: ${reason}`)];
  return reasons.length === 0 ? undefined : reasons;
}

async function respondWithMetrics(options: PrimaryAdminOptions): Promise<AdminResponse> {
  const { pool, metrics } = options;
  const [reasons, { answers }] = await Promise.all([
    findUnreadiness(options),
    pool.requestAll({ type: 'metrics' }, WORKER_ANSWER_TIME, parseMetricReports),
  ]);
  for (const { process, report } of answers) if (process.isOpen) pool.metrics.record(process, report);
  metrics.recordReadiness(reasons === undefined);
  metrics.recordReadyWorkers(pool.readyCount);
  const primary = parseMetricReports(await metrics.report());
  const reports = pool.metrics.collect(primary, new Set(answers.map(({ process }) => process)));
  const headers = { 'Content-Type': metrics.contentType };
  return { status: 200, headers, body: await formatMergedMetrics(reports) };
}

async function readSources({ pool, served }: PrimaryAdminOptions): Promise<SourcesReport> {
  const request = forward('get', '/sources');
  const { answers, missing } = await pool.requestAll({ type: 'operate', request }, WORKER_ANSWER_TIME, (answer) =>
    parseSourcesReport(JSON.parse(parseAdminResponse(answer).body)),
  );
  const sources = mergeSources(answers.map(({ worker, report }) => ({ worker, report: report.sources })));
  const sharing = mergeSharing(answers);
  // Only one worker writes.
  const writer = answers.find(({ report }) => report.unsavedSnapshots !== undefined);
  const { unsavedSnapshots } = writer?.report ?? {};
  const { failedReload } = served();
  return {
    ...(failedReload && { failedReload }),
    ...(unsavedSnapshots && { unsavedSnapshots }),
    ...(sharing && { sharing }),
    sources,
    missingWorkers: missing,
  };
}

/** Actions take effect in all workers, but for a probe, which changes nothing (operation 3.5.5). */
function createActionRoutes(options: PrimaryAdminOptions): readonly AdminRoute[] {
  const { pool, served } = options;
  const everywhere = ['refresh', 'confirm-shrink', 'forget'].map((name): AdminRoute => {
    const path = `/sources/:code/${name}`;
    return {
      path,
      post: async (request) => {
        const { server, cache } = served().config;
        const { workers, missing } = await findAnsweringWorkers(pool);
        const performed = await performAction(workers, {
          request: forward('post', path, request),
          milliseconds: server.deadline + WORKER_ANSWER_TIME,
          isMembersDataShared: cache.redisKey !== undefined,
        });
        return mergeActionResponses(performed.answers, [...missing, ...performed.missing]);
      },
    };
  });
  const path = '/sources/:code/probe';
  return [...everywhere, { path, post: (request) => askOne(options, forward('post', path, request), PROBE_TIME) }];
}

/** Returns the workers that answer, those that are ready first, and the workers that do not. */
async function findAnsweringWorkers(
  pool: WorkerPool,
): Promise<{ readonly workers: readonly WorkerHandle[]; readonly missing: readonly MissingWorker[] }> {
  const request = forward('get', '/readyz');
  const { answers, missing } = await pool.requestAll(
    { type: 'operate', request },
    WORKER_ANSWER_TIME,
    parseAdminResponse,
  );
  const isReady = ({ report }: (typeof answers)[number]): boolean => report.status === 200;
  const ordered = [...answers.filter(isReady), ...answers.filter((answer) => !isReady(answer))];
  return { workers: ordered.map(({ process }) => process), missing };
}

function createExplainRoute(options: PrimaryAdminOptions): AdminRoute {
  const path = '/explain';
  return {
    path,
    get: (request) => {
      const isRun = request.parameters.get('run') === '1';
      const time = isRun ? options.served().config.server.deadline + WORKER_ANSWER_TIME : WORKER_ANSWER_TIME;
      return askOne(options, forward('get', path, request), time);
    },
  };
}

/** Has one worker answer. */
async function askOne(
  { pool }: PrimaryAdminOptions,
  request: ForwardedRequest,
  milliseconds: number,
): Promise<AdminResponse> {
  const [worker] = pool.openWorkers;
  if (worker === undefined) return createTextResponse(503, 'no worker is open');
  try {
    return parseAdminResponse(await worker.request({ type: 'operate', request }, milliseconds));
  } catch (error) {
    const reason = getErrorMessage(error);
    return createTextResponse(503, `worker ${worker.number}: ${reason}`);
  }
}

function forward(method: ForwardedRequest['method'], route: string, request?: AdminRequest): ForwardedRequest {
  const { parameters, pathParameters = {}, accept = '', isCrossSite = false } = request ?? {};
  return { method, route, query: parameters?.toString() ?? '', pathParameters, accept, isCrossSite };
}
