import type { DocumentNode } from '../../model/document-node.js';
import { renderJsonText } from '../../render/json.js';
import { renderYaml } from '../../render/yaml.js';
import type { AdminState } from '../admin-state.js';
import { ADMIN_MEDIA_TYPES, checkParameterNames, chooseAdminFormat } from '../server/admin-format.js';
import { createPageResponse } from '../server/admin-response.js';
import type { AdminRoute } from '../server/admin-route.js';
import { createConfigPage } from './config-page.js';
import { buildConfigReport } from './config-report.js';
import type { ConfigReport } from './config-report.js';

/** The configuration in force, without its secrets (operation 3.7). */
export function createConfigRoute({ generation }: Pick<AdminState, 'generation'>): AdminRoute {
  return {
    path: '/config',
    get: (request) => {
      checkParameterNames(request, ['format']);
      const format = chooseAdminFormat(request, ['json', 'yaml', 'html']);
      const report = buildConfigReport(generation());
      if (format === 'html') return createPageResponse(200, createConfigPage(report));
      const pieces = format === 'json' ? renderJsonText(toDocument(report), true) : renderYaml(toDocument(report));
      return {
        status: 200,
        headers: { 'Content-Type': `${ADMIN_MEDIA_TYPES[format]}; charset=utf-8` },
        body: [...pieces].join(''),
      };
    },
  };
}

function toDocument({ failedReload, config, ...head }: ConfigReport): DocumentNode {
  return new Map<string, DocumentNode>([
    ...Object.entries(head),
    ...(failedReload === undefined ? [] : [['failedReload', new Map(Object.entries(failedReload))] as const]),
    ['config', config],
  ]);
}
