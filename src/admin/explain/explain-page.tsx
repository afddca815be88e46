import type { ExplainReport } from '../../explanation/explain-report.js';
import { formatExplainReport } from '../../explanation/format-explain-report.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { AdminPage } from '../layout/admin-page.js';

export type ExplainResult =
  | { readonly state: 'form' }
  /** `status`: of the public port; absent where the request to the admin port is wrong. */
  | { readonly state: 'refused'; readonly httpStatus: number; readonly status?: number; readonly message: string }
  | { readonly state: 'explained'; readonly report: ExplainReport };

interface ExplainPageProps {
  readonly result: ExplainResult;
  /** As requested; empty: none. */
  readonly target: string;
  readonly isRun: boolean;
}

/** (operation 3.6) */
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
  const text = formatExplainReport(report).trimEnd();
  return (
    <pre role="region" aria-label="Explanation" tabindex={0}>
      <SourceText text={text} max={text.length} />
    </pre>
  );
}
