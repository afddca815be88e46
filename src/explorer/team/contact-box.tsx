import type { ComponentChildren, VNode } from '../../html/html.js';
import { AsStated } from '../layout/long-text.js';
import { SourceText } from '../../html/source-text.js';
import { formatLocalTime, formatTimeZone } from '../../text/local-time/time-zone.js';
import type { NationalTeams } from '../answer/related-teams.js';
import { useAddress } from '../layout/page-address.js';
import { EmailLink, PhoneNumber } from '../layout/source-link.js';
import { KeyToUse } from './key-section.js';
import {
  findPlaceTimes,
  listHours,
  listTeamAddresses,
  listTeamNumbers,
} from '../../gateway/links/contact-statements.js';
import type { Statement } from '../../gateway/links/contact-statements.js';
import { Contradiction, StatingRepositories } from './stating-repositories.js';
import { countryName, nameOf, readTeamFacts, teamPath } from './team-facts.js';
import type { TeamView } from './team-model.js';

interface ContactBoxProps {
  readonly view: TeamView;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** Further ones are in the table below. */
const MAX_SHOWN = 3;

/** How to reach the team now, over all its records: each line says who states it. */
export function ContactBox({ view: { records, national }, now }: ContactBoxProps): VNode {
  const values = records.map((record) => record.values);
  const times = findPlaceTimes(values, now);
  const list = <T extends Statement>(
    items: readonly T[],
    properties: readonly string[],
    show: (item: T) => ComponentChildren,
  ): readonly VNode[] =>
    items.length === 0
      ? [<dd class="none">No record states any.</dd>]
      : items.slice(0, MAX_SHOWN).map((item, at) => (
          <dd>
            {at === 0 && <Contradiction properties={properties} records={records} />}
            {show(item)}
            <StatingRepositories places={item.records} records={records} />
          </dd>
        ));
  return (
    <section class="panel reach" aria-labelledby="reach-title">
      <h2 id="reach-title">Reach the team now</h2>
      <dl class="facts">
        <dt>Call</dt>
        {list(listTeamNumbers(values), ['phone-numbers', 'phone-emergency'], ({ text, isEmergency, isConfirmed }) => (
          <>
            <span {...(isConfirmed && { class: 'sure' })}>
              <PhoneNumber phone={text} />
            </span>
            {isEmergency && <strong> emergency number</strong>}
            {!isConfirmed && <strong class="bad"> nobody confirms it</strong>}
          </>
        ))}
        {national && <National teams={national} />}
        <dt>Key</dt>
        <dd>
          <KeyToUse records={records} now={now} />
        </dd>
        <dt>Hours</dt>
        {/* Holidays are in no record. */}
        {list(listHours(values, times, now), ['operating-hours'], ({ text, isOpen }) => (
          <>
            {isOpen !== undefined && <strong>{isOpen ? 'Open' : 'Closed'} now, </strong>}
            <AsStated text={text} />
          </>
        ))}
        <dt>Local time</dt>
        <dd>
          {times.length === 0 && <span class="none">not known</span>}
          {times
            .map(({ zone, basis }) => `${formatLocalTime(now, zone)} (${formatTimeZone(zone)}${BASES[basis]})`)
            .join(' or ')}
        </dd>
        <dt>E-mail</dt>
        {list(listTeamAddresses(values), ['email'], ({ text }) => (
          <EmailLink address={text} />
        ))}
      </dl>
    </section>
  );
}

const BASES = { country: '', stated: ' as stated', summer: ' as stated for summer' } as const;

/** Where else to ask. It is another team, and named as one. */
function National({ teams: { country, records, isComplete } }: { readonly teams: NationalTeams }): VNode {
  const address = useAddress();
  const facts = records.map(readTeamFacts);
  return (
    <dd>
      {facts.length === 0
        ? `No repository ${isComplete ? '' : 'that could be asked '}lists a national team of ${countryName(country)}.`
        : `Ask the national team of ${countryName(country)}, which is another team: `}
      <Contradiction properties={['phone-numbers']} records={facts} />
      {facts.slice(0, MAX_SHOWN).map((team) => (
        <p>
          <a href={address(teamPath(team.id))}>
            <SourceText text={nameOf(team)} max={60} />
          </a>
          {', '}
          {team.phones[0] === undefined ? 'which states no number either' : <PhoneNumber phone={team.phones[0]} />} (
          <SourceText text={team.sourceName} />)
        </p>
      ))}
    </dd>
  );
}
