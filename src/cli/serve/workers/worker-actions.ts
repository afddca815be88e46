import type { AdminResponse } from '../../../admin/server/admin-response.js';
import type { MissingWorker } from '../../../admin/sources/reported-source.js';
import type { AccessLevel } from '../../../model/access-level.js';
import { getErrorMessage } from '../../../text/get-error-message.js';
import { isInOneWorkerOnly, isPerformed } from './merge-actions.js';
import type { WorkerReport } from './merge-sources.js';
import { parseAdminResponse } from './worker-messages.js';
import type { ForwardedRequest, WorkerRequest } from './worker-messages.js';

/** A worker that can perform an action. */
export interface ActingWorker {
  readonly number: number;
  /** Rejects if there is no answer within `milliseconds`. */
  request(request: WorkerRequest, milliseconds: number): Promise<unknown>;
}

/** An action of the operator on a source (operation 3.5.3). */
export interface WorkerAction {
  readonly request: ForwardedRequest;
  /** Time for each worker to perform it, in milliseconds. */
  readonly milliseconds: number;
  /** Whether the workers share members data (`cache.redis-key`). */
  readonly isMembersDataShared: boolean;
}

/** What workers answered to an action. */
export interface ActionAnswers {
  readonly answers: readonly WorkerReport<AdminResponse>[];
  /** The workers that did not answer. */
  readonly missing: readonly MissingWorker[];
}

/**
 * Sends an action to one worker after the other until one performs it. The others adopt the result from the shared memory. If
 * they performed it, too, each would fetch the lists again, and forget what was fetched meanwhile. They perform it only where
 * it took effect in one worker, and at members access where members data is not shared. Never rejects.
 */
export async function performAction(workers: readonly ActingWorker[], action: WorkerAction): Promise<ActionAnswers> {
  const answers: WorkerReport<AdminResponse>[] = [];
  const missing: MissingWorker[] = [];
  const act = async (worker: ActingWorker, access?: AccessLevel): Promise<AdminResponse | undefined> => {
    try {
      const report = parseAdminResponse(await worker.request(createRequest(action, access), action.milliseconds));
      answers.push({ worker: worker.number, report });
      return report;
    } catch (error) {
      missing.push({ worker: worker.number, reason: getErrorMessage(error) });
      return undefined;
    }
  };
  const others = [...workers];
  for (let next = others.shift(); next !== undefined; next = others.shift()) {
    const response = await act(next);
    if (response === undefined || !isPerformed(response)) continue;
    const isOnlyHere = isInOneWorkerOnly(response);
    if (isOnlyHere) await Promise.all(others.map((other) => act(other)));
    else if (!action.isMembersDataShared) await Promise.all(others.map((other) => act(other, 'members')));
    break;
  }
  return { answers, missing };
}

function createRequest({ request }: WorkerAction, access: AccessLevel | undefined): WorkerRequest {
  const pathParameters = { ...request.pathParameters, ...(access && { access }) };
  return { type: 'operate', request: { ...request, pathParameters } };
}
