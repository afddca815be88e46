import type { ServedResource } from '../../http/operations/served-resource.js';
import { formatHref, valueOf, withParameters } from '../answer/page-parameters.js';
import type { PageParameters } from '../answer/page-parameters.js';
import type { VNode } from '../../html/html.js';
import { Paging, describeRange } from '../layout/paging.js';
import { ProgramAccess } from '../layout/program-access.js';
import { FailedAnswer } from '../layout/failed-answer.js';
import { SourceText } from '../../html/source-text.js';
import type { SearchModel } from './search-model.js';
import { TeamList } from './team-list.js';

/** What the results are built from. */
export interface SearchResultsProps {
  readonly model: SearchModel;
  readonly teams: ServedResource;
}

/** The results of a search: a list, none, or that no list could be made. The three never look alike. */
export function SearchResults({ model, teams }: SearchResultsProps): VNode {
  const { outcome, parameters } = model;
  if ('errors' in outcome) return <p class="no-list">Correct the value above, and search again.</p>;
  const { result } = outcome;
  if ('problem' in result) return <FailedAnswer outcome={outcome} record="team" />;
  const { list } = result;
  if (list.total === 0) return <EmptyResults parameters={parameters} isWhole={list.completeness === 'complete'} />;
  return (
    <>
      <h2 id="results-title">{describeRange(list, outcome.query.offset, ['team', 'teams'])}</h2>
      <TeamList records={list.records} offset={outcome.query.offset} links={model.links} />
      <Paging path="/" parameters={parameters} {...outcome.query} total={list.total} />
      <ProgramAccess resource={teams} parameters={parameters} total={list.total} />
    </>
  );
}

function EmptyResults({ parameters, isWhole }: { parameters: PageParameters; isWhole: boolean }): VNode {
  const words = valueOf(parameters, 'q')
    .split(/\s+/)
    .filter((word) => word !== '');
  const filters = parameters.filter(([name]) => name !== 'q' && name !== 'sort');
  return (
    <section class="no-list empty">
      <h2 id="results-title">No team matches</h2>
      <p>
        {isWhole
          ? 'Every repository that was asked has answered.'
          : 'Not every repository could be asked again: some are shown from an earlier copy.'}
      </p>
      <ul>
        {words.length > 1 && (
          <li>
            All {words.length} words must occur in a team. Search for one of them:{' '}
            {words.slice(0, MAX_SUGGESTED_WORDS).map((word) => (
              <>
                <a href={formatHref('/', withParameters(parameters, { q: word }))}>
                  <SourceText text={word} />
                </a>{' '}
              </>
            ))}
          </li>
        )}
        {filters.length > 0 && (
          <li>
            <a
              href={formatHref(
                '/',
                parameters.filter(([name]) => name === 'q'),
              )}
            >
              Search without the filters
            </a>
          </li>
        )}
        <li>
          A part of a word suffices: <i>examp</i> finds <i>example.org</i>.
        </li>
        <li>
          <a href="/">Show all teams</a>
        </li>
      </ul>
    </section>
  );
}

const MAX_SUGGESTED_WORDS = 5;
