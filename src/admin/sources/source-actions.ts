import { createDeadlineSignal } from '../../source/client/timeout.js';
import type { RefreshReport } from '../../lists/status/refresh-report.js';
import type { AdminState } from '../admin-state.js';
import { checkParameterNames, ParameterProblem } from '../server/admin-format.js';
import { createJsonResponse } from '../server/admin-response.js';
import type { AdminResponse } from '../server/admin-response.js';
import type { AdminRequest, AdminRoute } from '../server/admin-route.js';
import { listSourceLevels } from './operated-gateway.js';
import type { SourceLevels } from './operated-gateway.js';

type ActionState = Pick<AdminState, 'generation' | 'sharing' | 'publish'>;

type SourceAction = (levels: SourceLevels) => AdminResponse | Promise<AdminResponse>;

const MAX_LISTED_CODES = 20;

/** The action took effect in this instance only, because Redis did not answer. */
const ONLY_THIS_INSTANCE = { onlyThisInstance: true } as const;

/** POST with the key (operation 3.5.3). */
export function createSourceActionRoutes(state: ActionState): readonly AdminRoute[] {
  const actions: Readonly<Record<string, SourceAction>> = {
    refresh: (levels) => refresh(levels, state),
    'confirm-shrink': (levels) => confirmShrink(levels, state),
    forget: async (levels) => {
      const results = await Promise.all(levels.map(({ operations }) => operations.forget()));
      return createJsonResponse(200, { forgotten: true, ...(results.includes(false) && ONLY_THIS_INSTANCE) });
    },
    probe: createProbeAction(state),
  };
  return Object.entries(actions).map(([name, perform]) => ({
    path: `/sources/:code/${name}`,
    post: (request) => act(request, state, { name, perform }),
  }));
}

async function act(
  request: AdminRequest,
  { generation, publish }: ActionState,
  { name, perform }: { readonly name: string; readonly perform: SourceAction },
): Promise<AdminResponse> {
  try {
    checkParameterNames(request, []);
  } catch (error) {
    if (!(error instanceof ParameterProblem)) throw error;
    return refuse(400, 'an action has no parameters');
  }
  const all = listSourceLevels(generation().gateway);
  const found = all.find(([{ code }]) => code === request.pathParameters['code']);
  if (found === undefined) {
    const codes = all.map(([{ code }]) => code);
    const omitted = codes.length > MAX_LISTED_CODES ? `, and ${codes.length - MAX_LISTED_CODES} more` : '';
    return refuse(
      404,
      `no source has this code; the codes are ${codes.slice(0, MAX_LISTED_CODES).join(', ')}${omitted}`,
    );
  }
  publish({ type: 'source action', source: found[0].code, action: name });
  return perform(found);
}

async function confirmShrink(levels: SourceLevels, state: ActionState): Promise<AdminResponse> {
  const results = levels.map(({ operations }) => operations.confirmShrink());
  if (!results.includes(true)) return refuse(409, 'no number of records of this source is doubted');
  return refresh(levels, state);
}

/** Fetches all levels, and waits for at most one `server.deadline`. */
async function refresh(levels: SourceLevels, { generation, sharing }: ActionState): Promise<AdminResponse> {
  const signal = createDeadlineSignal(generation().config.server.deadline);
  const reports = await Promise.all(levels.map(({ operations }) => operations.refreshNow(signal)));
  const lists: readonly RefreshReport[] = reports.flat();
  const isRunning = lists.some(({ state }) => state === 'running');
  const isOnlyHere = sharing?.()?.reachable === false;
  return createJsonResponse(isRunning ? 202 : 200, { lists, ...(isOnlyHere && ONLY_THIS_INSTANCE) });
}

/** One probe runs at a time: it sends many requests. */
function createProbeAction({ generation }: ActionState): SourceAction {
  let isRunning = false;
  return async ([{ code }]) => {
    if (isRunning) return refuse(409, 'a probe is running; try again when it has ended');
    const probe = generation().gateway.probeSource(code);
    if (probe === undefined)
      return refuse(409, 'the source is a document, which evaluates nothing that could be probed');
    isRunning = true;
    try {
      return createJsonResponse(200, await probe);
    } finally {
      isRunning = false;
    }
  };
}

function refuse(status: number, message: string): AdminResponse {
  return createJsonResponse(status, { message });
}
