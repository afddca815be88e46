import type { AdminConfig } from '../../config/config.js';
import type { Clock } from '../../model/clock.js';
import { formatIsoTimestamp } from '../../text/date.js';
import type { AdminState } from '../admin-state.js';
import { checkParameterNames, chooseAdminFormat } from '../server/admin-format.js';
import { createJsonResponse, createPageResponse } from '../server/admin-response.js';
import type { AdminRoute } from '../server/admin-route.js';
import { createSourceStatus, listSourceLevels } from './operated-gateway.js';
import type { SourcesReport } from './reported-source.js';
import { createSharingStatus } from './sharing-status.js';
import { createSourcesPage } from './page/sources-page.js';

/** What the report is read from. */
export interface SourcesReportOptions {
  readonly readSources: () => SourcesReport | Promise<SourcesReport>;
  readonly settings: () => AdminConfig;
  readonly clock: Clock;
}

/** `/sources`: the state of each source, as JSON or as a page (operation 3.5). */
export function createSourcesRoute({
  generation,
  agreement,
  saveFailure,
  clock,
}: Pick<AdminState, 'generation' | 'agreement' | 'saveFailure' | 'clock'>): AdminRoute {
  const readSources = (): SourcesReport => {
    const [state, failure] = [agreement?.(), saveFailure?.()];
    const { failedReload, gateway } = generation();
    return {
      ...(failedReload && { failedReload }),
      ...(failure && { unsavedSnapshots: { ...failure, since: formatIsoTimestamp(failure.since) } }),
      ...(state && { sharing: createSharingStatus(state) }),
      sources: listSourceLevels(gateway).map(createSourceStatus),
    };
  };
  return createSourcesReportRoute({ readSources, settings: () => generation().config.admin, clock });
}

/** The same from a report that may be that of several workers. */
export function createSourcesReportRoute({ readSources, settings, clock }: SourcesReportOptions): AdminRoute {
  return {
    path: '/sources',
    get: async (request) => {
      checkParameterNames(request, ['format']);
      const format = chooseAdminFormat(request, ['json', 'html']);
      const report = await readSources();
      if (format === 'json') return createJsonResponse(200, report);
      const at = formatIsoTimestamp(clock.now());
      return createPageResponse(200, createSourcesPage({ ...report, at, actionsAt: findActionsAddress(settings()) }));
    },
  };
}

/** The address of the admin port for commands on this machine; undefined where no key is configured. */
function findActionsAddress({ host, port, keySha256 }: AdminConfig): string | undefined {
  if (keySha256 === undefined) return undefined;
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port === 0 ? 'PORT' : port}`;
}
