import { DataTable } from '../layout/data-table.js';
import type { ExplainReport, ExplainSourceReport } from '../../explanation/explain-report.js';
import { describeAnswer } from '../../explanation/explain-target.js';
import { PLAN_HEADINGS, STRATEGY_LABELS, describeSubject, planRows } from '../../explanation/plan-rows.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { AdminPage } from '../layout/admin-page.js';

/** What `/explain` shows: the form alone, the reason for which there is no explanation, or the explanation. */
export type ExplainResult =
  | { readonly state: 'form' }
  /** `status`: that of the response of the public port; absent where the request to the admin port is wrong. */
  | { readonly state: 'refused'; readonly httpStatus: number; readonly status?: number; readonly message: string }
  | { readonly state: 'explained'; readonly report: ExplainReport };

/** What the page of `/explain` is built from. */
export interface ExplainPageProps {
  readonly result: ExplainResult;
  /** The target as it was requested; empty: none. */
  readonly target: string;
  readonly isRun: boolean;
}

/** The page of `/explain` (operation 3.6). */
export function createExplainPage({ result, target, isRun }: ExplainPageProps): VNode {
  return (
    <AdminPage title="Explain a query" section="/explain">
      <form method="get" action="/explain">
        <div class="field">
          <label for="target">Path and query of the public port</label>
          <input type="text" id="target" name="target" value={target} required spellcheck={false} />
        </div>
        <input type="hidden" name="format" value="html" />
        <label>
          <input type="checkbox" name="run" value="1" checked={isRun} /> execute the query
        </label>
        <button type="submit">Explain</button>
      </form>
      {result.state === 'form' && <p>Such as /directory/v1/teams?country=AT&limit=5.</p>}
      {result.state === 'refused' && <Refusal status={result.status} message={result.message} />}
      {result.state === 'explained' && <Explanation report={result.report} />}
    </AdminPage>
  );
}

function Refusal({ status, message }: { readonly status: number | undefined; readonly message: string }): VNode {
  return (
    <section class="notice failure" role="alert">
      <h2>{status === undefined ? 'Not explained' : `The public port would answer with ${status}`}</h2>
      <p>
        <SourceText text={message} />
      </p>
    </section>
  );
}

function Explanation({ report }: { readonly report: ExplainReport }): VNode {
  const { resource, sources, answer } = report;
  return (
    <>
      {answer && (
        <section class={`notice ${answer.message === undefined ? 'good' : 'failure'}`}>
          <h2>Answer</h2>
          <p>
            <SourceText text={describeAnswer(answer)} />
          </p>
        </section>
      )}
      <h2>Plan</h2>
      <p>
        <code>
          <SourceText text={describeSubject(report)} />
        </code>
      </p>
      <PlanTable sources={sources} resource={resource} />
      {answer && <RunTable sources={sources} />}
    </>
  );
}

function PlanTable({ sources, resource }: Pick<ExplainReport, 'sources' | 'resource'>): VNode {
  return (
    <DataTable label="Plan, by source" headings={PLAN_HEADINGS}>
      {sources.flatMap((source) =>
        planRows(source, resource).map((cells) => (
          <tr>
            {cells.map((cell, at) => (
              <td {...(at === cells.length - 1 && { colSpan: PLAN_HEADINGS.length - at })}>
                <SourceText text={cell} />
              </td>
            ))}
          </tr>
        )),
      )}
    </DataTable>
  );
}

const RUN_HEADINGS = ['source', 'state', 'strategy', { number: 'records available' }, { number: 'ms' }] as const;

function RunTable({ sources }: Pick<ExplainReport, 'sources'>): VNode {
  return (
    <>
      <h2>What the sources did</h2>
      <DataTable label="Results, by source" headings={RUN_HEADINGS}>
        {sources.map((source) => RunRow(source))}
      </DataTable>
      <p class="muted">
        Requests are not counted here: queries share them. <code>rollcall explain --run</code> counts them, in a process
        with an empty cache.
      </p>
    </>
  );
}

function RunRow({ source, run }: ExplainSourceReport): VNode | null {
  if (run === undefined) return null;
  const { state, reason, strategy, available, milliseconds } = run;
  return (
    <tr>
      <td>{source}</td>
      <td>{reason === undefined ? state : `${state} (${reason})`}</td>
      <td>{STRATEGY_LABELS[strategy]}</td>
      <td class="number">{available?.toLocaleString('en') ?? ''}</td>
      <td class="number">{milliseconds.toLocaleString('en')}</td>
    </tr>
  );
}
