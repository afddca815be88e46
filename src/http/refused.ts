import type { Answer } from '../gateway/gateway.js';
import type { Problem } from '../model/error.js';
import type { SourceOutcome } from '../model/outcome.js';
import type { Preferences } from './preferences.js';
import type { Found } from './show.js';
import { isLacking, sourceSummary } from './source-summary.js';

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

/**
 * Why no list is given (decisions.md, section 6), with what each source came to: 504 when all the sources that are the cause only came
 * too late.
 */
export function refusalOf(outcomes: readonly SourceOutcome<unknown>[]): Problem {
  const asked = outcomes.filter(({ outcome }) => outcome.state !== 'excluded');
  const lacking = asked.filter(isLacking);
  const reasons = lacking.map(({ outcome }) => ('reason' in outcome ? outcome.reason : undefined));
  if (reasons.includes('private')) {
    const who = lacking.length === asked.length ? 'no source' : 'not every source that is needed';
    return { kind: 'not-held', message: `${who} can be answered for without telling it of the query` };
  }
  const late = reasons.length > 0 && reasons.every((reason) => reason === 'timeout');
  const summary = sourceSummary(outcomes);
  const message = headline({ asked: asked.length, lacking: lacking.length, late });
  return { kind: late ? 'sources-late' : 'no-source', message: summary === '' ? message : `${message}: ${summary}` };
}

/** What happened to the sources together: how many were asked, how many of these gave less than all, and whether all of these were late. */
function headline({ asked, lacking, late }: { asked: number; lacking: number; late: boolean }): string {
  if (asked === 0) return 'no source could be asked';
  if (lacking === asked) {
    if (asked === 1)
      return `the one source that was asked ${late ? 'did not answer in time' : 'gave no usable answer'}`;
    return `none of the ${asked} sources ${late ? 'answered in time' : 'gave a usable answer'}`;
  }
  return `${lacking} of the ${asked} sources did not answer ${late ? 'in time' : 'completely'}`;
}
