import type { Outcome } from '../model/outcome.js';
import type { TraceSpan } from '../model/tracer.js';
import { runInOutcomeSpan } from '../source/outcome-span.js';
import type { SourceRequestContext } from '../source/request/source-request-context.js';
import type { Snapshot } from '../source/snapshot/snapshot.js';

type QuerySource = (context: SourceRequestContext) => Promise<Outcome<Snapshot>>;

/** If the request is traced (operation 7.2). States whether it waited for a refresh of another request. */
export function querySourceInSpan(
  code: string,
  context: SourceRequestContext,
  { trace, query }: { readonly trace: TraceSpan | undefined; readonly query: QuerySource },
): Promise<Outcome<Snapshot>> {
  if (trace === undefined) return query(context);
  const name = `source ${code}`;
  return runInOutcomeSpan({ parent: trace, name, attributes: { 'rollcall.source': code } }, (span) =>
    query({
      isPrivate: context.isPrivate,
      signal: context.signal,
      trace: span,
      onWait: (wait) => {
        if (wait.collapsed) span?.setAttributes({ 'rollcall.joined': true });
        context.onWait(wait);
      },
    }),
  );
}
