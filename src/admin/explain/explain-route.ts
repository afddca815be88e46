import { explainTarget } from '../../explanation/explain-target.js';
import { errorCatalogue } from '../../model/error-catalogue.js';
import type { AdminState } from '../admin-state.js';
import { chooseAdminFormat, checkParameterNames, ParameterProblem } from '../server/admin-format.js';
import { createJsonResponse, createPageResponse } from '../server/admin-response.js';
import type { AdminResponse } from '../server/admin-response.js';
import type { AdminRequest, AdminRoute } from '../server/admin-route.js';
import { createExplainPage } from './explain-page.js';
import type { ExplainResult } from './explain-page.js';

/** Queries that are executed at a time. */
const MAX_RUNS = 4;

/** How the running process would answer a query; with `run=1` it also answers it (operation 3.6). */
export function createExplainRoute({ generation }: Pick<AdminState, 'generation'>): AdminRoute {
  let runs = 0;
  const explain = async (request: AdminRequest, target: string): Promise<ExplainResult> => {
    const isRun = readRun(request);
    if (isRun && request.isCrossSite) return refuse(403, 'pages of other sites cannot execute a query');
    if (isRun && runs >= MAX_RUNS) return refuse(503, `${MAX_RUNS} queries are being executed; try again in a moment`);
    if (isRun) runs += 1;
    try {
      const { config, gateway } = generation();
      const result = await explainTarget({
        gateway,
        target,
        drainThresholds: new Map(config.sources.map(({ code, drainThreshold }) => [code, drainThreshold])),
        isRun,
      });
      if (!('problem' in result)) return { state: 'explained', report: result };
      const { kind, message } = result.problem;
      return { ...refuse(400, message), status: errorCatalogue[kind].status };
    } finally {
      if (isRun) runs -= 1;
    }
  };
  const answer = (request: AdminRequest): Promise<ExplainResult> => {
    checkParameterNames(request, ['target', 'run', 'format']);
    const target = request.parameters.get('target') ?? '';
    return target === '' ? Promise.resolve({ state: 'form' }) : explain(request, target);
  };
  return { path: '/explain', get: (request) => respond(request, answer) };
}

async function respond(
  request: AdminRequest,
  answer: (request: AdminRequest) => Promise<ExplainResult>,
): Promise<AdminResponse> {
  try {
    const format = chooseAdminFormat(request, ['json', 'html']);
    return createResponse(request, format, await answer(request));
  } catch (error) {
    if (!(error instanceof ParameterProblem)) throw error;
    return createResponse(request, 'json', refuse(400, error.message));
  }
}

function refuse(httpStatus: number, message: string): ExplainResult & { readonly state: 'refused' } {
  return { state: 'refused', httpStatus, message };
}

function createResponse({ parameters }: AdminRequest, format: 'json' | 'html', result: ExplainResult): AdminResponse {
  const target = parameters.get('target') ?? '';
  if (format === 'html') {
    const page = createExplainPage({ result, target, isRun: parameters.get('run') === '1' });
    return createPageResponse(result.state === 'refused' ? result.httpStatus : 200, page);
  }
  switch (result.state) {
    case 'form':
      return createJsonResponse(400, { message: 'target is missing: PATH?QUERY of the public port, percent-encoded' });
    case 'refused': {
      const { httpStatus, status, message } = result;
      return createJsonResponse(httpStatus, { ...(status !== undefined && { status }), message });
    }
    case 'explained':
      return createJsonResponse(200, result.report);
  }
}

function readRun({ parameters }: AdminRequest): boolean {
  const value = parameters.get('run') ?? '0';
  if (value !== '0' && value !== '1') throw new ParameterProblem('run is 0 or 1');
  return value === '1';
}
