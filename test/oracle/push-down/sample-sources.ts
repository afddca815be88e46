import type { RepositoryLists } from '../../support/repository/simulated-repository.js';
import { distinctiveNews, distinctiveTeams } from '../../support/gateway/run-probe.js';
import type { OracleQuery } from '../model/expected-list.js';
import { declarable } from './large-sources.js';
import type { LargeSource, DeclaredSupports } from './large-sources.js';

const directions = (names: readonly string[]): readonly string[] => names.flatMap((name) => [name, `-${name}`]);

/** All capabilities that can be declared for teams and news. */
export const everythingDeclared: { readonly teams: DeclaredSupports; readonly news: DeclaredSupports } = {
  teams: {
    filters: [...declarable.filtered.directory, ...declarable.filtered.teams, ...declarable.filtered.both],
    sort: directions([...declarable.sorted.directory, ...declarable.sorted.teams, ...declarable.sorted.both]),
    search: true,
    total: true,
    exact: true,
  },
  news: {
    filters: declarable.filtered.news,
    sort: directions(declarable.sorted.news),
    search: true,
    total: true,
    exact: true,
  },
};

/** No capability. */
export const nothingDeclared: DeclaredSupports = {
  filters: [],
  sort: [],
  search: false,
  total: false,
  exact: false,
};

/** 200 teams of the directory interface. */
export const manyTeams: RepositoryLists = { directory: distinctiveTeams(200, 'directory') };

/** 200 teams of the data interface and 260 news items. */
export const manyNews: RepositoryLists = {
  teams: distinctiveTeams(200, 'data'),
  news: distinctiveNews(260),
  channels: [],
};

/** A large source with these records and all capabilities declared, except as overridden. */
export function largeSource(lists: RepositoryLists, more: Partial<LargeSource> = {}): LargeSource {
  const { directory, teams = [], news } = lists;
  const data = news === undefined ? undefined : { teams, news, channels: [], keys: 'public' as const };
  return {
    code: 'one',
    number: 1,
    sourceName: more.code ?? 'one',
    aggregate: false,
    site: undefined,
    lists,
    directory,
    data,
    behaviours: [],
    keys: 'public',
    depth: Infinity,
    supports: { teams: everythingDeclared.teams, ...(data && { news: everythingDeclared.news }) },
    threshold: 50,
    pageSize: 100,
    reasons: [],
    honest: true,
    ...more,
  };
}

/** A query with these parameters only. */
export function makeQuery(oracleResource: OracleQuery['resource'], more: Partial<OracleQuery> = {}): OracleQuery {
  return { resource: oracleResource, filters: [], sort: [], ...more };
}
