import type { ListPage } from '../../gateway/gateway.js';
import { valueOf, withParameters } from '../answer/page-parameters.js';
import type { PageParameters } from '../answer/page-parameters.js';
import type { PageAnswer } from '../answer/answer-query.js';
import type { ComponentChildren, VNode } from '../../html/html.js';
import { Paging, describeRange } from '../layout/paging.js';
import { describeCompleteness } from '../layout/list-page.js';
import { ListActions } from '../layout/page-actions.js';
import { ChosenFilters } from '../layout/filter-links.js';
import { useAddress } from '../layout/page-address.js';
import { SourceText } from '../../html/source-text.js';
import { Contradiction } from '../team/stating-repositories.js';
import { countryName, readTeamFacts } from '../team/team-facts.js';
import { groupLinked } from '../../gateway/links/linked-groups.js';
import type { LinkedGroup } from '../../gateway/links/linked-groups.js';
import { SearchedKey } from './searched-key.js';
import type { SearchModel } from './search-model.js';
import { TeamItem, TeamList } from './team-list.js';

interface SearchProps {
  readonly model: SearchModel;
  /** In milliseconds since 1970. */
  readonly now: number;
}

interface FoundTeamsProps extends SearchProps {
  readonly list: ListPage;
  readonly answer: PageAnswer;
}

/** What can be searched, a list, or that no team matches. */
export function FoundTeams({ list, answer, model, now }: FoundTeamsProps): VNode {
  const { parameters, resource, keyList, isStart, lacksKeys, keyOwners } = model;
  if (isStart && list.total > 0) return <Examples total={list.total} />;
  const { offset } = answer.query;
  const country = valueOf(parameters, 'country');
  const suggestion = answer.answer?.suggestion;
  const notes = (
    <>
      {suggestion !== undefined && (
        <p class="suggestion">
          Did you mean <TextLink parameters={withParameters(parameters, { q: suggestion })} text={suggestion} />?
        </p>
      )}
      {lacksKeys && <p class="note">PGP keys that are for members only were not searched.</p>}
    </>
  );
  if (list.total === 0)
    return (
      <>
        <section class="no-list empty">
          <h2 id="results-title">
            No team matches
            {country !== '' && [' in ', <SourceText text={countryName(country.toUpperCase())} />]}
          </h2>
          <ChosenFilters path="/" parameters={parameters} />
          <p>
            {describeCompleteness(list)}
            {valueOf(parameters, 'q') !== '' && ' The beginning of a word suffices, its middle does not.'}
          </p>
        </section>
        {notes}
        <WhoToAsk model={model} now={now} />
      </>
    );
  const groups = groupLinked(list.records, model.links);
  return (
    <>
      <h2 id="results-title">{describeTeams(list, offset, groups.length)}</h2>
      <ChosenFilters path="/" parameters={parameters} />
      {notes}
      {keyOwners.map((view) => (
        <SearchedKey text={valueOf(parameters, 'q')} view={view} now={now} />
      ))}
      <Parts groups={groups} model={model} now={now} />
      <Paging path="/" parameters={parameters} {...answer.query} total={list.total} />
      <ListActions resource={resource} keyList={keyList} path="/" parameters={parameters} total={list.total} />
    </>
  );
}

/** `4 records, probably 1 team`. Teams are counted where all records are on the page. */
function describeTeams(list: Pick<ListPage, 'total' | 'records'>, offset: number, groups: number): string {
  const range = describeRange(list, offset, 'record');
  if (list.records.length < list.total) return range;
  return groups === list.total
    ? range.replace('record', 'team')
    : `${range}, probably ${groups} ${groups === 1 ? 'team' : 'teams'}`;
}

/** A group is what was searched if one of its records is. A list without a text has one part. */
function Parts({ groups, model, now }: SearchProps & { readonly groups: readonly LinkedGroup[] }): VNode {
  const { hits } = model;
  if (hits.size === 0) return <TeamList groups={groups} model={model} now={now} />;
  const isExact = ({ record, linked }: LinkedGroup): boolean =>
    [record, ...linked.map((link) => link.record)].some(({ id }) => hits.get(id)?.isExact === true);
  const part = (title: string, note: ComponentChildren, some: readonly LinkedGroup[]): ComponentChildren =>
    some.length > 0 && (
      <>
        <h2 class="part">{title}</h2>
        {note}
        <TeamList groups={some} model={model} now={now} />
      </>
    );
  return (
    <>
      {part('Exactly this', null, groups.filter(isExact))}
      {!model.isAnswered && (
        <p>
          No record that was searched has exactly this. <a href="#ask">Who to ask instead</a>
        </p>
      )}
      {part(
        'Near it',
        <p class="note">Read what matches before you write to one of these.</p>,
        groups.filter((group) => !isExact(group)),
      )}
      <WhoToAsk model={model} now={now} />
    </>
  );
}

const EXAMPLES: readonly (readonly [kind: string, text: string])[] = [
  ['IP address, also in a line of a log', 'sshd[4711]: Failed password for root from 192.0.2.7 port 22'],
  ['Domain, URL or e-mail address', 'hxxps://mail[.]dept[.]example[.]org'],
  ['Key or telephone number', '8294 ACC1 ADBC 0EC5'],
  ['Name, country, sector', 'iceland energy'],
];

function Examples({ total }: { readonly total: number }): VNode {
  const address = useAddress();
  return (
    <section class="examples">
      <h2 id="results-title">Paste what you have, as it is</h2>
      <dl>
        {EXAMPLES.map(([kind, text]) => (
          <>
            <dt>{kind}</dt>
            <dd>
              <TextLink parameters={[['q', text]]} text={text} />
            </dd>
          </>
        ))}
      </dl>
      <p>
        Or choose a country below, or{' '}
        <a href={address('/', [['sort', 'short-team-name']])}>list all {total.toLocaleString('en')} records</a>.
      </p>
    </section>
  );
}

/** To a search for other words. */
function TextLink({ parameters, text }: { readonly parameters: PageParameters; readonly text: string }): VNode {
  const address = useAddress();
  return (
    <a href={address('/', parameters)}>
      <SourceText text={text} />
    </a>
  );
}

const MAX_NATIONAL = 3;

/** Nobody is exactly what was searched: the national team of its country, or the countries. */
export function WhoToAsk({ model, now }: SearchProps): VNode | null {
  const { national, isAnswered } = model;
  const address = useAddress();
  if (isAnswered) return null;
  const country = national && countryName(national.country);
  return (
    <section class="ask" id="ask" aria-labelledby="ask-title">
      <h2 id="ask-title">{country === undefined ? 'Who to ask instead' : `Who to ask in ${country}`}</h2>
      {national !== undefined && national.records.length > 0 && (
        <>
          <p>These records say that they are of the national team:</p>
          <Contradiction properties={['phone-numbers']} records={national.records.map(readTeamFacts)} />
          <ul class="linked">
            {national.records.slice(0, MAX_NATIONAL).map((record) => (
              <li>
                <TeamItem record={record} group={national.records} model={model} now={now} />
              </li>
            ))}
          </ul>
        </>
      )}
      <p>
        {national === undefined ? (
          <a href={address('/')}>Choose a country</a>
        ) : (
          <a href={address('/', [['country', national.country]])}>All teams of {country}</a>
        )}
        {' and ask its national team: it knows who is responsible.'}
      </p>
    </section>
  );
}
