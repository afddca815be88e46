import type { AdminResponse } from '../../../admin/server/admin-response.js';
import { createJsonResponse } from '../../../admin/server/admin-response.js';
import type { MissingWorker } from '../../../admin/sources/reported-source.js';
import type { WorkerReport } from './merge-sources.js';
import { listOf, objectOf, parseBoolean, parseText } from './message-parser.js';

/** A list that an action has refreshed: its identity and state, and all properties of the report as they are. */
interface RefreshedList {
  readonly key: string;
  readonly state: string;
  readonly content: unknown;
}

const parseLists = objectOf((fields) =>
  fields.optional(
    'lists',
    listOf((content): RefreshedList => {
      const { access, list, feed, state } = objectOf((fields) => ({
        access: fields.get('access', parseText),
        list: fields.get('list', parseText),
        ...fields.optional('feed', parseText),
        state: fields.get('state', parseText),
      }))(content);
      return { key: `${access} ${list} ${feed ?? ''}`, state, content };
    }),
  ),
);

const parseEffect = objectOf((fields) => fields.optional('onlyThisInstance', parseBoolean));

/** Whether a worker performed an action. */
export function isPerformed({ status }: AdminResponse): boolean {
  return status < 300;
}

/** Whether an action that a worker performed took effect in that worker only, because Redis did not answer. */
export function isInOneWorkerOnly({ body }: AdminResponse): boolean {
  return parseEffect(JSON.parse(body)).onlyThisInstance === true;
}

/**
 * Merges the responses of workers to an action (operation 3.5.5). An action that one worker performed was performed; of each
 * list that was refreshed, the state that needs most attention is reported.
 */
export function mergeActionResponses(
  responses: readonly WorkerReport<AdminResponse>[],
  missingWorkers: readonly MissingWorker[],
): AdminResponse {
  const performed = responses.filter(({ report }) => isPerformed(report));
  const [first = responses[0]] = performed;
  if (first === undefined) return createJsonResponse(503, { message: 'no worker answers', missingWorkers });
  const isOnlyHere = performed.length > 0 && performed.every(({ report }) => isInOneWorkerOnly(report));
  const effect = {
    ...(isOnlyHere && { onlyThisInstance: true }),
    ...(missingWorkers.length > 0 && { missingWorkers }),
  };
  const status = Math.max(first.report.status, ...performed.map(({ report }) => report.status));
  const bodies = performed.map(({ report }): unknown => JSON.parse(report.body));
  const lists = bodies.flatMap((body) => parseLists(body).lists ?? []);
  if (lists.length > 0) return createJsonResponse(status, { lists: selectWorst(lists), ...effect });
  const body: unknown = JSON.parse(first.report.body);
  return createJsonResponse(status, { ...withoutEffect(body), ...effect });
}

function withoutEffect(body: unknown): object {
  if (typeof body !== 'object' || body === null) return {};
  return Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'onlyThisInstance'));
}

function selectWorst(lists: readonly RefreshedList[]): readonly unknown[] {
  const rank = ({ state }: RefreshedList): number => (state === 'running' ? 2 : state === 'fresh' ? 0 : 1);
  const worst = new Map<string, RefreshedList>();
  for (const list of lists) {
    const known = worst.get(list.key);
    if (known === undefined || rank(list) > rank(known)) worst.set(list.key, list);
  }
  return [...worst.values()].map(({ content }) => content);
}
