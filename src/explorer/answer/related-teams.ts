import { selectNationalTeams } from '../../countries/national-team.js';
import { listCompleteSets } from '../../gateway/gateway.js';
import type { LinksById } from '../../gateway/links/linked-groups.js';
import { SameTeamFinder } from '../../gateway/links/same-team.js';
import type { RecordPair } from '../../gateway/links/team-link.js';
import type { PageRequest } from '../../http/page-route.js';
import { parsePreferences } from '../../http/request/preferences.js';
import { getBackend } from '../../http/operations/served-resource.js';
import type { ServedResource } from '../../http/operations/served-resource.js';
import type { Query } from '../../model/query.js';
import type { StoredRecord } from '../../model/record.js';
import { answerPageQuery, listOf } from './answer-query.js';
import { readSourceFacts } from './source-facts.js';
import type { SourceFact } from './source-facts.js';

// Records that a page needs beside those that answer its query. `teams` is the list of the directory interface.

type Asked = Pick<PageRequest, 'prefer' | 'trace'>;

/** All teams with their keys, which may be the reason of a link. The records are not read, only the record sets. */
const ALL_TEAMS = 'limit=0&fields=enckeys';

/**
 * Records of one team elsewhere (decisions 2.38), in the teams of all repositories, also those that the query of the
 * page excludes. Large sources of which only a part is held are not searched.
 */
export async function findLinksOfPage(
  teams: ServedResource,
  { prefer, trace }: Asked,
  records: readonly StoredRecord[],
): Promise<LinksById> {
  if (records.length === 0) return new Map();
  const all = await answerPageQuery({ resource: teams, rawQuery: ALL_TEAMS, prefer, trace, pageSize: 0 }, {});
  const outcomes = ('errors' in all ? undefined : all.answer?.outcomes) ?? [];
  return (await SameTeamFinder.over(listCompleteSets(outcomes))).findAll(records);
}

export interface TeamElsewhere {
  /** Records that are linked, also by links of links. */
  readonly pairs: readonly RecordPair[];
  /** Every source in which they were searched; none where the id has no source. */
  readonly facts: readonly SourceFact[];
}

/** As `{directory_url}/teams/<id>/same` does, and on from there. */
export async function findTeamElsewhere(
  { options }: ServedResource,
  { query, id, prefer, trace }: { readonly query: Query; readonly id: string } & Asked,
): Promise<TeamElsewhere> {
  const { isPrivate } = parsePreferences(prefer);
  const queryOptions = { isPrivate, isRelayed: false, prefetchNextPage: false, trace };
  const answer = await getBackend(options, query).findSameTeam(query, id, queryOptions);
  return { pairs: answer?.findGroup?.() ?? [], facts: readSourceFacts(answer) };
}

export interface NationalTeams {
  /** Alpha-2. */
  readonly country: string;
  /** Those with a telephone number first. */
  readonly records: readonly StoredRecord[];
  /** Every repository could be asked: where there is no record, none lists such a team. */
  readonly isComplete: boolean;
}

/** Of a country, among which the national team is looked for; and those that call themselves the national one. */
const [MAX_TEAMS, MAX_NATIONAL] = [1_000, 20];

export async function findNationalTeams(
  teams: ServedResource,
  country: string,
  { prefer, trace }: Asked,
): Promise<NationalTeams> {
  const request = { resource: teams, rawQuery: `country=${country}`, prefer, trace, pageSize: MAX_TEAMS };
  const list = listOf(await answerPageQuery(request, {}));
  return {
    country,
    records: selectNationalTeams(list?.records ?? [], country).slice(0, MAX_NATIONAL),
    isComplete: list?.completeness === 'complete',
  };
}
