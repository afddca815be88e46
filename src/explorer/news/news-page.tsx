import type { RequestLogFields } from '../../http/log/access-log.js';
import type { PageRequest } from '../../http/page-route.js';
import type { OutgoingResponse } from '../../http/representation/outgoing-response.js';
import { foldText } from '../../text/text-folding.js';
import { formatHref, valueOf, withParameters, dropEmptyPairs } from '../answer/page-parameters.js';
import { createAnswerResponse, createRedirect } from '../answer/page-response.js';
import { readSourceFacts } from '../answer/source-facts.js';
import type { VNode } from '../../html/html.js';
import { Layout } from '../layout/layout.js';
import type { Site } from '../layout/layout.js';
import { AnswerNotice } from '../layout/answer-notice.js';
import { useAddress } from '../layout/page-address.js';
import { SourceText } from '../../html/source-text.js';
import { NewsForm } from './news-form.js';
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
      <NewsForm parameters={parameters} sourceNames={news.options.rules.vocabulary.sourceNames} />
      <div class="columns">
        <section id="results" aria-label="Results">
          <NewsResults model={model} news={news} />
        </section>
        <aside id="counts" aria-label="Channels">
          <ChannelList model={model} />
        </aside>
      </div>
    </Layout>
  );
}

/** Each channel of all sources is a link that shows its news only. */
function ChannelList({ model: { channels, areChannelsComplete, parameters } }: { readonly model: NewsModel }): VNode {
  const chosen = foldText(valueOf(parameters, 'channel'));
  const address = useAddress();
  return (
    <section class="facet">
      <h2>Channels</h2>
      {!areChannelsComplete && <p class="note">At least these: not every channel could be listed.</p>}
      {channels.length === 0 && areChannelsComplete && <p class="none">No repository has channels.</p>}
      <ul>
        {channels.map((title) => {
          const isChosen = foldText(title) === chosen;
          return (
            <li>
              <a
                href={address('/news', withParameters(parameters, { channel: isChosen ? undefined : title }))}
                {...(isChosen && { 'aria-current': 'true' as const })}
              >
                <SourceText text={title} />
                {isChosen && <span class="chosen"> (selected; remove)</span>}
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
