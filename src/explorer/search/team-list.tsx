import type { StoredRecord } from '../../model/record.js';
import type { TeamLink } from '../../gateway/links/team-link.js';
import { toPhoneKeys } from '../../identifiers/phone-number.js';
import type { ComponentChildren, VNode } from '../../html/html.js';
import { AsStated } from '../layout/long-text.js';
import { EmailLink, PhoneNumber } from '../layout/source-link.js';
import { useAddress } from '../layout/page-address.js';
import { SourceText } from '../../html/source-text.js';
import { nameContradictions } from '../team/stating-repositories.js';
import { LinkReasons } from '../team/link-evidence.js';
import { Origin, Scope, TeamNames } from '../team/record-head.js';
import { readTeamFacts, teamPath } from '../team/team-facts.js';
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

function LinkedTeams({ group: { record, linked }, ...rest }: LinkedTeamsProps): VNode {
  if (linked.length === 0) return <TeamItem record={record} {...rest} />;
  const records = [record, ...linked.map((link) => link.record)];
  return (
    <section class="group" aria-label={`${records.length} records, probably of 1 team`}>
      <p>
        <span class="reason">{records.length} records</span> <Differences records={records} />
      </p>
      <TeamItem record={record} group={records} {...rest} />
      <ul class="linked">
        {linked.map((link) => (
          <li>
            <TeamItem record={link.record} group={records} reasons={link.reasons} {...rest} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** On which a reader acts, and which the directory interface has. */
const COMPARED = ['enckeys', 'phone-numbers', 'email', 'operating-hours'];

function Differences({ records }: { readonly records: readonly StoredRecord[] }): VNode | null {
  const names = nameContradictions({ records: records.map(readTeamFacts), properties: COMPARED });
  return names === '' ? null : <span class="mark">≠ contradiction: {names}</span>;
}

interface TeamItemProps extends Pick<TeamListProps, 'model' | 'now'> {
  readonly record: StoredRecord;
  /** The records that stand together, with this one. */
  readonly group?: readonly StoredRecord[];
  /** Why it stands below another record, whose names, country and constituency are probably its own. */
  readonly reasons?: TeamLink['reasons'] | undefined;
}

/** How to recognise a team, how to reach it, and where else it is listed. */
export function TeamItem({ record, group = [], reasons, model: { links, hits }, now }: TeamItemProps): VNode {
  const facts = readTeamFacts(record);
  const address = useAddress();
  const elsewhere = (links.get(record.id) ?? []).filter((link) => !group.some(({ id }) => id === link.record.id));
  return (
    <article>
      <div class="identity">
        <TeamNames
          facts={facts}
          isShort={reasons !== undefined}
          showHeading={(name) => (
            <h3>
              <a href={address(teamPath(record.id))}>{name}</a>
            </h3>
          )}
        />
        {reasons === undefined ? (
          <Scope {...facts} />
        ) : (
          <p class="note">
            Probably the same team: <LinkReasons reasons={reasons} />
          </p>
        )}
        <MatchReasons hit={hits.get(record.id)} />
      </div>
      <TeamContact facts={facts} others={group.filter((one) => one !== record).map(readTeamFacts)} />
      <p class="origin">
        <Origin facts={facts} now={now} />
        {elsewhere.map((link) => {
          const { id, sourceName } = readTeamFacts(link.record);
          return (
            <span class="also">
              Probably also in{' '}
              <a href={address(teamPath(id))}>
                <SourceText text={sourceName} />
              </a>{' '}
              (<LinkReasons reasons={link.reasons} />) <Differences records={[record, link.record]} />
            </span>
          );
        })}
      </p>
    </article>
  );
}

const MAX_PHONES = 3;

interface TeamContactProps {
  readonly facts: TeamFacts;
  /** Records of probably the same team. What none of them states is marked. */
  readonly others: readonly TeamFacts[];
}

function TeamContact({ facts: { id, email, phones, operatingHours }, others }: TeamContactProps): VNode {
  const address = useAddress();
  const known = new Set(others.flatMap((other) => [...toPhoneKeys(other.phones), other.email.toLowerCase()]));
  const mark = (contact: string): ComponentChildren =>
    others.length > 0 && contact !== '' && !known.has(contact) && <span class="mark">only this repository</span>;
  return (
    <dl class="contact">
      <dt>Phone</dt>
      {phones.length === 0 && <dd class="none">none stated</dd>}
      {phones.slice(0, MAX_PHONES).map((phone) => (
        <dd>
          <PhoneNumber phone={phone} /> {mark(toPhoneKeys([phone])[0] ?? '')}
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
        {mark(email.toLowerCase())}
      </dd>
      {operatingHours !== '' && (
        <>
          <dt>Hours</dt>
          <dd>
            <AsStated text={operatingHours} />
          </dd>
        </>
      )}
    </dl>
  );
}
