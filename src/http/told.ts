import type { Answer } from '../gateway/gateway.js';
import { shownDetail, viaOf } from '../model/outcome.js';
import type { Resource } from '../model/resource.js';
import { lackingSources } from '../render/envelope.js';
import { sourceFacts } from './facts.js';
import { contributionsOf } from './source-status.js';
import type { Contribution } from './source-status.js';

type Outcomes = Answer['outcomes'];

/** What an answer tells of its sources, beside their records. */
export interface Told {
  readonly contributions: readonly Contribution[];
  /** States, reasons and details of all, as text: an answer that rests on others is another answer. */
  readonly states: string;
  /** What the log tells of them where nothing had to be waited for. */
  readonly facts: Readonly<Record<string, object>>;
  /** Those that gave less than all, as an envelope tells of them. */
  readonly lacking: ReturnType<typeof lackingSources>;
  /** Gateways that what they gave went through, and those behind what gave nothing: who is in a ring with them has to find itself. */
  readonly via: readonly string[];
}

interface Known {
  readonly outcomes: Outcomes;
  readonly told: Told;
}

/** By merged set: whoever asks for another page of it, or in another form, is told the same as long as its sources stand as they did. */
const known = new WeakMap<object, Known>();

/** The merged set of each resource that was asked for last. It is held elsewhere, or not at all. */
const latest = new WeakMap<Resource, WeakRef<object>>();

/** What is to be told of the sources of an answer: made anew only where one of them came to something else than for the last query. */
export function toldOf(resource: Resource, { outcomes, list }: Pick<Answer, 'outcomes' | 'list'>): Told {
  if (list === undefined) return tell(outcomes);
  const { merged } = list;
  const before = [merged, latest.get(resource)?.deref()].map((set) => set && known.get(set));
  const same = before.find((one) => one !== undefined && areSame(one.outcomes, outcomes));
  const now = same ?? { outcomes, told: tell(outcomes) };
  known.set(merged, now);
  latest.set(resource, new WeakRef(merged));
  return now.told;
}

function areSame(some: Outcomes, others: Outcomes): boolean {
  return (
    some.length === others.length &&
    some.every(({ code, outcome }, at) => code === others[at]?.code && outcome === others[at].outcome)
  );
}

function tell(outcomes: Outcomes): Told {
  const states = outcomes.map(({ code, outcome }) => {
    const reason = 'reason' in outcome ? outcome.reason : '';
    return [code, outcome.state, reason, ...Object.values(shownDetail(outcome))];
  });
  return {
    contributions: contributionsOf(outcomes),
    states: states.join(),
    facts: sourceFacts(outcomes.map((one) => ({ ...one, milliseconds: 0 }))),
    lacking: lackingSources(outcomes),
    via: outcomes.flatMap(({ outcome }) => viaOf(outcome)),
  };
}
