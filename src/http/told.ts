import type { Answer } from '../gateway/gateway.js';
import { viaOf } from '../model/outcome.js';
import { lackingSources } from '../render/envelope.js';
import { sourceFacts } from './facts.js';
import { contributionsOf } from './source-status.js';
import type { Contribution } from './source-status.js';

type Outcomes = Answer['outcomes'];

/** What an answer tells of its sources, beside their records. */
export interface Told {
  readonly contributions: readonly Contribution[];
  /** States and reasons of all, as text: an answer that rests on others is another answer. */
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

/** What is to be told of the sources of an answer: made anew only where one of them came to something else. */
export function toldOf({ outcomes, list }: Pick<Answer, 'outcomes' | 'list'>): Told {
  const before = list && known.get(list.merged);
  if (before !== undefined && areSame(before.outcomes, outcomes)) return before.told;
  const told = tell(outcomes);
  if (list !== undefined) known.set(list.merged, { outcomes, told });
  return told;
}

function areSame(some: Outcomes, others: Outcomes): boolean {
  return some.length === others.length && some.every(({ outcome }, at) => outcome === others[at]?.outcome);
}

function tell(outcomes: Outcomes): Told {
  const states = outcomes.map(({ code, outcome }) => [code, outcome.state, 'reason' in outcome ? outcome.reason : '']);
  return {
    contributions: contributionsOf(outcomes),
    states: states.join(),
    facts: sourceFacts(outcomes.map((one) => ({ ...one, milliseconds: 0 }))),
    lacking: lackingSources(outcomes),
    via: outcomes.flatMap(({ outcome }) => viaOf(outcome)),
  };
}
