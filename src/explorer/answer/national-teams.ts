import { selectNationalTeams } from '../../countries/national-team.js';
import type { PageRequest } from '../../http/page-route.js';
import type { ServedResource } from '../../http/operations/served-resource.js';
import type { StoredRecord } from '../../model/record.js';
import { answerPageQuery } from './answer-query.js';

export interface NationalTeams {
  /** Alpha-2. */
  readonly country: string;
  /** Those with a telephone number first. */
  readonly records: readonly StoredRecord[];
  /** Every repository could be asked: where there is no record, none lists such a team. */
  readonly isComplete: boolean;
}

/** Of a country, among which the national team is looked for. */
const MAX_TEAMS = 1_000;

/** `teams` is the list of the directory interface. */
export async function findNationalTeams(
  teams: ServedResource,
  country: string,
  { prefer, trace }: Pick<PageRequest, 'prefer' | 'trace'>,
): Promise<NationalTeams> {
  const request = { resource: teams, rawQuery: `country=${country}`, prefer, trace, pageSize: MAX_TEAMS };
  const outcome = await answerPageQuery(request, {});
  const list = 'errors' in outcome || 'problem' in outcome.result ? undefined : outcome.result.list;
  return {
    country,
    records: selectNationalTeams(list?.records ?? [], country),
    isComplete: list?.completeness === 'complete',
  };
}
