import type { RequestLogFields } from '../../http/log/access-log.js';
import type { PageRequest } from '../../http/page-route.js';
import type { OutgoingResponse } from '../../http/representation/outgoing-response.js';
import { formatHref, valueOf, withParameters, dropEmptyPairs } from '../answer/page-parameters.js';
import { createAnswerResponse, createRedirect } from '../answer/page-response.js';
import { readSourceFacts } from '../answer/source-facts.js';
import type { VNode } from '../../html/html.js';
import { Layout } from '../layout/layout.js';
import type { Site } from '../layout/layout.js';
import { AnswerNotice } from '../layout/answer-notice.js';
import { useAddress } from '../layout/page-address.js';
import { FilterLinks } from '../layout/filter-links.js';
import { SearchForm } from '../layout/search-form.js';
import { buildNewsModel } from './news-model.js';
import type { NewsModel, NewsResources } from './news-model.js';
import { NewsResults } from './news-results.js';

interface NewsDependencies extends NewsResources {
  readonly site: Site;
}

/** `/news`: the news of all sources, newest first, as `{data_url}/news` (operation 4.2). */
export async function handleNews(
  dependencies: NewsDependencies,
  request: PageRequest,
  logFields: RequestLogFields,
): Promise<OutgoingResponse> {
  const { site, news } = dependencies;
  const clean = dropEmptyPairs(request.rawQuery);
  if (clean !== request.rawQuery) return createRedirect(site, '/news', clean);
  const model = await buildNewsModel(dependencies, request, logFields);
  const document = <NewsPage site={site} news={news} model={model} now={news.options.clock.now()} />;
  return createAnswerResponse(site, model.outcome, document, !model.areChannelsComplete);
}

interface NewsPageProps extends Pick<NewsDependencies, 'site' | 'news'> {
  readonly model: NewsModel;
  readonly now: number;
}

function NewsPage({ site, news, model, now }: NewsPageProps): VNode {
  const { outcome, parameters } = model;
  const address = useAddress();
  const facts = 'errors' in outcome ? [] : readSourceFacts(outcome.answer);
  return (
    <Layout
      site={site}
      title="News – Rollcall"
      section="/news"
      feed={address(
        `${news.basePath}/${news.options.rules.vocabulary.resource.path}.atom`,
        withParameters(parameters, { offset: undefined }),
      )}
      notice={<AnswerNotice outcome={outcome} facts={facts} noun="news items" now={now} />}
      facts={facts}
      shownAddress={formatHref(`${news.options.publicUrl}/news`, parameters)}
      now={now}
    >
      <h1>News of incident response teams</h1>
      <SearchForm
        path="/news"
        parameters={parameters}
        label="Words of the title, the summary or the link"
        dropped={['after', 'before']}
      >
        <div class="dates">
          <DateField name="after" label="Published after" value={valueOf(parameters, 'after')} />
          <DateField name="before" label="Published before" value={valueOf(parameters, 'before')} />
        </div>
      </SearchForm>
      <div class="columns">
        <aside id="counts" aria-label="Channels and repositories">
          <details>
            <summary>Filters</summary>
            <FilterLinks
              path="/news"
              parameters={parameters}
              title="Channels"
              name="channel"
              values={new Map(model.channels.map((title) => [title, undefined]))}
              note={describeChannels(model)}
            />
            <FilterLinks
              path="/news"
              parameters={parameters}
              title="Repositories"
              name="source-name"
              values={new Map(news.options.rules.vocabulary.sourceNames.map((name) => [name, undefined]))}
              note={undefined}
            />
          </details>
        </aside>
        <section id="results" aria-label="Results">
          <NewsResults model={model} news={news} />
        </section>
      </div>
    </Layout>
  );
}

function describeChannels({ channels, areChannelsComplete }: NewsModel): string | undefined {
  if (!areChannelsComplete) return 'At least these: not every channel could be listed.';
  return channels.length === 0 ? 'No repository has channels.' : undefined;
}

/** As the interface takes it, such as `2026-04-02`. A date picker would drop other forms. */
function DateField({ name, label, value }: { name: 'after' | 'before'; label: string; value: string }): VNode {
  return (
    <div>
      <label for={name}>{label}</label>
      <input id={name} name={name} value={value} placeholder="2026-04-02" autocomplete="off" />
    </div>
  );
}
