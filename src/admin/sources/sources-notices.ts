import type { FailedReload } from '../admin-state.js';
import type { TroubledSource } from './page/source-problems.js';
import { formatCount } from './page/source-problems.js';
import type { SourcesReport } from './sources-report.js';

/** What concerns all sources, for a page and as text. May quote sources. */
export interface NoticeTexts {
  readonly state: 'failure' | 'warning' | 'good';
  readonly text: string;
  readonly items?: readonly string[];
}

/** All sources in one sentence, then what else the operator should know. */
export function listNotices(
  { sources, failedReload, unsavedSnapshots, sharing }: SourcesReport,
  troubled: readonly TroubledSource[],
): readonly NoticeTexts[] {
  return [
    judgeSources(sources, troubled),
    ...(failedReload ? [describeFailedReload(failedReload)] : []),
    ...(unsavedSnapshots ? [describeUnsavedSnapshots(unsavedSnapshots)] : []),
    ...(sharing ? [describeSharing(sharing)] : []),
  ];
}

export function describeFailedReload({ at, errors }: FailedReload): NoticeTexts {
  const text = `The reload at ${at} failed. The configuration before it remains in force. Correct these errors, also because a restart would fail:`;
  return { state: 'warning', text, items: errors };
}

function judgeSources(sources: SourcesReport['sources'], troubled: readonly TroubledSource[]): NoticeTexts {
  const failed = troubled.filter(({ condition }) => condition === 'failed').length;
  const older = troubled.length - failed;
  const unknown = sources.filter(({ condition }) => condition === 'unknown').length;
  const parts = [
    ...(failed > 0 ? [`${failed} of ${sources.length} sources give no records of a list`] : []),
    ...(older > 0 ? [`${older} of ${sources.length} need attention`] : []),
    ...(unknown > 0 ? [`${unknown} of ${sources.length} have not been requested yet`] : []),
  ];
  const all = sources.length === 1 ? 'The source is' : `All ${sources.length} sources are`;
  if (parts.length === 0) return { state: 'good', text: `${all} in order.` };
  return { state: failed > 0 ? 'failure' : 'warning', text: `${parts.join('; ')}.` };
}

function describeUnsavedSnapshots({
  since,
  lists,
  error,
}: NonNullable<SourcesReport['unsavedSnapshots']>): NoticeTexts {
  const count = lists > 0 ? `: those of ${formatCount(lists)} ${lists === 1 ? 'list' : 'lists'}` : '';
  const consequence = 'They are served all the same, but a restart will not have them.';
  const text = `Snapshots cannot be saved in cache.disk since ${since}${count}. ${consequence} Last error: ${error}.`;
  return { state: 'warning', text };
}

/** (operation 3.5.6) */
function describeSharing({ reachable, since, description, error }: NonNullable<SourcesReport['sharing']>): NoticeTexts {
  const cause = error === undefined ? '' : ` Last error: ${error}.`;
  return { state: reachable ? 'good' : 'warning', text: `${description} (since ${since}).${cause}` };
}
