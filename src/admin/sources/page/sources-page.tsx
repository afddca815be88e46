import { DataTable } from '../../layout/data-table.js';
import type { VNode } from '../../../html/html.js';
import { SourceText } from '../../../html/source-text.js';
import type { SourceCondition, SourceStatus } from '../../../source/status/source-status.js';
import { formatAge } from '../../../text/relative-time.js';
import { FailedReloadNotice } from '../../config/failed-reload-notice.js';
import { AdminPage } from '../../layout/admin-page.js';
import type { SourcesReport, UnsavedSnapshotsStatus } from '../sources-report.js';
import type { SharingStatus } from '../sharing-status.js';
import { SourceDetails } from './source-details.js';
import { formatCount, listNamedLists, listTroubledSources } from './source-problems.js';
import type { NamedList, SourceProblem, TroubledSource } from './source-problems.js';

interface SourcesPageProps extends SourcesReport {
  /** In ISO 8601. */
  readonly at: string;
  /** Of the admin port, for the commands; undefined: no key is configured, so that there are no actions. */
  readonly actionsAt: string | undefined;
}

const CONDITION_LABELS: Readonly<Record<SourceCondition, string>> = {
  ok: 'in order',
  unknown: 'not requested yet',
  warning: 'incomplete or old',
  failed: 'gives no records',
};

/** What is wrong first, then all sources (operation 3.5). */
export function createSourcesPage({ sources, at, actionsAt, ...report }: SourcesPageProps): VNode {
  const { failedReload, unsavedSnapshots, sharing } = report;
  const troubled = listTroubledSources(sources);
  return (
    <AdminPage title="Sources" section="/sources">
      <Verdict sources={sources} troubled={troubled} />
      {failedReload && <FailedReloadNotice {...failedReload} />}
      {unsavedSnapshots && <UnsavedSnapshots {...unsavedSnapshots} />}
      {sharing && <Sharing {...sharing} />}
      <p class="muted">
        State at {at}. The page does not update itself. As data: <a href="/sources?format=json">JSON</a>.
      </p>
      {troubled.length > 0 && <h2>What is wrong</h2>}
      {troubled.map((one) => (
        <Trouble {...one} />
      ))}
      <h2>All sources</h2>
      <SourceTable sources={sources} />
      <h2>Details</h2>
      {sources.map((source) => (
        <SourceDetails source={source} label={CONDITION_LABELS[source.condition]} actionsAt={actionsAt} />
      ))}
    </AdminPage>
  );
}

function Verdict({
  sources,
  troubled,
}: {
  readonly sources: readonly SourceStatus[];
  readonly troubled: readonly TroubledSource[];
}): VNode {
  const failed = troubled.filter(({ condition }) => condition === 'failed').length;
  const older = troubled.length - failed;
  const unknown = sources.filter(({ condition }) => condition === 'unknown').length;
  const parts = [
    ...(failed > 0 ? [`${failed} of ${sources.length} sources give no records of a list`] : []),
    ...(older > 0 ? [`${older} of ${sources.length} need attention`] : []),
    ...(unknown > 0 ? [`${unknown} of ${sources.length} have not been requested yet`] : []),
  ];
  const state = failed > 0 ? 'failure' : parts.length > 0 ? 'warning' : 'good';
  const text = parts.length > 0 ? parts.join('; ') : `All ${sources.length} sources are in order`;
  return (
    <section class={`notice ${state}`} aria-label="State of all sources">
      <p>
        <strong>{text}.</strong>
      </p>
    </section>
  );
}

/** (operation 3.5.6) */
function Sharing({ inAgreement, since, description, lastError, clockAhead }: SharingStatus): VNode {
  return (
    <section class={`notice ${inAgreement ? 'good' : 'warning'}`} aria-label="Agreement with other instances">
      <p>
        {description} (since {since}).
        {clockAhead !== undefined && ` The clock of this instance is ${formatDifference(clockAhead)} that of Redis.`}
        {!inAgreement && lastError && (
          <>
            {' '}
            Last error, at {lastError.at}: <SourceText text={lastError.message} max={MAX_CAUSE} />.
          </>
        )}
      </p>
    </section>
  );
}

function UnsavedSnapshots({ since, lists, error }: UnsavedSnapshotsStatus): VNode {
  return (
    <section class="notice warning" role="alert">
      <p>
        <strong>Snapshots cannot be saved in cache.disk since {since}</strong>
        {lists > 0 && `: those of ${formatCount(lists)} ${lists === 1 ? 'list' : 'lists'}`}. They are served all the
        same, but a restart will not have them. Last error: <SourceText text={error} max={MAX_CAUSE} />.
      </p>
    </section>
  );
}

function formatDifference(ahead: number): string {
  return `${formatCount(Math.abs(ahead))} ms ${ahead < 0 ? 'behind' : 'ahead of'}`;
}

function Trouble({ source, condition, problems }: TroubledSource): VNode {
  return (
    <section
      class={`notice ${condition === 'failed' ? 'failure' : 'warning'}`}
      aria-labelledby={`trouble-${source.code}`}
    >
      <h3 id={`trouble-${source.code}`}>
        <a href={`#source-${source.code}`}>
          <SourceText text={source.sourceName} max={200} />
        </a>{' '}
        ({source.code}){source.required && ', required: without it there is no list'}
      </h3>
      <ul>
        {problems.map((problem) => (
          <Problem {...problem} />
        ))}
      </ul>
    </section>
  );
}

/** In a problem of the summary: a source may have hundreds of feeds. */
const MAX_SUBJECTS = 10;

function listSubjects(subjects: readonly string[]): string {
  const more = subjects.length - MAX_SUBJECTS;
  return `${subjects.slice(0, MAX_SUBJECTS).join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
}

/** In UTF-16 units, for the summary. The details have the whole cause. */
const MAX_CAUSE = 300;

function Problem({ subjects, summary, detail, age, advice }: SourceProblem): VNode {
  return (
    <li>
      <strong>
        <SourceText text={listSubjects(subjects)} />
      </strong>
      : <SourceText text={summary} />
      {age !== undefined && `; the records are from ${formatAge(age * 1_000)}`}.
      {detail !== undefined && (
        <>
          {' '}
          Cause: <SourceText text={detail} max={MAX_CAUSE} />.
        </>
      )}{' '}
      {advice}
    </li>
  );
}

function SourceTable({ sources }: { readonly sources: readonly SourceStatus[] }): VNode {
  const headings = ['source', 'condition', 'records', 'oldest records', { number: 'failed requests' }];
  return (
    <DataTable label="All sources" headings={headings}>
      {sources.map((source) => (
        <SourceRow source={source} />
      ))}
    </DataTable>
  );
}

/** An item of several feeds counts in each. */
function countItems(feeds: readonly NamedList[]): string {
  const known = feeds.flatMap(({ status: { records } }) => records ?? []);
  const items = known.reduce((sum, records) => sum + records, 0);
  const of = feeds.length === 1 ? '1 feed' : `${known.length} of ${formatCount(feeds.length)} feeds`;
  return `${formatCount(items)} items in ${of}`;
}

function SourceRow({ source }: { readonly source: SourceStatus }): VNode {
  const [level] = source.levels;
  const lists = level === undefined ? [] : listNamedLists(level);
  const counts = lists.flatMap(({ name, isFeed, status: { records } }) =>
    records === undefined || isFeed ? [] : [`${name} ${formatCount(records)}`],
  );
  const feeds = lists.filter(({ isFeed }) => isFeed);
  if (feeds.length > 0) counts.push(countItems(feeds));
  const ages = lists.flatMap(({ status: { age } }) => age ?? []);
  const requests = source.levels.map((one) => one.requests);
  const sent = requests.reduce((sum, one) => sum + one.sent, 0);
  const failures = requests.flatMap((one) => Object.values(one.failures)).reduce((sum, count) => sum + count, 0);
  return (
    <tr>
      <th scope="row">
        <a href={`#source-${source.code}`}>
          <SourceText text={source.sourceName} max={200} />
        </a>
      </th>
      <td>{CONDITION_LABELS[source.condition]}</td>
      <td>{counts.join(', ')}</td>
      <td>{ages.length > 0 && formatAge(Math.max(...ages) * 1_000)}</td>
      <td class="number">
        {formatCount(failures)} of {formatCount(sent)}
      </td>
    </tr>
  );
}
