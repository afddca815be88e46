import type {
  CertificateStatus,
  ListStatus,
  SourceCondition,
  SourceLevelStatus,
  SourceStatus,
} from '../../../lists/status/source-status.js';
import { adviseOn } from '../../../model/reasons.js';

export interface NamedList {
  /** Such as `news`, `data-teams (members)`, `PGP keys of data-teams` or `feed https://www.example.org/rss.xml`. */
  readonly name: string;
  readonly isFeed: boolean;
  readonly status: ListStatus;
}

export interface SourceProblem {
  /** Lists, or the origin of a certificate. */
  readonly subjects: readonly string[];
  /** Without texts of the source. */
  readonly summary: string;
  /** May quote the source. */
  readonly detail?: string | undefined;
  /** In seconds, of the records that are served; absent if there are none. */
  readonly age?: number | undefined;
  readonly advice: string;
}

export interface TroubledSource {
  readonly source: SourceStatus;
  readonly condition: SourceCondition;
  readonly problems: readonly SourceProblem[];
}

/** Days before the end of a certificate from which on the page warns. */
const CERTIFICATE_WARNING_DAYS = 21;

/** Those that give no records first, then by number (operation 3.5). */
export function listTroubledSources(sources: readonly SourceStatus[]): readonly TroubledSource[] {
  const troubled = sources.map((source): TroubledSource => {
    const problems = joinEqualProblems(listProblems(source));
    return { source, condition: source.condition === 'failed' ? 'failed' : 'warning', problems };
  });
  const withProblems = troubled.filter(({ problems }) => problems.length > 0);
  return (['failed', 'warning'] as const).flatMap((one) => withProblems.filter(({ condition }) => condition === one));
}

/** Lists of keys come after their teams. */
export function listNamedLists({ access, resources }: SourceLevelStatus): readonly NamedList[] {
  const suffix = access === 'members' ? ' (members)' : '';
  return resources.flatMap((status) => {
    const { resource, feed, keys } = status;
    const isFeed = feed !== undefined;
    const name = isFeed ? `feed ${feed}` : `${resource}${suffix}`;
    const keyList = keys && { name: `PGP keys of ${name}`, isFeed, status: keys };
    return [{ name, isFeed, status }, ...(keyList === undefined ? [] : [keyList])];
  });
}

function listProblems(source: SourceStatus): readonly SourceProblem[] {
  const lists = source.levels.flatMap(listNamedLists);
  return [
    ...lists
      .filter(({ status: { condition } }) => condition === 'failed')
      .concat(lists.filter(({ status: { condition } }) => condition === 'warning'))
      .map(toListProblem),
    ...source.certificates.flatMap(findCertificateProblem),
    ...source.levels.flatMap(listDisproofs),
  ];
}

/**
 * Often the same is wrong with all lists of a source. It may have begun at different times, as lists are fetched one by
 * one; the earliest is named.
 */
function joinEqualProblems(problems: readonly SourceProblem[]): readonly SourceProblem[] {
  const joined = new Map<string, SourceProblem>();
  for (const problem of problems) {
    const { summary, detail, age, advice } = problem;
    const key = JSON.stringify([summary.replace(TIME, ''), detail, age === undefined, advice]);
    const first = joined.get(key);
    joined.set(key, first === undefined ? problem : joinProblems(first, problem));
  }
  return [...joined.values()];
}

/** All times are in UTC, so that the earlier of two summaries that differ in it is the lesser text. */
const TIME = /(?<=, since )[\d:T+-]+/;

function joinProblems(one: SourceProblem, other: SourceProblem): SourceProblem {
  return {
    ...one,
    subjects: [...one.subjects, ...other.subjects],
    summary: one.summary < other.summary ? one.summary : other.summary,
    age: one.age === undefined || other.age === undefined ? undefined : Math.max(one.age, other.age),
  };
}

function toListProblem({ name, isFeed, status: { summary, lastError, age, doubt } }: NamedList): SourceProblem {
  const numbers =
    doubt &&
    `It returns ${formatCount(doubt.records)} records instead of ${formatCount(doubt.trustedRecords)}, since ${doubt.since}.`;
  const advice = lastError === undefined ? 'See the log.' : adviseOn(lastError.reason, isFeed);
  const detail = lastError?.detail;
  const cause = detail !== undefined && summary.includes(detail) ? undefined : detail;
  return { subjects: [name], summary, detail: cause, age, advice: numbers ? `${numbers} ${advice}` : advice };
}

function findCertificateProblem({ origin, daysLeft, validUntil }: CertificateStatus): readonly SourceProblem[] {
  if (daysLeft >= CERTIFICATE_WARNING_DAYS) return [];
  const summary =
    daysLeft < 0
      ? `the certificate expired on ${validUntil}`
      : `the certificate expires in ${daysLeft} days, on ${validUntil}`;
  return [{ subjects: [origin], summary, advice: 'Tell the operator of the source to renew it.' }];
}

function listDisproofs({ resources }: SourceLevelStatus): readonly SourceProblem[] {
  return resources.flatMap(({ resource, capabilities }) =>
    capabilities.flatMap(({ capability, disproof }) =>
      disproof === undefined
        ? []
        : [
            {
              subjects: [resource],
              summary: `a response contradicted the capability ${capability}; it is not used any more`,
              detail: disproof.evidence,
              advice: 'Remove it from its supports, or tell the operator of the source.',
            },
          ],
    ),
  );
}

/** As `1,234`. */
export function formatCount(count: number): string {
  return count.toLocaleString('en');
}

/** In a problem of the summary: a source may have hundreds of feeds. */
const MAX_SUBJECTS = 10;

export function listSubjects(subjects: readonly string[]): string {
  const more = subjects.length - MAX_SUBJECTS;
  return `${subjects.slice(0, MAX_SUBJECTS).join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
}
