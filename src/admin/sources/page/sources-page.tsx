import type { VNode } from '../../../html/html.js';
import { SourceText } from '../../../html/source-text.js';
import type { SourceStatus } from '../../../lists/status/source-status.js';
import { formatAge } from '../../../text/relative-time.js';
import { AdminPage } from '../../layout/admin-page.js';
import { Notice } from '../../layout/notice.js';
import { listNotices } from '../sources-notices.js';
import type { SourcesReport } from '../sources-report.js';
import { SourceDetails } from './source-details.js';
import { listSubjects, listTroubledSources } from './source-problems.js';
import type { SourceProblem, TroubledSource } from './source-problems.js';
import { CONDITION_LABELS, SUMMARY_HEADINGS, summarizeSource } from './source-summary.js';

interface SourcesPageProps extends SourcesReport {
  /** In ISO 8601. */
  readonly at: string;
  /** Of the admin port, for the commands; undefined: no key is configured, so that there are no actions. */
  readonly actionsAt: string | undefined;
}

/** What is wrong first, then all sources (operation 3.5). */
export function createSourcesPage({ sources, at, actionsAt, ...report }: SourcesPageProps): VNode {
  const troubled = listTroubledSources(sources);
  return (
    <AdminPage title="Sources" section="/sources">
      {listNotices({ sources, ...report }, troubled).map((notice) => (
        <Notice {...notice} />
      ))}
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
