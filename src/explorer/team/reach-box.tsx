import type { ComponentChildren, VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { formatLocalTime, formatTimeZone } from '../../text/local-time/time-zone.js';
import type { NationalTeams } from '../answer/national-teams.js';
import { CopyButton } from '../layout/copy-button.js';
import { useAddress } from '../layout/page-address.js';
import { EmailLink, PhoneNumber, isEmailAddress } from '../layout/source-link.js';
import { KeyToUse } from './key-section.js';
import type { TeamKey } from '../../source/keys/team-keys.js';
import { findPlaceTimes, listHours, listTeamAddresses, listTeamNumbers } from '../../gateway/links/reach.js';
import type { PlaceTime, StatedHours, Statement } from '../../gateway/links/reach.js';
import { StatedBy } from './stated-by.js';
import { countryName, nameOf, readTeamFacts, teamPath } from './team-facts.js';
import type { TeamView } from './team-model.js';

interface ReachBoxProps {
  readonly view: TeamView;
  readonly keys: readonly TeamKey[];
  /** Of the repositories of the records. */
  readonly names: readonly string[];
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** Further ones are in the table below. */
const MAX_SHOWN = 3;

/** How to reach the team now, over all its records: each line says who states it. */
export function ReachBox({ view, keys, names, now }: ReachBoxProps): VNode {
  const records = view.records.map(({ values }) => values);
  const times = findPlaceTimes(records, now);
  const list = <T extends Statement>(items: readonly T[], show: (item: T) => ComponentChildren): readonly VNode[] =>
    items.slice(0, MAX_SHOWN).map((item) => (
      <dd>
        {show(item)}
        <StatedBy records={item.records} names={names} />
      </dd>
    ));
  const numbers = list(listTeamNumbers(records), ({ text, isEmergency, isConfirmed }) => (
    <>
      <span {...(isConfirmed && { class: 'sure' })}>
        <PhoneNumber phone={text} />
      </span>
      {isEmergency && <strong> emergency number</strong>}
      {!isConfirmed && <strong class="bad"> nobody confirms it</strong>}
    </>
  ));
  const addresses = list(listTeamAddresses(records), ({ text }) => (
    <>
      <EmailLink address={text} /> {isEmailAddress(text) && <CopyButton text={text} label="e-mail address" />}
    </>
  ));
  const hours = list(listHours(records, times, now), (one) => <Hours hours={one} />);
  return (
    <section class="panel reach" aria-labelledby="reach-title">
      <h2 id="reach-title">Reach the team now</h2>
      <dl class="facts">
        <dt>Call</dt>
        {numbers.length > 0 ? numbers : <dd class="none">No record states a telephone number.</dd>}
        {view.national && <National teams={view.national} />}
        <dt>Hours</dt>
        {hours.length > 0 ? hours : <dd class="none">No record states hours.</dd>}
        <dt>Local time</dt>
        <dd>{times.length === 0 ? <span class="none">not known</span> : <LocalTime times={times} now={now} />}</dd>
        <dt>E-mail</dt>
        {addresses.length > 0 ? addresses : <dd class="none">No record states an address.</dd>}
        <dt>Key</dt>
        <dd>
          <KeyToUse view={view} keys={keys} names={names} now={now} />
        </dd>
      </dl>
    </section>
  );
}

/** Holidays are in no record. */
function Hours({ hours: { text, isOpen } }: { readonly hours: StatedHours }): VNode {
  const verdict = isOpen === true ? 'Open now: ' : isOpen === false ? 'Closed now: ' : undefined;
  return (
    <>
      {verdict === undefined ? 'Hours as stated: ' : <strong>{verdict}</strong>}
      <SourceText text={text} />
    </>
  );
}

/** When the page was made. The script of the page keeps it up to date. */
function LocalTime({ times, now }: { readonly times: readonly PlaceTime[]; readonly now: number }): VNode {
  return (
    <>
      {times.map(({ zone, basis }, at) => (
        <>
          {at > 0 && ' or '}
          <time {...('zone' in zone ? { 'data-local-zone': zone.zone } : { 'data-local-offset': String(zone.offset) })}>
            {formatLocalTime(now, zone)}
          </time>{' '}
          ({formatTimeZone(zone)}
          {BASES[basis]})
        </>
      ))}
    </>
  );
}

const BASES = { country: '', stated: ' as stated', summer: ' as stated for summer' } as const;

/** Where else to ask. It is another team, and named as one. */
function National({ teams: { country, records, isComplete } }: { readonly teams: NationalTeams }): VNode {
  const address = useAddress();
  const [team] = records.map(readTeamFacts);
  const [phone] = team?.phones ?? [];
  if (team === undefined)
    return (
      <dd>
        No repository {isComplete ? '' : 'that could be asked '}lists a national team of {countryName(country)}.
      </dd>
    );
  return (
    <dd>
      Ask the national team of {countryName(country)}, which is another team:{' '}
      <a href={address(teamPath(team.id))}>
        <SourceText text={nameOf(team)} />
      </a>
      , {phone === undefined ? 'which states no number either' : <PhoneNumber phone={phone} />} (
      <SourceText text={team.sourceName} />)
    </dd>
  );
}
