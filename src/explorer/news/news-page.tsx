import type { ListPage } from '../../gateway/gateway.js';
import type { RequestLogFields } from '../../http/log/access-log.js';
import type { ServedResource } from '../../http/operations/served-resource.js';
import type { PageRequest } from '../../http/page-route.js';
import type { OutgoingResponse } from '../../http/representation/outgoing-response.js';
import type { Query } from '../../model/query.js';
import type { StoredRecord } from '../../model/record.js';
import { channels as channelsResource } from '../../model/resources/channels.js';
import { news as newsResource } from '../../model/resources/news.js';
import { formatIsoTimestamp, parseDate } from '../../text/date.js';
import { foldText } from '../../text/text-folding.js';
import { answerPageQuery, listOf } from '../answer/answer-query.js';
import { readPageParameters, valueOf, withParameters } from '../answer/page-parameters.js';
import { createAnswerResponse, redirectToCleanAddress } from '../answer/page-response.js';
import { readRecordTexts, textOf } from '../answer/record-texts.js';
import type { VNode } from '../../html/html.js';
import { SourceText } from '../../html/source-text.js';
import { ChosenFilters, Filters } from '../layout/filter-links.js';
import type { Site } from '../layout/layout.js';
import { RecordListPage, describeCompleteness } from '../layout/list-page.js';
import type { ListPageModel } from '../layout/list-page.js';
import { ListActions } from '../layout/page-actions.js';
import { useAddress } from '../layout/page-address.js';
import { Paging, describeRange } from '../layout/paging.js';
import { SourceLink } from '../layout/source-link.js';

const PAGE_SIZE = 50;

const MAX_CHANNELS = 500;

interface NewsDependencies {
  readonly site: Site;
  readonly news: ServedResource;
  readonly channels: ServedResource;
}

interface NewsModel extends ListPageModel {
  /** Of all sources, without repetitions: `channel` selects by title. */
  readonly channels: readonly string[];
  readonly areChannelsComplete: boolean;
}

/** `/news`: the news of all sources, newest first, as `{data_url}/news`, and the channels (operation 4.2). */
export async function handleNews(
  { site, news, channels }: NewsDependencies,
  request: PageRequest,
  logFields: RequestLogFields,
): Promise<OutgoingResponse> {
  const redirect = redirectToCleanAddress(site, '/news', request);
  if (redirect !== undefined) return redirect;
  const { rawQuery, prefer, trace } = request;
  const outcome = await answerPageQuery({ resource: news, rawQuery, prefer, trace, pageSize: PAGE_SIZE }, logFields);
  const all = { resource: channels, rawQuery: '', prefer, trace, pageSize: MAX_CHANNELS };
  const list = listOf(await answerPageQuery(all, {}));
  const titles = (list?.records ?? []).map((record) => textOf(readRecordTexts(channelsResource, record), 'title'));
  const areChannelsComplete = list !== undefined && list.completeness !== 'partial' && list.total <= MAX_CHANNELS;
  const model: NewsModel = {
    resource: news,
    parameters: readPageParameters(rawQuery),
    outcome,
    channels: [...new Map(titles.filter((title) => title !== '').map((title) => [foldText(title), title])).values()],
    areChannelsComplete,
  };
  const document = <NewsPage site={site} model={model} now={news.options.clock.now()} />;
  return createAnswerResponse(site, outcome, document, !areChannelsComplete);
}

interface NewsPageProps {
  readonly site: Site;
  readonly model: NewsModel;
  readonly now: number;
}

function NewsPage({ site, model, now }: NewsPageProps): VNode {
  const { parameters, resource } = model;
  const { resource: news, sourceNames } = resource.options.rules.vocabulary;
  const address = useAddress();
  const filters = [
    { title: 'Channels', name: 'channel', values: uncounted(model.channels), note: describeChannels(model) },
    { title: 'Repositories', name: 'source-name', values: uncounted(sourceNames) },
  ];
  return (
    <RecordListPage
      site={site}
      path="/news"
      model={model}
      noun="news item"
      now={now}
      title="News – Rollcall"
      heading="News of incident response teams"
      feed={address(`${resource.basePath}/${news.path}.atom`, withParameters(parameters, { offset: undefined }))}
      label="Words of the title, the summary or the link"
      dropped={['after', 'before']}
      fields={
        <div class="dates">
          <DateField name="after" label="Published after" value={valueOf(parameters, 'after')} />
          <DateField name="before" label="Published before" value={valueOf(parameters, 'before')} />
        </div>
      }
      before={<Filters path="/news" parameters={parameters} label="Channels and repositories" filters={filters} />}
      showList={(list, { query }) => <NewsList list={list} query={query} model={model} />}
    />
  );
}

function uncounted(values: readonly string[]): ReadonlyMap<string, undefined> {
  return new Map(values.map((value) => [value, undefined]));
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

interface NewsListProps {
  readonly list: ListPage;
  readonly query: Query;
  readonly model: NewsModel;
}

function NewsList({ list, query, model: { parameters, resource } }: NewsListProps): VNode {
  const address = useAddress();
  const { pagingWindow } = query.resource;
  if (list.total === 0)
    return (
      <section class="no-list empty">
        <h2 id="results-title">No news item matches</h2>
        <p>
          {describeCompleteness(list)} {parameters.length > 0 && <a href={address('/news')}>Show all news</a>}
        </p>
      </section>
    );
  return (
    <>
      <h2 id="results-title">{describeRange(list, query.offset, 'news item')}</h2>
      <ChosenFilters path="/news" parameters={parameters} />
      <ol class="teams news" start={query.offset + 1}>
        {list.records.map((record) => (
          <NewsItem record={record} news={resource} />
        ))}
      </ol>
      <Paging path="/news" parameters={parameters} {...query} total={Math.min(list.total, pagingWindow)} />
      {list.total > pagingWindow && (
        <p class="note">
          Paging ends after {pagingWindow.toLocaleString('en')} items. For older ones, use “Published before”.
        </p>
      )}
      <ListActions resource={resource} path="/news" parameters={parameters} total={list.total} />
    </>
  );
}

function NewsItem({ record, news }: { readonly record: StoredRecord; readonly news: ServedResource }): VNode {
  const texts = readRecordTexts(newsResource, record);
  const [title, link, summary] = [textOf(texts, 'title'), textOf(texts, 'link'), textOf(texts, 'summary')] as const;
  const address = useAddress();
  return (
    <li class="team">
      <h3>
        <SourceLink address={link} text={title || link || 'Untitled'} />
      </h3>
      {summary !== '' && (
        <p class="lines">
          <SourceText text={summary} whole={address(`${news.basePath}/news/${record.id}.json`)} />
        </p>
      )}
      <p class="origin">
        <Published text={textOf(texts, 'published')} />, <SourceText text={textOf(texts, 'source-name')} />
      </p>
    </li>
  );
}

function Published({ text }: { readonly text: string }): VNode {
  const date = parseDate(text);
  if (date === undefined) return <SourceText text={text === '' ? 'undated' : text} />;
  const timestamp = formatIsoTimestamp(date.epochMs);
  return <time datetime={timestamp}>{`${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`}</time>;
}
