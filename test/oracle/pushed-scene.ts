import type { Shelves } from '../support/habits.js';
import { tellingNews, tellingTeams } from '../support/probing.js';
import type { Ask } from './oracle.js';
import { claimable } from './pushed-fleet.js';
import type { Pushed, Supports } from './pushed-fleet.js';

const directions = (names: readonly string[]): readonly string[] => names.flatMap((name) => [name, `-${name}`]);

/** All that may be claimed of teams on either interface, and of news. */
export const everythingClaimed: { readonly teams: Supports; readonly news: Supports } = {
  teams: {
    filters: [...claimable.filtered.directory, ...claimable.filtered.teams, ...claimable.filtered.both],
    coarse: [],
    sort: directions([...claimable.sorted.directory, ...claimable.sorted.teams, ...claimable.sorted.both]),
    search: true,
    total: true,
    exact: true,
  },
  news: {
    filters: claimable.filtered.news,
    coarse: [],
    sort: directions(claimable.sorted.news),
    search: true,
    total: true,
    exact: true,
  },
};

/** Nothing at all. */
export const nothingClaimed: Supports = {
  filters: [],
  coarse: [],
  sort: [],
  search: false,
  total: false,
  exact: false,
};

/** Many teams of the directory interface. */
export const manyTeams: Shelves = { directory: tellingTeams(200, 'directory') };

/** As many of the data interface, and many items. */
export const manyNews: Shelves = { teams: tellingTeams(200, 'data'), news: tellingNews(260), channels: [] };

/** A large source with these records, of which everything is claimed, but for what is said of it. */
export function largeSource(shelves: Shelves, more: Partial<Pushed> = {}): Pushed {
  const { directory, teams = [], news } = shelves;
  const data = news === undefined ? undefined : { teams, news, channels: [], keys: 'public' as const };
  return {
    code: 'one',
    number: 1,
    sourceName: more.code ?? 'one',
    aggregate: false,
    site: undefined,
    shelves,
    directory,
    data,
    habits: [],
    keys: 'public',
    depth: Infinity,
    supports: { teams: everythingClaimed.teams, ...(data && { news: everythingClaimed.news }) },
    threshold: 50,
    pageSize: 100,
    told: [],
    honest: true,
    ...more,
  };
}

/** A query without anything that it does not say. */
export function asking(noun: Ask['noun'], more: Partial<Ask> = {}): Ask {
  return { noun, filters: [], sort: [], ...more };
}
