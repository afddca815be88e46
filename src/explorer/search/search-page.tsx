import type { RequestLogFields } from '../../http/log/access-log.js';
import type { PageRequest } from '../../http/page-route.js';
import type { OutgoingResponse } from '../../http/representation/outgoing-response.js';
import { valueOf } from '../answer/page-parameters.js';
import { createAnswerResponse, redirectToCleanAddress } from '../answer/page-response.js';
import type { VNode } from '../../html/html.js';
import type { Site } from '../layout/layout.js';
import { Filters } from '../layout/filter-links.js';
import { RecordListPage } from '../layout/list-page.js';
import { useAddress } from '../layout/page-address.js';
import { MapView } from '../map/map-view.js';
import { buildSearchModel } from './search-model.js';
import type { FacetCounts, SearchedLists, SearchModel } from './search-model.js';
import { FoundTeams, WhoToAsk } from './found-teams.js';

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
  const redirect = redirectToCleanAddress(site, '/', request);
  if (redirect !== undefined) return redirect;
  const model = await buildSearchModel(lists, request, logFields);
  const document = <SearchPage site={site} model={model} now={lists.teams.options.clock.now()} />;
  return createAnswerResponse(site, model.outcome, document, model.isPartial);
}

interface SearchPageProps {
  readonly site: Site;
  readonly model: SearchModel;
  readonly now: number;
}

function SearchPage({ site, model, now }: SearchPageProps): VNode {
  const { parameters, isStart, byCountry, bySource } = model;
  const address = useAddress();
  const q = valueOf(parameters, 'q');
  const map = site.assets?.map;
  const filters = [
    { title: 'By repository', name: 'source-name', ...describeCounts(bySource) },
    { title: 'By country', name: 'country', ...describeCounts(byCountry) },
  ];
  const counts = (
    <Filters path="/" parameters={parameters} label="Numbers of teams" filters={filters} isMain={isStart} />
  );
  return (
    <RecordListPage
      site={site}
      path="/"
      model={model}
      noun="team"
      now={now}
      title={q === '' ? 'Rollcall: incident response teams' : `${q} – Rollcall`}
      heading="Find an incident response team"
      label="Name, domain, IP address, key or log line"
      dropped={['sort']}
      before={!isStart && counts}
      after={
        <>
          {/* Before the numbers, which would move if the browser painted them first. */}
          {map !== undefined && (
            <div id="map">
              {isStart && <MapView codes={map.codes} file={address(map.path)} counts={byCountry.counts} />}
            </div>
          )}
          {isStart && counts}
        </>
      }
      showList={(list, answer) => <FoundTeams list={list} answer={answer} model={model} now={now} />}
      afterFailure={<WhoToAsk model={model} now={now} />}
    />
  );
}

/** The largest first. */
function describeCounts({ counts, isComplete }: FacetCounts): {
  readonly values: ReadonlyMap<string, number>;
  readonly note: string | undefined;
} {
  return {
    values: new Map([...counts].sort(([, one], [, other]) => other - one)),
    note: isComplete || counts.size === 0 ? undefined : 'At least these: not every team could be counted.',
  };
}
