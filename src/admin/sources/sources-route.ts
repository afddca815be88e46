import type { AdminConfig } from '../../config/config.js';
import { formatIsoTimestamp } from '../../text/date.js';
import type { AdminState } from '../admin-state.js';
import { checkParameterNames, chooseAdminFormat } from '../server/admin-format.js';
import { createJsonResponse, createPageResponse } from '../server/admin-response.js';
import type { AdminRoute } from '../server/admin-route.js';
import { createSourceStatus, listSourceLevels } from './operated-gateway.js';
import type { SourcesReport } from './sources-report.js';
import { createSharingStatus } from './sharing-status.js';
import { createSourcesPage } from './page/sources-page.js';

type SourcesState = Pick<AdminState, 'generation' | 'agreement' | 'saveFailure' | 'clock'>;

/** As JSON or as a page (operation 3.5). */
export function createSourcesRoute(state: SourcesState): AdminRoute {
  return {
    path: '/sources',
    get: (request) => {
      checkParameterNames(request, ['format']);
      const format = chooseAdminFormat(request, ['json', 'html']);
      const report = createSourcesReport(state);
      if (format === 'json') return createJsonResponse(200, report);
      const at = formatIsoTimestamp(state.clock.now());
      const actionsAt = findActionsAddress(state.generation().config.admin);
      return createPageResponse(200, createSourcesPage({ ...report, at, actionsAt }));
    },
  };
}

function createSourcesReport({ generation, agreement, saveFailure }: SourcesState): SourcesReport {
  const [state, failure] = [agreement?.(), saveFailure?.()];
  const { failedReload, gateway } = generation();
  return {
    ...(failedReload && { failedReload }),
    ...(failure && { unsavedSnapshots: { ...failure, since: formatIsoTimestamp(failure.since) } }),
    ...(state && { sharing: createSharingStatus(state) }),
    sources: listSourceLevels(gateway).map(createSourceStatus),
  };
}

/** Undefined where no key is configured. */
function findActionsAddress({ host, port, keySha256 }: AdminConfig): string | undefined {
  if (keySha256 === undefined) return undefined;
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port === 0 ? 'PORT' : port}`;
}
