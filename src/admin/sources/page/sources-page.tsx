import type { VNode } from '../../../html/html.js';
import { SourceText } from '../../../html/source-text.js';
import type { SourceStatus } from '../../../source/status/source-status.js';
import { formatAge } from '../../../text/relative-time.js';
import { FailedReloadNotice } from '../../config/failed-reload-notice.js';
import { AdminPage } from '../../layout/admin-page.js';
import type { SourcesReport, UnsavedSnapshotsStatus } from '../sources-report.js';
import type { SharingStatus } from '../sharing-status.js';
import { SourceDetails } from './source-details.js';
import { formatCount, listSubjects, listTroubledSources } from './source-problems.js';
import type { SourceProblem, TroubledSource } from './source-problems.js';
import { CONDITION_LABELS, SUMMARY_HEADINGS, judgeSources, summarizeSource } from './source-summary.js';
import type { SourcesVerdict } from './source-summary.js';

interface SourcesPageProps extends SourcesReport {
  /** In ISO 8601. */
  readonly at: string;
  /** Of the admin port, for the commands; undefined: no key is configured, so that there are no actions. */
  readonly actionsAt: string | undefined;
}

/** What is wrong first, then all sources (operation 3.5). */
export function createSourcesPage({ sources, at, actionsAt, ...report }: SourcesPageProps): VNode {
  const { failedReload, unsavedSnapshots, sharing } = report;
  const troubled = listTroubledSources(sources);
  return (
    <AdminPage title="Sources" section="/sources">
      <Verdict {...judgeSources(sources, troubled)} />
      {failedReload && <FailedReloadNotice {...failedReload} />}
      {unsavedSnapshots && <UnsavedSnapshots {...unsavedSnapshots} />}
      {sharing && <Sharing {...sharing} />}
      <p class="muted">
        State at {at}. The page does not update itself. As data: <a href="/sources?format=json">JSON</a>,{' '}
        <a href="/sources?format=text">text</a>.
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

function Verdict({ state, text }: SourcesVerdict): VNode {
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
  return (
    <div class="wide" role="region" aria-label="All sources" tabindex={0}>
      <table class="wide-text">
        <thead>
          <tr>
            {SUMMARY_HEADINGS.map((heading) => (
              <th scope="col">{heading}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sources.map((source) => (
            <SourceRow source={source} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function SourceRow({ source }: { readonly source: SourceStatus }): VNode {
  const { condition, records, oldest, failedRequests } = summarizeSource(source);
  return (
    <tr>
      <th scope="row">
        <a href={`#source-${source.code}`}>
          <SourceText text={source.sourceName} max={200} />
        </a>
      </th>
      <td>{condition}</td>
      <td>{records}</td>
      <td>{oldest}</td>
      <td>{failedRequests}</td>
    </tr>
  );
}
