import type { StoredRecord } from '../../model/record.js';
import { directoryTeams } from '../../model/resources/directory-teams.js';
import type { TeamLink } from '../../gateway/links/team-link.js';
import { toPhoneKeys } from '../../identifiers/phone-number.js';
import { createPropertyReader, toTextItems } from '../../records/sort-and-search-columns.js';
import type { ComponentChildren, VNode } from '../../html/html.js';
import { CopyButton } from '../layout/copy-button.js';
import { EmailLink, PhoneNumber, isEmailAddress } from '../layout/source-link.js';
import { MAX_NAME_LENGTH, WholeName } from '../layout/long-name.js';
import { useAddress } from '../layout/page-address.js';
import { RecordDate } from '../layout/record-date.js';
import { SourceText } from '../../html/source-text.js';
import { LinkReasons } from '../team/link-reasons.js';
import { countryName, nameOf, readTeamFacts, teamPath } from '../team/team-facts.js';
import type { TeamFacts } from '../team/team-facts.js';
import { collectNamesakes } from '../../gateway/links/linked-groups.js';
import type { LinkedGroup } from '../../gateway/links/linked-groups.js';
import { MatchReasons } from './match-reasons.js';
import type { SearchModel } from './search-model.js';

interface TeamListProps {
  readonly groups: readonly LinkedGroup[];
  readonly model: Pick<SearchModel, 'links' | 'hits'>;
  /** In milliseconds since 1970. Absent: old dates are not marked. */
  readonly now?: number | undefined;
}

/**
 * Records that are probably of one team stand together, each complete; those of one repository with equal names are
 * behind the first of them, in one line to open.
 */
export function TeamList({ groups, ...rest }: TeamListProps): VNode {
  return (
    <ol class="teams">
      {collectNamesakes(groups).map(([first, ...namesakes]) => (
        <li class="team">
          {first !== undefined && <LinkedTeams group={first} {...rest} />}
          {first !== undefined && namesakes.length > 0 && (
            <details>
              <summary>
                {namesakes.length} more {namesakes.length === 1 ? 'record' : 'records'} of{' '}
                <SourceText text={readTeamFacts(first.record).sourceName} /> with this name
              </summary>
              <ul class="linked">
                {namesakes.map((group) => (
                  <li>
                    <LinkedTeams group={group} {...rest} />
                  </li>
                ))}
              </ul>
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}

interface LinkedTeamsProps extends Pick<TeamListProps, 'model' | 'now'> {
  readonly group: LinkedGroup;
}

function LinkedTeams({ group: { record, linked }, model, now }: LinkedTeamsProps): VNode {
  const records = [record, ...linked.map((link) => link.record)];
  const stated = linked.length === 0 ? undefined : countContacts(records.map(readTeamFacts));
  const item = (one: StoredRecord, reasons?: TeamLink['reasons']): VNode => (
    <TeamItem record={one} group={records} reasons={reasons} stated={stated} model={model} now={now} />
  );
  if (linked.length === 0) return item(record);
  return (
    <section class="group" aria-label={`${records.length} records, probably of 1 team`}>
      <p class="reason">{records.length} records, probably of 1 team</p>
      <Contradictions records={records} links={model.links} />
      {item(record)}
      <ul class="linked">
        {linked.map((link) => (
          <li>{item(link.record, link.reasons)}</li>
        ))}
      </ul>
    </section>
  );
}

/** What a reader acts on. Other properties are compared on the page of a team. */
const COMPARED: ReadonlyMap<string, string> = new Map([
  ['enckeys', 'keys'],
  ['phone-numbers', 'telephone numbers'],
  ['email', 'e-mail addresses'],
  ['operating-hours', 'hours'],
  ['country-code', 'countries'],
]);

/** Between any two of the records. */
function Contradictions({
  records,
  links,
}: Pick<SearchModel, 'links'> & { readonly records: readonly StoredRecord[] }): VNode | null {
  const ids = new Set(records.map(({ id }) => id));
  const names = nameDifferences(
    records.flatMap(({ id }) => (links.get(id) ?? []).filter(({ record }) => ids.has(record.id))),
  );
  return names === '' ? null : <p class="mark">They state different {names}</p>;
}

function nameDifferences(links: readonly TeamLink[]): string {
  const differing = new Set(links.flatMap(({ disagreements }) => disagreements.map(({ property }) => property)));
  return [...COMPARED].flatMap(([property, name]) => (differing.has(property) ? [name] : [])).join(', ');
}

/** How many of the records state a number or an address. */
type ContactCounts = ReadonlyMap<string, number>;

function countContacts(teams: readonly TeamFacts[]): ContactCounts {
  const counts = new Map<string, number>();
  for (const { phones, email } of teams)
    for (const contact of new Set([...toPhoneKeys(phones), email.toLowerCase()]))
      counts.set(contact, (counts.get(contact) ?? 0) + 1);
  return counts;
}

interface TeamItemProps extends Pick<TeamListProps, 'model' | 'now'> {
  readonly record: StoredRecord;
  /** The records that stand together, with this one. */
  readonly group?: readonly StoredRecord[];
  /** Why it stands below another record, whose names, country and constituency are probably its own. */
  readonly reasons?: TeamLink['reasons'] | undefined;
  /** In the group; absent for a record alone. */
  readonly stated?: ContactCounts | undefined;
}

/** How to recognise a team, how to reach it, and where else it is listed. */
export function TeamItem({ record, group = [], reasons, stated, model: { links, hits }, now }: TeamItemProps): VNode {
  const team = readTeamFacts(record);
  const address = useAddress();
  const { officialName, shortName } = team;
  const name = nameOf(team);
  const further = shortName !== '' && officialName !== shortName ? officialName : '';
  const elsewhere = (links.get(record.id) ?? []).filter((link) => !group.some(({ id }) => id === link.record.id));
  return (
    <article>
      <div class="identity">
        <h3>
          <a href={address(teamPath(team.id))}>
            <SourceText text={name} max={MAX_NAME_LENGTH} />
          </a>
        </h3>
        <WholeName name={name} />
        {reasons === undefined ? (
          <>
            {further !== '' && <SourceText text={further} max={MAX_NAME_LENGTH} />}
            <WholeName name={further} />
            <Scope record={record} team={team} />
          </>
        ) : (
          <p class="note">
            Probably the same team: <LinkReasons reasons={reasons} />
          </p>
        )}
        <MatchReasons hit={hits.get(record.id)} />
      </div>
      <TeamContact team={team} stated={stated} />
      <p class="origin">
        <SourceText text={team.sourceName} />, <RecordDate text={team.modified} now={now} />
        {elsewhere.map((link) => {
          const { id, sourceName } = readTeamFacts(link.record);
          const differences = nameDifferences([link]);
          return (
            <span class="also">
              Probably also in{' '}
              <a href={address(teamPath(id))}>
                <SourceText text={sourceName} />
              </a>{' '}
              (<LinkReasons reasons={link.reasons} />){' '}
              {differences !== '' && <span class="mark">with different {differences}</span>}
            </span>
          );
        })}
      </p>
    </article>
  );
}

const readOwnCountry = createPropertyReader(directoryTeams, 'country-code');

/** The team's own country, those that it also serves, and its constituency. */
function Scope({ record, team: { countries, constituency } }: { record: StoredRecord; team: TeamFacts }): VNode {
  const own = toTextItems(readOwnCountry(record));
  const further = countries.filter((code) => !own.includes(code)).map(countryName);
  return (
    <p class="kind">
      <SourceText text={own.map(countryName).join(', ') || 'no country of its own stated'} />
      {further.length > 0 && (
        <>
          , also serves <SourceText text={further.join(', ')} />
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

const MAX_PHONES = 3;

/** What only one of several records of probably the same team states is marked. */
function TeamContact({ team, stated }: { readonly team: TeamFacts } & Pick<TeamItemProps, 'stated'>): VNode {
  const { id, email, phones, operatingHours } = team;
  const address = useAddress();
  const keys = toPhoneKeys(phones);
  const mark = (contact = ''): ComponentChildren =>
    stated?.get(contact) === 1 && <span class="mark"> only this repository</span>;
  return (
    <dl class="contact">
      <dt>Phone</dt>
      {phones.length === 0 && <dd class="none">none stated</dd>}
      {phones.slice(0, MAX_PHONES).map((phone, at) => (
        <dd>
          <PhoneNumber phone={phone} />
          {mark(keys[at])}
        </dd>
      ))}
      {phones.length > MAX_PHONES && (
        <dd>
          … <a href={address(teamPath(id))}>({phones.length - MAX_PHONES} more)</a>
        </dd>
      )}
      <dt>E-mail</dt>
      <dd>
        {email === '' ? <span class="none">none stated</span> : <EmailLink address={email} />}{' '}
        {isEmailAddress(email) && <CopyButton text={email} label="e-mail address" />}
        {email !== '' && mark(email.toLowerCase())}
      </dd>
      {operatingHours !== '' && (
        <>
          <dt>Hours</dt>
          <dd>
            <SourceText text={operatingHours} />
          </dd>
        </>
      )}
    </dl>
  );
}
