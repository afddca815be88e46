import { parseDate } from '../../text/date.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { LongText, MAX_SHOWN, WholeText } from '../layout/long-text.js';
import { countryName, nameOf } from './team-facts.js';
import type { TeamFacts } from './team-facts.js';

interface TeamNamesProps {
  readonly facts: TeamFacts;
  /** Only one of both names. */
  readonly isShort?: boolean;
  readonly showHeading: (name: VNode) => VNode;
}

export function TeamNames({ facts, isShort = false, showHeading }: TeamNamesProps): VNode {
  const { shortName, officialName } = facts;
  const name = nameOf(facts);
  const further = !isShort && shortName !== '' && officialName !== shortName ? officialName : '';
  return (
    <>
      {showHeading(<SourceText text={name} max={MAX_SHOWN} />)}
      <WholeText text={name} />
      {further !== '' && (
        <div>
          <LongText text={further} />
        </div>
      )}
    </>
  );
}

/** The team's own country, those that it also serves, and its constituency. */
export function Scope({ countries, furtherCountries, constituency }: TeamFacts): VNode {
  const own = countries.map(countryName).join(', ') || 'no country of its own stated';
  const further = furtherCountries.map(countryName).join(', ');
  return (
    <div class="kind">
      <LongText text={further === '' ? own : `${own}, also serves ${further}`} />
      {constituency !== '' && ' · '}
      <LongText text={constituency} />
    </div>
  );
}

const DAY_MS = 86_400_000;
const OLD_MS = 2 * 365.25 * DAY_MS;

interface OriginProps {
  readonly facts: Pick<TeamFacts, 'sourceName' | 'modified'>;
  /** In milliseconds since 1970. Absent: the date is not marked. */
  readonly now: number | undefined;
}

/** When which repository changed its record, marked where that is more than two years ago or in the future. */
export function Origin({ facts: { sourceName, modified }, now }: OriginProps): VNode {
  const age = (now ?? NaN) - (parseDate(modified)?.epochMs ?? NaN);
  return (
    <>
      <SourceText text={sourceName} />, {modified === '' ? 'undated record' : 'record of '}
      <SourceText text={modified} max={MAX_SHOWN} /> {age > OLD_MS && <span class="mark">older than two years</span>}
      {/* A clock that is in advance of this one by less is no error. */}
      {age < -DAY_MS && <span class="mark">dated in the future</span>}
    </>
  );
}
