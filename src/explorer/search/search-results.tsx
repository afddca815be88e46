import type { ListPage } from '../../gateway/gateway.js';
import { valueOf, withParameters } from '../answer/page-parameters.js';
import type { PageParameters } from '../answer/page-parameters.js';
import type { VNode } from '../../html/html.js';
import { Paging, describeRange } from '../layout/paging.js';
import { ListActions } from '../layout/program-access.js';
import { FailedAnswer } from '../layout/failed-answer.js';
import { ChosenFilters } from '../layout/filter-links.js';
import { useAddress } from '../layout/page-address.js';
import { SourceText } from '../../html/source-text.js';
import { countryName } from '../team/team-facts.js';
import { groupLinked } from '../../gateway/links/linked-groups.js';
import type { LinkedGroup } from '../../gateway/links/linked-groups.js';
import type { SearchModel } from './search-model.js';
import { TeamItem, TeamList } from './team-list.js';

interface SearchResultsProps {
  readonly model: SearchModel;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** What can be searched, a list, none, or that no list could be made. These never look alike. */
export function SearchResults({ model, now }: SearchResultsProps): VNode {
  const { outcome, parameters, isStart } = model;
  if ('errors' in outcome) return <p class="no-list">Correct the value above, and search again.</p>;
  const { result } = outcome;
  if ('problem' in result)
    return (
      <>
        <FailedAnswer outcome={outcome} record="team" />
        <WhereToAsk model={model} now={now} />
      </>
    );
  const { list } = result;
  const suggestion = outcome.answer?.suggestion;
  const didYouMean = suggestion !== undefined && <Suggestion text={suggestion} parameters={parameters} />;
  if (list.total === 0)
    return (
      <>
        <EmptyResults model={model} isComplete={list.completeness === 'complete'} />
        {didYouMean}
        <WhereToAsk model={model} now={now} />
      </>
    );
  if (isStart) return <Examples total={list.total} />;
  const { offset } = outcome.query;
  const groups = groupLinked(list.records, model.links);
  return (
    <>
      <h2 id="results-title">{describeTeams(list, offset, groups.length)}</h2>
      <ChosenFilters path="/" parameters={parameters} />
      {didYouMean}
      {model.lacksKeys && <KeyNote />}
      <Parts groups={groups} model={model} now={now} />
      <Paging path="/" parameters={parameters} {...outcome.query} total={list.total} />
      <ListActions resource={model.resource} path="/" parameters={parameters} total={list.total} />
    </>
  );
}

/** `4 records, probably 1 team`. Teams are counted where all records are on the page. */
function describeTeams(list: Pick<ListPage, 'total' | 'records'>, offset: number, groups: number): string {
  const range = describeRange(list, offset, ['record', 'records']);
  if (list.records.length < list.total) return range;
  return groups === list.total
    ? range.replace('record', 'team')
    : `${range}, probably ${groups} ${groups === 1 ? 'team' : 'teams'}`;
}

/** A group is what was searched if one of its records is. A list without a text has one part. */
function Parts({ groups, model, now }: SearchResultsProps & { readonly groups: readonly LinkedGroup[] }): VNode {
  const { hits } = model;
  if (hits.size === 0) return <TeamList groups={groups} model={model} now={now} />;
  const isExact = ({ record, linked }: LinkedGroup): boolean =>
    [record, ...linked.map((link) => link.record)].some(({ id }) => hits.get(id)?.isExact === true);
  const [exact, near] = [groups.filter(isExact), groups.filter((group) => !isExact(group))];
  return (
    <>
      {exact.length > 0 && (
        <>
          <h2 class="part">Exactly this</h2>
          <TeamList groups={exact} model={model} now={now} />
        </>
      )}
      {!model.isAnswered && (
        <p>
          No record that was searched has exactly this. <a href="#ask">Whom to ask</a>
        </p>
      )}
      {near.length > 0 && (
        <>
          <h2 class="part">Near it</h2>
          <p class="note">Read what matches before you write to one of these.</p>
          <TeamList groups={near} model={model} now={now} />
        </>
      )}
      <WhereToAsk model={model} now={now} />
    </>
  );
}

const EXAMPLES: readonly (readonly [kind: string, text: string])[] = [
  ['Line of a log', 'sshd[4711]: Failed password for root from 192.0.2.7 port 22'],
  ['IP address', '192.0.2.7'],
  ['Domain, URL or e-mail address', 'hxxps://mail[.]dept[.]example[.]org'],
  ['Key or telephone number', '0554 215E 4602 DF45'],
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
              <a href={address('/', [['q', text]])}>{text}</a>
            </dd>
          </>
        ))}
      </dl>
      <p>
        Or choose a country below, or <a href={address('/', ALL)}>list all {total.toLocaleString('en')} records</a>.
      </p>
    </section>
  );
}

/** All records, as an address with parameters. */
const ALL: PageParameters = [['sort', 'short-team-name']];

const MAX_NATIONAL = 3;

/** Nobody is exactly what was searched: the national team of its country, or the countries. */
function WhereToAsk({ model: { national, hits, links, isAnswered }, now }: SearchResultsProps): VNode | null {
  const address = useAddress();
  if (isAnswered) return null;
  const country = national && countryName(national.country);
  return (
    <section class="ask" id="ask" aria-labelledby="ask-title">
      <h2 id="ask-title">{country === undefined ? 'Whom to ask' : `Whom to ask in ${country}`}</h2>
      {national !== undefined && national.records.length > 0 && (
        <>
          <p>These records say that they are of the national team:</p>
          <ul class="linked">
            {national.records.slice(0, MAX_NATIONAL).map((record) => (
              <li>
                <TeamItem record={record} model={{ links, hits }} now={now} />
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
        {' and ask its national team: it knows whom to reach.'}
      </p>
    </section>
  );
}

/** An answer without a team does not prove that no team has the key. */
function KeyNote(): VNode {
  return <p class="note">PGP keys that are for members only were not searched.</p>;
}

/** Misspelled words as the records spell them. */
function Suggestion({ text, parameters }: { readonly text: string; readonly parameters: PageParameters }): VNode {
  const address = useAddress();
  return (
    <p class="suggestion">
      Did you mean{' '}
      <a href={address('/', withParameters(parameters, { q: text }))}>
        <SourceText text={text} />
      </a>
      ?
    </p>
  );
}

interface EmptyResultsProps {
  readonly model: SearchModel;
  readonly isComplete: boolean;
}

function EmptyResults({ model: { parameters, lacksKeys }, isComplete }: EmptyResultsProps): VNode {
  const address = useAddress();
  const words = valueOf(parameters, 'q')
    .split(/\s+/)
    .filter((word) => word !== '');
  const filters = parameters.filter(([name]) => name !== 'q' && name !== 'sort');
  return (
    <section class="no-list empty">
      <h2 id="results-title">No team matches</h2>
      <p>
        {isComplete
          ? 'Every repository that was asked has answered.'
          : 'Not every repository could be asked again: some are shown from an earlier copy.'}
      </p>
      {lacksKeys && <KeyNote />}
      <ul>
        {words.length >= MIN_DIVIDED_WORDS && (
          <li>
            No team has all of the {words.length} words, or a rare one of them. Search for one of them:{' '}
            {words.slice(0, MAX_SUGGESTED_WORDS).map((word) => (
              <>
                <a href={address('/', withParameters(parameters, { q: word }))}>
                  <SourceText text={word} />
                </a>{' '}
              </>
            ))}
          </li>
        )}
        {filters.length > 0 && (
          <li>
            <a
              href={address(
                '/',
                parameters.filter(([name]) => name === 'q'),
              )}
            >
              Search without the filters
            </a>
          </li>
        )}
        {words.length > 0 && (
          <li>
            The beginning of a word suffices: <i>examp</i> finds <i>example.org</i>. Its middle does not.
          </li>
        )}
      </ul>
    </section>
  );
}

const MAX_SUGGESTED_WORDS = 5;

/** One word alone is what was searched for. */
const MIN_DIVIDED_WORDS = 2;
