import type { Query } from '../../model/query.js';
import { MAX_NAMED_SOURCES, needsAttention, reportFailureDetail } from '../../model/outcome.js';
import type { SourceOutcome } from '../../model/outcome.js';

/** Operation 5.2: the canonical key with page and fields, or the id of a single item. */
export function formatQueryField(
  { canonicalKey: key, offset, limit, fields }: Query,
  item: string | undefined,
): string {
  if (item !== undefined) return item;
  const selection = key.slice(key.indexOf(' ') + 1);
  return `${selection}&offset=${offset}&limit=${limit}${fields === undefined ? '' : `&fields=${fields.join(',')}`}`;
}

/** By code. With too many sources, `*` lists the sources that are stated together. */
export function createSourceFields(outcomes: readonly SourceOutcome<unknown>[]): Record<string, object> {
  const named = selectNamedSources(outcomes);
  const fields: Record<string, object> = Object.fromEntries(
    named.map(({ code, outcome, milliseconds }) => {
      const reason = 'reason' in outcome ? { reason: outcome.reason, ...reportFailureDetail(outcome) } : {};
      return [code, { state: outcome.state, ...reason, milliseconds }];
    }),
  );
  if (named.length === outcomes.length) return fields;
  const isNamed = new Set(named);
  return { '*': groupByReason(outcomes.filter((source) => !isNamed.has(source))), ...fields };
}

function selectNamedSources(outcomes: readonly SourceOutcome<unknown>[]): readonly SourceOutcome<unknown>[] {
  if (outcomes.length <= MAX_NAMED_SOURCES) return outcomes;
  const incomplete = outcomes.filter(({ outcome }) => needsAttention(outcome));
  return incomplete.length <= MAX_NAMED_SOURCES ? incomplete : [];
}

/** Number and longest time for each state and reason. */
function groupByReason(outcomes: readonly SourceOutcome<unknown>[]): readonly object[] {
  const groups = new Map<string, { state: string; reason?: string; sources: number; milliseconds: number }>();
  for (const { outcome, milliseconds } of outcomes) {
    const { state } = outcome;
    const reason = 'reason' in outcome ? { reason: outcome.reason } : {};
    const key = `${state} ${reason.reason ?? ''}`;
    const group = groups.get(key) ?? { state, ...reason, sources: 0, milliseconds: 0 };
    group.sources += 1;
    group.milliseconds = Math.max(group.milliseconds, milliseconds);
    groups.set(key, group);
  }
  return [...groups.values()];
}
