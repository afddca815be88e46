import type { AdminResponse } from '../../../admin/server/admin-response.js';
import { createJsonResponse } from '../../../admin/server/admin-response.js';
import type { MissingWorker } from '../../../admin/sources/reported-source.js';
import type { WorkerReport } from './merge-sources.js';
import { listOf, objectOf, parseText } from './message-parser.js';

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
      const { access, list, state } = objectOf((fields) => ({
        access: fields.get('access', parseText),
        list: fields.get('list', parseText),
        state: fields.get('state', parseText),
      }))(content);
      return { key: `${access} ${list}`, state, content };
    }),
  ),
);

/**
 * Merges the responses of all workers to an action (operation 3.5.5). An action that one worker performed was performed; of
 * each list that was refreshed, the state that needs most attention is reported.
 */
export function mergeActionResponses(
  responses: readonly WorkerReport<AdminResponse>[],
  missingWorkers: readonly MissingWorker[],
): AdminResponse {
  const performed = responses.filter(({ report }) => report.status < 300);
  const [first = responses[0]] = performed;
  if (first === undefined) return createJsonResponse(503, { message: 'no worker answers', missingWorkers });
  const missing = missingWorkers.length > 0 && { missingWorkers };
  const status = Math.max(first.report.status, ...performed.map(({ report }) => report.status));
  const bodies = performed.map(({ report }): unknown => JSON.parse(report.body));
  const lists = bodies.flatMap((body) => parseLists(body).lists ?? []);
  if (lists.length > 0) return createJsonResponse(status, { lists: selectWorst(lists), ...missing });
  const body: unknown = JSON.parse(first.report.body);
  return createJsonResponse(status, { ...(typeof body === 'object' && body), ...missing });
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
