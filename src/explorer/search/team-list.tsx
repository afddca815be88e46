import type { LinksById } from '../answer/team-links.js';
import type { TeamLink } from '../../gateway/links/team-link.js';
import type { StoredRecord } from '../../model/record.js';
import type { VNode } from '../../html/html.js';
import { collectNamesakes, groupLinked } from './linked-groups.js';
import type { LinkedGroup } from './linked-groups.js';
import { MatchReasons } from './match-reasons.js';
import type { ReasonsById } from './search-model.js';
import { EmailLink, PhoneNumber, isEmailAddress } from '../layout/source-link.js';
import { CopyButton } from '../layout/copy-button.js';
import { useAddress } from '../layout/page-address.js';
import { SourceText } from '../../html/source-text.js';
import { LinkReasons } from '../team/link-reasons.js';
import { countryName, nameOf, readTeamFacts, teamPath } from '../team/team-facts.js';
import type { TeamFacts } from '../team/team-facts.js';

interface TeamListProps {
  readonly records: readonly StoredRecord[];
  /** Teams on the pages before this one. */
  readonly offset: number;
  readonly links: LinksById;
  readonly reasons: ReasonsById;
}

/**
 * Records that are probably of one team stand together, each complete; those of one repository with equal names are
 * behind the first of them, in one line to open.
 */
export function TeamList({ records, offset, links, reasons }: TeamListProps): VNode {
  return (
    <ol class="teams" start={offset + 1}>
      {collectNamesakes(groupLinked(records, links)).map(([first, ...namesakes]) => (
        <li class="team">
          {first !== undefined && <LinkedTeams group={first} links={links} reasons={reasons} />}
          {first !== undefined && namesakes.length > 0 && (
            <details>
              <summary>
                {namesakes.length} more {namesakes.length === 1 ? 'record' : 'records'} of{' '}
                <SourceText text={readTeamFacts(first.record).sourceName} /> with this name
              </summary>
              <ul class="linked">
                {namesakes.map((group) => (
                  <li>
                    <LinkedTeams group={group} links={links} reasons={reasons} />
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

interface LinkedTeamsProps extends Pick<TeamListProps, 'links' | 'reasons'> {
  readonly group: LinkedGroup;
}

function LinkedTeams({ group: { record, linked }, links, reasons }: LinkedTeamsProps): VNode {
  return (
    <>
      <TeamItem record={record} links={links} reasons={reasons} shown={linked} />
      {linked.length > 0 && (
        <ul class="linked">
          {linked.map((link) => (
            <li>
              <p class="reason">
                Probably the same team: <LinkReasons reasons={link.reasons} />
              </p>
              <TeamItem record={link.record} links={links} reasons={reasons} shown={[{ record }, ...linked]} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface TeamItemProps extends Pick<TeamListProps, 'links' | 'reasons'> {
  readonly record: StoredRecord;
  /** Stand together with this record. */
  readonly shown: readonly Pick<TeamLink, 'record'>[];
}

/** How to recognise a team, how to reach it, and where else it is listed. */
function TeamItem({ record, links, reasons, shown }: TeamItemProps): VNode {
  const team = readTeamFacts(record);
  const address = useAddress();
  const { officialName, shortName } = team;
  const elsewhere = (links.get(record.id) ?? []).filter(
    (link) => !shown.some((other) => other.record.id === link.record.id),
  );
  return (
    <article>
      <div class="identity">
        <h3>
          <a href={address(teamPath(team.id))}>
            <SourceText text={nameOf(team)} />
          </a>
        </h3>
        {shortName !== '' && officialName !== '' && officialName !== shortName && (
          <p class="official">
            <SourceText text={officialName} />
          </p>
        )}
        <p class="kind">
          <span class="country">
            <SourceText text={team.countries.map(countryName).join(', ') || 'no country stated'} />
          </span>
          {team.constituency !== '' && (
            <>
              {' · '}
              <SourceText text={team.constituency} />
            </>
          )}
        </p>
        <MatchReasons reasons={reasons.get(record.id) ?? []} />
      </div>
      <TeamContact team={team} />
      <p class="origin">
        <SourceText text={team.sourceName} />
        {', '}
        <SourceText text={team.modified === '' ? 'undated' : `record of ${team.modified}`} />
        {elsewhere.map((link) => (
          <AlsoIn link={link} />
        ))}
      </p>
    </article>
  );
}

const MAX_PHONES = 3;

function TeamContact({ team: { id, email, phones, operatingHours } }: { readonly team: TeamFacts }): VNode {
  const address = useAddress();
  return (
    <dl class="contact">
      <dt>E-mail</dt>
      <dd>
        {email === '' ? <span class="none">none stated</span> : <EmailLink address={email} />}{' '}
        {isEmailAddress(email) && <CopyButton text={email} label="e-mail address" />}
      </dd>
      <dt>Phone</dt>
      {phones.length === 0 && <dd class="none">none stated</dd>}
      {phones.slice(0, MAX_PHONES).map((phone) => (
        <dd>
          <PhoneNumber phone={phone} />
        </dd>
      ))}
      {phones.length > MAX_PHONES && (
        <dd>
          … <a href={address(teamPath(id))}>({phones.length - MAX_PHONES} more)</a>
        </dd>
      )}
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

function AlsoIn({ link: { record, reasons } }: { readonly link: TeamLink }): VNode {
  const { id, sourceName } = readTeamFacts(record);
  const address = useAddress();
  return (
    <span class="also">
      Probably also in{' '}
      <a href={address(teamPath(id))}>
        <SourceText text={sourceName} />
      </a>{' '}
      (<LinkReasons reasons={reasons} />)
    </span>
  );
}
