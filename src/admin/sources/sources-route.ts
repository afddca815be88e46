import type { AdminConfig } from '../../config/config.js';
import { formatIsoTimestamp } from '../../text/date.js';
import type { AdminState } from '../admin-state.js';
import { checkParameterNames, chooseAdminFormat } from '../server/admin-format.js';
import { createJsonResponse, createPageResponse } from '../server/admin-response.js';
import type { AdminRoute } from '../server/admin-route.js';
import { createSourceStatus, listSourceLevels } from './operated-gateway.js';
import { createSourcesPage } from './page/sources-page.js';

/** `/sources`: the state of each source, as JSON or as a page (operation 3.5). */
export function createSourcesRoute({ generation, clock }: Pick<AdminState, 'generation' | 'clock'>): AdminRoute {
  return {
    path: '/sources',
    get: (request) => {
      checkParameterNames(request, ['format']);
      const format = chooseAdminFormat(request, ['json', 'html']);
      const { gateway, config } = generation();
      const sources = listSourceLevels(gateway).map(createSourceStatus);
      if (format === 'json') return createJsonResponse(200, { sources });
      const at = formatIsoTimestamp(clock.now());
      return createPageResponse(200, createSourcesPage({ sources, at, actionsAt: findActionsAddress(config.admin) }));
    },
  };
}

/** The address of the admin port for commands on this machine; undefined where no key is configured. */
function findActionsAddress({ host, port, keySha256 }: AdminConfig): string | undefined {
  if (keySha256 === undefined) return undefined;
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port === 0 ? 'PORT' : port}`;
}
