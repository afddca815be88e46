import { valueOf, withParameters } from '../answer/page-parameters.js';
import type { PageParameters } from '../answer/page-parameters.js';
import type { VNode } from '../../html/html.js';
import { Paging, describeRange } from '../layout/paging.js';
import { ProgramAccess } from '../layout/program-access.js';
import { FailedAnswer } from '../layout/failed-answer.js';
import { useAddress } from '../layout/page-address.js';
import { SourceText } from '../../html/source-text.js';
import type { SearchModel } from './search-model.js';
import { TeamList } from './team-list.js';

/** A list, none, or that no list could be made. The three never look alike. */
export function SearchResults({ model }: { readonly model: SearchModel }): VNode {
  const { outcome, parameters, resource } = model;
  if ('errors' in outcome) return <p class="no-list">Correct the value above, and search again.</p>;
  const { result } = outcome;
  if ('problem' in result) return <FailedAnswer outcome={outcome} record="team" />;
  const { list } = result;
  const suggestion = outcome.answer?.suggestion;
  const didYouMean = suggestion !== undefined && <Suggestion text={suggestion} parameters={parameters} />;
  if (list.total === 0)
    return (
      <>
        <EmptyResults
          parameters={parameters}
          isComplete={list.completeness === 'complete'}
          lacksKeys={model.lacksKeys}
        />
        {didYouMean}
      </>
    );
  return (
    <>
      <h2 id="results-title">{describeRange(list, outcome.query.offset, ['team', 'teams'])}</h2>
      {didYouMean}
      <OrderNote text={outcome.query.search?.text} />
      {model.lacksKeys && <KeyNote />}
      <TeamList records={list.records} offset={outcome.query.offset} links={model.links} reasons={model.reasons} />
      <Paging path="/" parameters={parameters} {...outcome.query} total={list.total} />
      <ProgramAccess resource={resource} parameters={parameters} total={list.total} />
    </>
  );
}

/** How hits are ordered, and what a search does with several words (decisions 2.40). */
function OrderNote({ text }: { readonly text: string | undefined }): VNode | null {
  if (text === undefined) return null;
  return (
    <p class="note">
      The most relevant first.
      {text.includes(' ') && ' If no team has all the words, those with most of them are listed.'}
    </p>
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
  readonly parameters: PageParameters;
  readonly isComplete: boolean;
  readonly lacksKeys: boolean;
}

function EmptyResults({ parameters, isComplete, lacksKeys }: EmptyResultsProps): VNode {
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
        {words.length > 0 && <SearchHints />}
        <li>
          <a href={address('/')}>Show all teams</a>
        </li>
      </ul>
    </section>
  );
}

const MAX_SUGGESTED_WORDS = 5;

/** One word alone is what was searched for. */
const MIN_DIVIDED_WORDS = 2;

function SearchHints(): VNode {
  return (
    <>
      <li>
        The beginning of a word suffices: <i>examp</i> finds <i>example.org</i>. Its middle does not.
      </li>
      <li>A complete domain, e-mail address, telephone number, key or IP address finds the teams that have it.</li>
    </>
  );
}
