import type { AdminConfig } from '../../config/config.js';
import { formatIsoTimestamp } from '../../text/date.js';
import type { AdminState } from '../admin-state.js';
import { formatAdminAddress } from '../server/admin-address.js';
import { checkParameterNames, chooseAdminFormat } from '../server/admin-format.js';
import { createJsonResponse, createPageResponse, createTextResponse } from '../server/admin-response.js';
import type { AdminRoute } from '../server/admin-route.js';
import { createSourceStatus, listSourceLevels } from './operated-gateway.js';
import type { SourcesReport } from './sources-report.js';
import { formatSourcesText } from './sources-text.js';
import { createSharingStatus } from './sharing-status.js';
import { createSourcesPage } from './page/sources-page.js';

type SourcesState = Pick<AdminState, 'generation' | 'sharing' | 'saveFailure' | 'clock'>;

/** As JSON, page or text (operation 3.5). */
export function createSourcesRoute(state: SourcesState): AdminRoute {
  return {
    path: '/sources',
    get: (request) => {
      checkParameterNames(request, ['format']);
      const format = chooseAdminFormat(request, ['json', 'html', 'text']);
      const report = createSourcesReport(state);
      if (format === 'json') return createJsonResponse(200, report);
      if (format === 'text') return createTextResponse(200, formatSourcesText(report).trimEnd());
      const at = formatIsoTimestamp(state.clock.now());
      const actionsAt = findActionsAddress(state.generation().config.admin);
      return createPageResponse(200, createSourcesPage({ ...report, at, actionsAt }));
    },
  };
}

function createSourcesReport({ generation, sharing, saveFailure }: SourcesState): SourcesReport {
  const [state, failure] = [sharing?.(), saveFailure?.()];
  const { failedReload, gateway } = generation();
  return {
    ...(failedReload && { failedReload }),
    ...(failure && { unsavedSnapshots: { ...failure, since: formatIsoTimestamp(failure.since) } }),
    ...(state && { sharing: createSharingStatus(state) }),
    sources: listSourceLevels(gateway).map(createSourceStatus),
  };
}

/** Undefined where no key is configured. */
function findActionsAddress(admin: AdminConfig): string | undefined {
  return admin.keySha256 === undefined ? undefined : formatAdminAddress(admin);
}
