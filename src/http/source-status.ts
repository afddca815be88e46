import { copyOf } from '../model/outcome.js';
import type { SourceOutcome } from '../model/outcome.js';
import type { Copy } from '../source/source.js';
import { writeSourceStatus } from '../wire/source-status.js';
import type { StatusMember } from '../wire/source-status.js';

/** Over so many sources, those that need no attention share one member (decisions.md, section 6). */
const MOST_NAMED = 20;

/** Longest field that names every source that needs attention: beyond, clients would refuse the whole answer for its headers. */
const LONGEST = 4 * 1024;

/** The Source-Status field of an answer: what each registered source contributed, at the time `now` (milliseconds since 1970). */
export function sourceStatus(outcomes: readonly SourceOutcome<Copy>[], now: number): string {
  if (outcomes.length <= MOST_NAMED) return writeSourceStatus(outcomes.map((outcome) => member(outcome, now)));
  const named = outcomes.filter(({ outcome }) => outcome.state !== 'fresh' && outcome.state !== 'excluded');
  const field = writeSourceStatus([...summaries(outcomes), ...named.map((outcome) => member(outcome, now))]);
  return field.length <= LONGEST ? field : writeSourceStatus([...summaries(outcomes), ...byReason(named)]);
}

/** The envelope's `sources` name them all the same. */
function byReason(outcomes: readonly SourceOutcome<Copy>[]): StatusMember[] {
  const groups = new Map<string, { state: string; reason: string; sources: number }>();
  for (const { outcome } of outcomes) {
    const [state, reason] = [outcome.state, 'reason' in outcome ? outcome.reason : ''];
    const group = groups.get(`${state} ${reason}`) ?? { state, reason, sources: 0 };
    groups.set(`${state} ${reason}`, { ...group, sources: group.sources + 1 });
  }
  return [...groups.values()].map((parameters) => ({ code: '*', parameters }));
}

function member({ code, outcome }: SourceOutcome<Copy>, now: number): StatusMember {
  const copy = copyOf(outcome);
  const reason = 'reason' in outcome ? { reason: outcome.reason } : {};
  const held = copy && {
    records: copy.set.records.length,
    age: Math.max(0, Math.floor((now - copy.verifiedAt) / 1000)),
  };
  return { code, parameters: { state: outcome.state, ...reason, ...held } };
}

function summaries(outcomes: readonly SourceOutcome<Copy>[]): StatusMember[] {
  const records: number[] = [];
  for (const { outcome } of outcomes) if (outcome.state === 'fresh') records.push(outcome.copy.set.records.length);
  const sum = records.reduce((all, one) => all + one, 0);
  const excluded = outcomes.filter(({ outcome }) => outcome.state === 'excluded').length;
  return [
    ...summary({ state: 'fresh', sources: records.length, records: sum }),
    ...summary({ state: 'excluded', sources: excluded }),
  ];
}

function summary(parameters: { state: string; sources: number; records?: number }): StatusMember[] {
  return parameters.sources === 0 ? [] : [{ code: '*', parameters }];
}
