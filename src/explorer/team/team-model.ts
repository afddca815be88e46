import type { RequestLogFields } from '../../http/log/access-log.js';
import type { PageRequest } from '../../http/page-route.js';
import type { ServedResource } from '../../http/operations/served-resource.js';
import type { Problem } from '../../model/error-catalogue.js';
import { toItems } from '../../model/property-value.js';
import type { StatedValues } from '../../gateway/links/compare-records.js';
import type { StoredRecord } from '../../model/record.js';
import { dataTeams } from '../../model/resources/data-teams.js';
import { teamPropertyPairs } from '../../model/resources/team-property-mapping.js';
import { parseCountryCode } from '../../region/country.js';
import { hasSecretKey } from '../../text/repair-pgp-armor.js';
import { foldText } from '../../text/text-folding.js';
import { answerPageQuery } from '../answer/answer-query.js';
import type { PageAnswer, PageQuery } from '../answer/answer-query.js';
import { findNationalTeams, findTeamElsewhere } from '../answer/related-teams.js';
import type { NationalTeams, TeamElsewhere } from '../answer/related-teams.js';
import { readKeyViews } from '../../source/keys/key-views.js';
import type { KeyViews, ReadKeys, StatedKeys } from '../../source/keys/key-views.js';
import { listTeamNumbers } from '../../gateway/links/contact-statements.js';
import { readTeamFacts } from './team-facts.js';
import type { TeamFacts } from './team-facts.js';
import { summarizeSources } from '../answer/source-facts.js';
import { readRecordTexts, textOf, textsOf } from '../answer/record-texts.js';
import type { RecordTexts } from '../answer/record-texts.js';

export interface TeamModelDependencies {
  /** All teams of the directory interface. */
  readonly teams: ServedResource;
  readonly team: ServedResource;
  readonly dataTeam: ServedResource;
  readonly readKeys: ReadKeys;
}

/** From the directory interface, and what the same record has on the data interface in addition. */
export interface TeamRecord {
  readonly facts: TeamFacts;
  readonly values: StatedValues;
  /** False where the data interface has no such record, or one that may be of another team. */
  readonly hasData: boolean;
  readonly keys: KeyViews;
  readonly keyState: KeyState;
}

/**
 * Keys besides `enckeys`. `hidden`: the public may not have them. `missing`: the source could not be asked for all of
 * them. `unmatched`: its data interface has no record that is surely of this team.
 */
export type KeyState = 'shown' | 'hidden' | 'missing' | 'unmatched';

/** The records of a team beside each other. */
export interface TeamView extends TeamElsewhere {
  /** That of the page, and those of other repositories. */
  readonly records: readonly [TeamRecord, ...TeamRecord[]];
  /** Present where no telephone number is confirmed, and a record states a country. */
  readonly national?: NationalTeams | undefined;
}

export interface TeamModel {
  readonly id: string;
  readonly outcome: PageAnswer;
  /** Absent where there is no such team, or where that is unknown. */
  readonly view?: TeamView;
}

/** A repository is missing or shown from an earlier copy, or could not be asked for its keys. */
export function isIncompleteView({ records, national, facts }: TeamView): boolean {
  const { missing, stale } = summarizeSources(facts);
  const lacksKeys = records.some(({ keyState }) => keyState === 'missing');
  return lacksKeys || missing.length + stale.length > 0 || national?.isComplete === false;
}

export async function buildTeamModel(
  dependencies: TeamModelDependencies,
  { pathParameters, prefer, trace }: Pick<PageRequest, 'pathParameters' | 'prefer' | 'trace'>,
  logFields: RequestLogFields,
): Promise<TeamModel> {
  const id = pathParameters['id'] ?? '';
  const request = { rawQuery: '', prefer, trace, pageSize: 1, itemId: id };
  const outcome = await answerPageQuery({ ...request, resource: dependencies.team }, logFields);
  if ('errors' in outcome) throw new Error('an empty query with errors');
  const [own] = 'list' in outcome.result ? outcome.result.list.records : [];
  if (own === undefined) return { id, outcome };
  const elsewhere = await findTeamElsewhere(dependencies.team, { query: outcome.query, id, prefer, trace });
  const others = sortByEvidence(elsewhere.pairs).filter((record) => record.id !== id);
  const read = async (record: StoredRecord): Promise<TeamRecord> =>
    readTeamRecord(record, await findDataRecord(dependencies, { ...request, itemId: record.id }), dependencies);
  const records = await Promise.all([read(own), ...others.map(read)] as const);
  return { id, outcome, view: { ...elsewhere, records, national: await findNational(dependencies, records, request) } };
}

/** Each record once; before all others those with the same key as another one, because a name and address are borrowed more easily. */
function sortByEvidence(pairs: TeamView['pairs']): readonly StoredRecord[] {
  const isByKey = ({ reasons }: TeamView['pairs'][number]): boolean => reasons.some(({ kind }) => kind === 'key');
  const sorted = [...pairs.filter(isByKey), ...pairs].flatMap(({ records }) => records);
  return [...new Map(sorted.map((record) => [record.id, record])).values()];
}

function findNational(
  { teams }: TeamModelDependencies,
  records: TeamView['records'],
  request: Pick<PageRequest, 'prefer' | 'trace'>,
): Promise<NationalTeams> | undefined {
  const country = records.flatMap(({ values }) => parseCountryCode(textOf(values, 'country-code')) ?? [])[0];
  const numbers = listTeamNumbers(records.map(({ values }) => values));
  const isNeeded = country !== undefined && !numbers.some(({ isConfirmed }) => isConfirmed);
  return isNeeded ? findNationalTeams(teams, country, request) : undefined;
}

interface DataRecord {
  readonly record: StoredRecord | undefined;
  readonly keyState: KeyState;
}

/** Without keys where the public may not have them, or none could be had. */
async function findDataRecord(
  { dataTeam: resource }: TeamModelDependencies,
  request: Omit<PageQuery, 'resource'>,
): Promise<DataRecord> {
  const keyed = await answerPageQuery({ ...request, resource, rawQuery: 'scope=pgp' }, {});
  const isHidden = 'errors' in keyed;
  if (!isHidden && 'list' in keyed.result) {
    const { records, completeness } = keyed.result.list;
    return { record: records[0], keyState: completeness === 'partial' ? 'missing' : 'shown' };
  }
  const plain = await answerPageQuery({ ...request, resource }, {});
  if ('errors' in plain) return { record: undefined, keyState: 'missing' };
  if ('problem' in plain.result)
    return { record: undefined, keyState: isAbsence(plain.result.problem) ? 'unmatched' : 'missing' };
  return { record: plain.result.list.records[0], keyState: isHidden ? 'hidden' : 'missing' };
}

/** The problem proves that the source has no record with the requested id. */
function isAbsence({ kind }: Problem): boolean {
  return kind === 'not-found' || kind === 'multiple-choices';
}

async function readTeamRecord(
  record: StoredRecord,
  { record: dataRecord, keyState }: DataRecord,
  { readKeys }: TeamModelDependencies,
): Promise<TeamRecord> {
  const facts = readTeamFacts(record);
  const directory = facts.values;
  const data = dataRecord && readRecordTexts(dataTeams, dataRecord);
  const isSame = data !== undefined && isSameRecord(directory, data);
  const readKeyProperty = (name: string): readonly string[] =>
    isSame && keyState !== 'hidden' ? toItems(dataRecord?.extraValue(name)).map(String) : [];
  const stated: StatedKeys = {
    keyTexts: readKeyProperty('pgp-key'),
    stated: readKeyProperty('pgp-fingerprint'),
    keyIds: textsOf(directory, 'enckeys').map(hideSecretKey),
  };
  return {
    facts,
    values: new Map(
      [...directory, ...(isSame ? data : [])]
        .filter(([name], at) => !LEFT_OUT.has(name) && (at < directory.size || !SHARED_WITH_DIRECTORY.has(name)))
        .map(([name, texts]) => [name, texts.map(hideSecretKey)]),
    ),
    hasData: isSame,
    keys: await readKeyViews(stated, readKeys),
    keyState: data !== undefined && !isSame ? 'unmatched' : keyState,
  };
}

/** A repository that publishes one by mistake is no reason to spread it. */
function hideSecretKey(text: string): string {
  return hasSecretKey(text) ? '[secret key, not shown]' : text;
}

/** Says nothing about the team, or is shown with its name. */
const LEFT_OUT: ReadonlySet<string> = new Set(['source-name', 'last-modified']);

/** The directory record has these in another form or under another name. */
const SHARED_WITH_DIRECTORY: ReadonlySet<string> = new Set([
  ...[...teamPropertyPairs].map(([, data]) => data),
  ...['id', 'phone', 'fax', 'membership'],
]);

/** Both records of one team have these, directory first. */
const IDENTITY = [
  ['short-team-name', 'team'],
  ['official-team-name', 'team-full'],
  ['country-code', 'country'],
  ['email', 'email'],
] as const;

/** A source of both interfaces may give one id to two teams: names, country and e-mail address must be the same too. */
function isSameRecord(directory: RecordTexts, data: RecordTexts): boolean {
  return IDENTITY.every(([one, other]) => foldText(textOf(directory, one)) === foldText(textOf(data, other)));
}
