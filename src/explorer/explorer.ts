import type { PageRoute } from '../http/page-route.js';
import type { Operation, ServedResource } from '../http/operations/served-resource.js';
import type { Resource } from '../model/resource.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { channels } from '../model/resources/channels.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { news } from '../model/resources/news.js';
import type { DescriptionOptions } from '../openapi/create-openapi.js';
import { listOf } from './answer/answer-query.js';
import { createDocsRoute } from './docs/docs-page.js';
import { createAssetRoutes } from './assets/explorer-assets.js';
import type { Site } from './layout/layout.js';
import { readPublicPath } from './layout/page-address.js';
import { handleNews } from './news/news-page.js';
import { buildSearchModel } from './search/search-model.js';
import { handleSearch } from './search/search-page.js';
import type { ReadKeys } from '../source/keys/key-views.js';
import { buildTeamModel } from './team/team-model.js';
import { handleTeam } from './team/team-page.js';

interface ExplorerDependencies extends Omit<Site, 'publicPath'> {
  /** With the resources that the pages show. */
  readonly description: DescriptionOptions;
  /** Scheme, authority and path, without a slash at the end. A free port is known only when the server listens. */
  readonly getOrigin: () => string;
  /** Absent: no key can be read. */
  readonly readKeys?: ReadKeys | undefined;
}

export interface Explorer {
  readonly routes: readonly PageRoute[];
  /** The first reader does not wait for what pages compute once for each list. Never rejects. */
  warmUp(): Promise<void>;
}

/** The pages for browsers and their files (operation 4.2). */
export function createExplorer({
  description,
  getOrigin,
  readKeys = () => Promise.resolve(new Map()),
  ...options
}: ExplorerDependencies): Explorer {
  const site: Site = { ...options, publicPath: readPublicPath(description.publicUrl) };
  const find = (resource: Resource, kind: Parameters<typeof findResource>[2] = {}): ServedResource =>
    findResource(description.servedResources, resource, kind);
  const lists = {
    teams: find(directoryTeams),
    team: find(directoryTeams, { item: true }),
    search: find(directoryTeams, { operation: 'search' }),
    dataTeams: find(dataTeams),
    dataTeam: find(dataTeams, { item: true }),
    dataSearch: find(dataTeams, { operation: 'search' }),
    readKeys,
  };
  const newsPage = { site, news: find(news), channels: find(channels) };
  const routes: readonly PageRoute[] = [
    ...(site.assets === undefined ? [] : createAssetRoutes(site.assets)),
    createDocsRoute({ site, description, getOrigin, clock: lists.teams.options.clock }),
    { pattern: /^\/$/, route: '/', handle: (request, logFields) => handleSearch({ site, lists }, request, logFields) },
    { pattern: /^\/news$/, route: '/news', handle: (request, logFields) => handleNews(newsPage, request, logFields) },
    {
      pattern: /^\/teams\/(?<id>[^/]+)$/,
      route: '/teams/{id}',
      handle: (request, logFields) => handleTeam({ site, ...lists }, request, logFields),
    },
  ];
  const warmUp = async (): Promise<void> => {
    const { outcome } = await buildSearchModel(lists, { rawQuery: 'limit=1', prefer: '' }, {});
    const record = listOf(outcome)?.records[0];
    if (record !== undefined) await buildTeamModel(lists, { pathParameters: { id: record.id }, prefer: '' }, {});
  };
  return { routes, warmUp: () => warmUp().catch(() => undefined) };
}

function findResource(
  served: readonly ServedResource[],
  resource: Resource,
  { item = false, operation = 'read' }: { readonly item?: boolean; readonly operation?: Operation },
): ServedResource {
  const found = served.find(
    (one) =>
      one.options.rules.vocabulary.resource === resource &&
      (one.options.rules.item ?? false) === item &&
      one.operation === operation,
  );
  if (found === undefined) throw new Error(`${resource.name} is not served`);
  return found;
}
