import { parseDate } from '../../text/date.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { countryName, nameOf } from './team-facts.js';
import type { TeamFacts } from './team-facts.js';

/** In UTF-16 units. No team of the public directories has a longer name. */
const MAX_NAME_LENGTH = 200;

interface TeamNamesProps {
  readonly facts: TeamFacts;
  /** Only one of both names. */
  readonly isShort?: boolean;
  readonly showHeading: (name: VNode) => VNode;
}

/** Of a long name the beginning, and beside it all of it, opened by a click. */
export function TeamNames({ facts, isShort = false, showHeading }: TeamNamesProps): VNode {
  const { shortName, officialName } = facts;
  const name = nameOf(facts);
  const further = !isShort && shortName !== '' && officialName !== shortName ? officialName : '';
  const long = [name, further].filter(({ length }) => length > MAX_NAME_LENGTH);
  return (
    <>
      {showHeading(<SourceText text={name} max={MAX_NAME_LENGTH} />)}
      {further !== '' && (
        <p>
          <SourceText text={further} max={MAX_NAME_LENGTH} />
        </p>
      )}
      {long.map((whole) => (
        <details>
          <summary>The whole name has {whole.length.toLocaleString('en')} characters</summary>
          <SourceText text={whole} />
        </details>
      ))}
    </>
  );
}

/** The team's own country, those that it also serves, and its constituency. */
export function Scope({ countries, furtherCountries, constituency }: TeamFacts): VNode {
  return (
    <p class="kind">
      <SourceText text={countries.map(countryName).join(', ') || 'no country of its own stated'} />
      {furtherCountries.length > 0 && (
        <>
          , also serves <SourceText text={furtherCountries.map(countryName).join(', ')} />
        </>
      )}
      {constituency !== '' && (
        <>
          {' · '}
          <SourceText text={constituency} />
        </>
      )}
    </p>
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
      <SourceText text={modified} />
      {age > OLD_MS && <span class="mark"> older than two years</span>}
      {/* A clock that is in advance of this one by less is no error. */}
      {age < -DAY_MS && <span class="mark"> dated in the future</span>}
    </>
  );
}
