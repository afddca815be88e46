import type { Answer } from '../gateway/gateway.js';
import type { Problem } from '../model/error.js';
import type { Preferences } from './preferences.js';
import type { Found } from './show.js';

type Outcomes = Answer['outcomes'];

/** Whether there is a list, and one that the client takes. */
export function isGiven(answer: Answer, { strict }: Preferences): answer is Found {
  const { list, outcomes } = answer;
  return list !== undefined && !outcomes.some(isNotHeld) && (!strict || list.completeness === 'complete');
}

/** A source that could not answer without being told of a private query: it is not left out, for it is well. */
function isNotHeld({ outcome }: Outcomes[number]): boolean {
  return outcome.state === 'failed' && outcome.reason === 'private';
}

/** Why no list is given (decisions.md, section 6): 504 when all the sources that are the cause only came too late. */
export function refusalOf(outcomes: Outcomes): Problem {
  const asked = outcomes.filter(({ outcome }) => outcome.state !== 'excluded');
  const lacking = asked.filter(({ outcome }) => outcome.state !== 'fresh');
  const reasons = lacking.map(({ outcome }) => ('reason' in outcome ? outcome.reason : undefined));
  const who = lacking.length === asked.length ? 'no source' : 'not every source that is needed';
  if (reasons.includes('private')) {
    return { kind: 'not-held', message: `${who} can be answered for without telling it of the query` };
  }
  const late = reasons.length > 0 && reasons.every((reason) => reason === 'timeout');
  return {
    kind: late ? 'sources-late' : 'no-source',
    message: late ? `${who} answered in time` : `${who} could be asked`,
  };
}
