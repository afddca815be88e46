import type { RequestLogFields } from '../../http/log/access-log.js';
import type { PageRequest } from '../../http/page-route.js';
import type { OutgoingResponse } from '../../http/representation/outgoing-response.js';
import { formatHref, valueOf, dropEmptyPairs } from '../answer/page-parameters.js';
import { createAnswerResponse, createRedirect } from '../answer/page-response.js';
import { readSourceFacts } from '../answer/source-facts.js';
import type { VNode } from '../../html/html.js';
import { Layout } from '../layout/layout.js';
import type { Site } from '../layout/layout.js';
import { AnswerNotice } from '../layout/answer-notice.js';
import { FilterLinks } from '../layout/filter-links.js';
import { useAddress } from '../layout/page-address.js';
import { SearchForm } from '../layout/search-form.js';
import { MapView } from '../map/map-view.js';
import { buildSearchModel } from './search-model.js';
import type { FacetCounts, SearchedLists, SearchModel } from './search-model.js';
import { SearchResults } from './search-results.js';

interface SearchDependencies {
  readonly site: Site;
  readonly lists: SearchedLists;
}

/** As `{directory_url}/teams`, or with a text as `{directory_url}/search` (operation 4.2). */
export async function handleSearch(
  { site, lists }: SearchDependencies,
  request: PageRequest,
  logFields: RequestLogFields,
): Promise<OutgoingResponse> {
  const clean = dropEmptyPairs(request.rawQuery);
  if (clean !== request.rawQuery) return createRedirect(site, '/', clean);
  const model = await buildSearchModel(lists, request, logFields);
  const document = <SearchPage site={site} model={model} now={model.resource.options.clock.now()} />;
  const isPartial = model.byCountry.isPartial || model.bySource.isPartial || model.national?.isComplete === false;
  return createAnswerResponse(site, model.outcome, document, isPartial);
}

interface SearchPageProps extends Pick<SearchDependencies, 'site'> {
  readonly model: SearchModel;
  readonly now: number;
}

function SearchPage({ site, model, now }: SearchPageProps): VNode {
  const { outcome, parameters, resource, isStart } = model;
  const address = useAddress();
  const facts = 'errors' in outcome ? [] : readSourceFacts(outcome.answer);
  const q = valueOf(parameters, 'q');
  const map = site.assets?.map;
  return (
    <Layout
      site={site}
      title={q === '' ? 'Rollcall: incident response teams' : `${q} – Rollcall`}
      section="/"
      notice={<AnswerNotice outcome={outcome} facts={facts} noun="teams" now={now} />}
      facts={facts}
      shownAddress={formatHref(`${resource.options.publicUrl}/`, parameters)}
      now={now}
    >
      <h1>Find an incident response team</h1>
      <SearchForm
        path="/"
        parameters={parameters}
        label="Name, domain, IP address, key or log line"
        dropped={['sort']}
      />
      <div class="columns">
        {!isStart && <Counts model={model} />}
        <section id="results" aria-label="Results">
          <SearchResults model={model} now={now} />
        </section>
        {/* Before the numbers, which would move if the browser painted them first. */}
        {map !== undefined && (
          <div id="map">
            {isStart && <MapView codes={map.codes} file={address(map.path)} counts={model.byCountry.counts} />}
          </div>
        )}
        {isStart && <Counts model={model} />}
      </div>
    </Layout>
  );
}

/** Numbers of teams by repository and by country, the largest first. Folded beside results. */
function Counts({ model: { parameters, bySource, byCountry, isStart } }: Pick<SearchPageProps, 'model'>): VNode {
  const show = (title: string, name: string, { counts, isComplete }: FacetCounts): VNode => (
    <FilterLinks
      path="/"
      parameters={parameters}
      title={title}
      name={name}
      values={new Map([...counts].sort(([, one], [, other]) => other - one))}
      note={isComplete || counts.size === 0 ? undefined : 'At least these: not every team could be counted.'}
    />
  );
  return (
    <aside id="counts" aria-label="Numbers of teams">
      <details open={isStart}>
        <summary>{isStart ? 'Countries and repositories' : 'Filters'}</summary>
        {show('By repository', 'source-name', bySource)}
        {show('By country', 'country', byCountry)}
      </details>
    </aside>
  );
}
