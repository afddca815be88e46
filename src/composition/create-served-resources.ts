import type { Config } from '../config/config.js';
import type { ListOptions, ServedResource } from '../http/served-resource.js';
import { dataInterface, directoryInterface } from '../model/api-interface.js';
import type { Resource } from '../model/resource.js';
import { channels } from '../model/resources/channels.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { news, newsItem } from '../model/resources/news.js';
import { listCodes } from './create-sources.js';

/** All served resources, the most requested ones first. */
export const SERVED_RESOURCES = [directoryTeams, dataTeams, news, newsItem, channels] as const;

/** What all served resources share. */
export type ServedResourceDependencies = Pick<ListOptions, 'backends' | 'gatewayName' | 'clock'>;

/** Creates all served resources, the most requested ones first. */
export function createServedResources(
  config: Config,
  dependencies: ServedResourceDependencies,
): [ServedResource, ...ServedResource[]] {
  const [first, ...others] = SERVED_RESOURCES;
  return [
    createServedResource(first, config, dependencies),
    ...others.map((resource) => createServedResource(resource, config, dependencies)),
  ];
}

function createServedResource(
  resource: Resource,
  config: Config,
  dependencies: ServedResourceDependencies,
): ServedResource {
  const { server, access } = config;
  const [servedInterface, basePath] =
    resource.interfaceName === 'data' ? [dataInterface, server.dataPath] : [directoryInterface, server.directoryPath];
  const vocabulary = { resource, ...createVocabularyNames(config) };
  const item = resource === newsItem;
  const envelope = server.envelope[resource.interfaceName];
  return {
    basePath,
    options: {
      servedInterface,
      rules: { vocabulary, limit: server.limit, envelope, scopeAccess: access.scopes, item },
      publicUrl: server.publicUrl ?? '',
      ...dependencies,
    },
  };
}

interface VocabularyNames {
  readonly sourceNames: readonly string[];
  readonly codes: readonly string[];
  readonly properties: readonly string[];
  readonly aggregate: boolean;
}

function createVocabularyNames({ sources }: Config): VocabularyNames {
  return {
    sourceNames: sources.map(({ sourceName }) => sourceName),
    codes: sources.flatMap(listCodes),
    properties: [...new Set(sources.flatMap(({ properties }) => properties))],
    aggregate: sources.some(({ aggregate }) => aggregate),
  };
}
