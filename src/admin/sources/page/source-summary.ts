import type { SourceCondition, SourceStatus } from '../../../lists/status/source-status.js';
import { formatAge } from '../../../text/relative-time.js';
import { formatCount, listNamedLists } from './source-problems.js';
import type { NamedList } from './source-problems.js';

export const CONDITION_LABELS: Readonly<Record<SourceCondition, string>> = {
  ok: 'in order',
  unknown: 'not requested yet',
  warning: 'incomplete or old',
  failed: 'gives no records',
};

/** Of the columns of a {@link SourceRowTexts}, after the name. */
export const SUMMARY_HEADINGS = ['source', 'condition', 'records', 'oldest records', 'failed requests'];

/** One source in one row, in words. */
export interface SourceRowTexts {
  readonly condition: string;
  /** For each list, at public access. */
  readonly records: string;
  /** Empty: nothing is cached. */
  readonly oldest: string;
  readonly failedRequests: string;
}

export function summarizeSource({ condition, levels }: SourceStatus): SourceRowTexts {
  const [level] = levels;
  const lists = level === undefined ? [] : listNamedLists(level);
  const counts = lists.flatMap(({ name, isFeed, status: { records } }) =>
    records === undefined || isFeed ? [] : [`${name} ${formatCount(records)}`],
  );
  const feeds = lists.filter(({ isFeed }) => isFeed);
  if (feeds.length > 0) counts.push(countItems(feeds));
  const ages = lists.flatMap(({ status: { age } }) => age ?? []);
  const requests = levels.map((one) => one.requests);
  const sent = requests.reduce((sum, one) => sum + one.sent, 0);
  const failures = requests.flatMap((one) => Object.values(one.failures)).reduce((sum, count) => sum + count, 0);
  return {
    condition: CONDITION_LABELS[condition],
    records: counts.join(', '),
    oldest: ages.length > 0 ? formatAge(Math.max(...ages) * 1_000) : '',
    failedRequests: `${formatCount(failures)} of ${formatCount(sent)}`,
  };
}

/** An item of several feeds counts in each. */
function countItems(feeds: readonly NamedList[]): string {
  const known = feeds.flatMap(({ status: { records } }) => records ?? []);
  const items = known.reduce((sum, records) => sum + records, 0);
  const of = feeds.length === 1 ? '1 feed' : `${known.length} of ${formatCount(feeds.length)} feeds`;
  return `${formatCount(items)} items in ${of}`;
}
