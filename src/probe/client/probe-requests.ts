import type { DrainRequests } from '../../source/drain/drain-requests.js';
import { createExaminationRequests } from '../../source/source-client.js';
import type { ExaminationOptions } from '../../source/source-client.js';
import type { RequestBudget } from './request-budget.js';

/** Dependencies and limits of a probe. */
export interface ProbeClientOptions extends ExaminationOptions {
  /** Maximum number of requests. */
  readonly budget: number;
}

/** Creates the requests of a probe: one at a time, no retries, and no more than the budget allows. */
export function createProbeRequests(options: ProbeClientOptions, budget: RequestBudget): DrainRequests {
  return createExaminationRequests({ ...options, transport: budget.limitTransport(options.transport) });
}
