import type { DocumentNode } from '../../model/document-node.js';
import { renderJsonText } from '../../render/json.js';
import { renderYaml } from '../../render/yaml.js';
import { formatIsoTimestamp } from '../../text/date.js';
import type { AdminState, ServedGeneration } from '../admin-state.js';
import { ADMIN_MEDIA_TYPES, checkParameterNames, chooseAdminFormat } from '../server/admin-format.js';
import { createPageResponse } from '../server/admin-response.js';
import type { AdminRoute } from '../server/admin-route.js';
import { createConfigPage } from './config-page.js';
import { maskConfig } from './masked-config.js';

/** The configuration in force, without its secrets (operation 3.7). */
export function createConfigRoute({ generation }: Pick<AdminState, 'generation'>): AdminRoute {
  return {
    path: '/config',
    get: (request) => {
      checkParameterNames(request, ['format']);
      const format = chooseAdminFormat(request, ['json', 'yaml', 'html']);
      const config = maskConfig(generation().config);
      if (format === 'html') return createPageResponse(200, createConfigPage({ ...generation(), config }));
      const report = buildReport(generation(), config);
      const pieces = format === 'json' ? renderJsonText(report, true) : renderYaml(report);
      return {
        status: 200,
        headers: { 'Content-Type': `${ADMIN_MEDIA_TYPES[format]}; charset=utf-8` },
        body: [...pieces].join(''),
      };
    },
  };
}

function buildReport({ file, loadedAt, number, failedReload }: ServedGeneration, config: DocumentNode): DocumentNode {
  return new Map<string, DocumentNode>([
    ...Object.entries({ file, loadedAt: formatIsoTimestamp(loadedAt), generation: number }),
    ...(failedReload === undefined ? [] : [['failedReload', new Map(Object.entries(failedReload))] as const]),
    ['config', config],
  ]);
}
