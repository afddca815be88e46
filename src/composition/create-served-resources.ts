import type { Config } from '../config/config.js';
import type {
  ListOptions,
  Operation,
  OperationDescription,
  ServedResource,
} from '../http/operations/served-resource.js';
import { dataInterface, directoryInterface } from '../model/api-interface.js';
import type { Resource } from '../model/resource.js';
import { channels } from '../model/resources/channels.js';
import { countries } from '../model/resources/countries.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { news, newsItem } from '../model/resources/news.js';
import { listCodes } from './create-sources.js';
import { operationDescriptions } from './operation-descriptions.js';

/** The most requested ones first. */
export const SERVED_RESOURCES = [directoryTeams, dataTeams, news, newsItem, channels] as const;

interface ServedPath {
  readonly resource: Resource;
  readonly item: boolean;
  /** Absent: `read`. */
  readonly operation?: Operation;
  readonly description: OperationDescription;
}

const DIRECTORY_TEAM_LIST: ServedPath = {
  resource: directoryTeams,
  item: false,
  description: operationDescriptions.listDirectoryTeams,
};

const FURTHER_PATHS: readonly ServedPath[] = [
  { resource: directoryTeams, item: true, description: operationDescriptions.readDirectoryTeam },
  {
    resource: directoryTeams,
    item: true,
    operation: 'same-team',
    description: operationDescriptions.listSameDirectoryTeam,
  },
  {
    resource: directoryTeams,
    item: false,
    operation: 'search',
    description: operationDescriptions.searchDirectoryTeams,
  },
  { resource: dataTeams, item: false, description: operationDescriptions.listDataTeams },
  { resource: dataTeams, item: true, description: operationDescriptions.readDataTeam },
  { resource: dataTeams, item: false, operation: 'search', description: operationDescriptions.searchDataTeams },
  { resource: news, item: false, description: operationDescriptions.listNews },
  { resource: newsItem, item: true, description: operationDescriptions.readNewsItem },
  { resource: channels, item: false, description: operationDescriptions.listChannels },
  { resource: countries, item: false, operation: 'countries', description: operationDescriptions.listCountries },
];

type ServedResourceDependencies = Pick<ListOptions, 'backends' | 'gatewayName' | 'clock'>;

/** The most requested ones first. */
export function createServedResources(
  config: Config,
  dependencies: ServedResourceDependencies,
): [ServedResource, ...ServedResource[]] {
  const create = createServedResource.bind(undefined, config, dependencies);
  return [create(DIRECTORY_TEAM_LIST), ...FURTHER_PATHS.map(create)];
}

function createServedResource(
  config: Config,
  dependencies: ServedResourceDependencies,
  { resource, item, operation = 'read', description }: ServedPath,
): ServedResource {
  const { server, access } = config;
  const servedInterface = resource.interfaceName === 'data' ? dataInterface : directoryInterface;
  const vocabulary = { resource, ...(resource.isGatewayOwned === true ? NO_NAMES : createVocabularyNames(config)) };
  return {
    basePath: servedInterface.basePath,
    operation,
    description,
    options: {
      servedInterface,
      rules: {
        vocabulary,
        limit: server.limit,
        envelope: servedInterface.envelope,
        scopeAccess: access.scopes,
        item,
        search: operation === 'search',
        fixedProperties: operation === 'same-team',
      },
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

/** For a resource that no source has: its table alone has its properties (decisions 2.41). */
const NO_NAMES: VocabularyNames = { sourceNames: [], codes: [], properties: [], aggregate: false };

function createVocabularyNames({ sources }: Config): VocabularyNames {
  return {
    sourceNames: sources.map(({ sourceName }) => sourceName),
    codes: sources.flatMap(listCodes),
    properties: [...new Set(sources.flatMap(({ properties }) => properties))],
    aggregate: sources.some(({ aggregate }) => aggregate),
  };
}
