import type { ServedResource } from '../../http/operations/served-resource.js';
import type { StoredRecord } from '../../model/record.js';
import { news as newsResource } from '../../model/resources/news.js';
import { formatIsoTimestamp, parseDate } from '../../text/date.js';
import { readRecordTexts, textOf } from '../answer/record-texts.js';
import type { VNode } from '../../html/html.js';
import { FailedAnswer } from '../layout/failed-answer.js';
import { useAddress } from '../layout/page-address.js';
import { ChosenFilters } from '../layout/filter-links.js';
import { Paging, describeRange } from '../layout/paging.js';
import { ListActions } from '../layout/program-access.js';
import { SourceLink } from '../layout/source-link.js';
import { SourceText } from '../../html/source-text.js';
import type { NewsModel } from './news-model.js';

interface NewsResultsProps {
  readonly model: NewsModel;
  readonly news: ServedResource;
}

/** Items of a page, none, or that no list could be made. The three never look alike. */
export function NewsResults({ model, news }: NewsResultsProps): VNode {
  const { outcome, parameters } = model;
  if ('errors' in outcome) return <p class="no-list">Correct the value above, and search again.</p>;
  const { result, query } = outcome;
  if ('problem' in result) return <FailedAnswer outcome={outcome} record="news item" />;
  const { list } = result;
  if (list.total === 0)
    return <EmptyNews isFiltered={parameters.length > 0} isComplete={list.completeness === 'complete'} />;
  return (
    <>
      <h2 id="results-title">{describeRange(list, query.offset, ['news item', 'news items'])}</h2>
      <ChosenFilters path="/news" parameters={parameters} />
      <ol class="teams news" start={query.offset + 1}>
        {list.records.map((record) => (
          <NewsItem record={record} news={news} />
        ))}
      </ol>
      <Paging
        path="/news"
        parameters={parameters}
        {...query}
        total={Math.min(list.total, query.resource.pagingWindow)}
      />
      {list.total > query.resource.pagingWindow && (
        <p class="note">
          Paging ends after {query.resource.pagingWindow.toLocaleString('en')} items. For older ones, use “Published
          before”.
        </p>
      )}
      <ListActions resource={news} path="/news" parameters={parameters} total={list.total} />
    </>
  );
}

function NewsItem({ record, news }: { readonly record: StoredRecord; readonly news: ServedResource }): VNode {
  const texts = readRecordTexts(newsResource, record);
  const [title, link, summary] = [textOf(texts, 'title'), textOf(texts, 'link'), textOf(texts, 'summary')] as const;
  const address = useAddress();
  const whole = address(`${news.basePath}/news/${record.id}.json`);
  return (
    <li class="team">
      <article>
        <h3>
          <SourceLink address={link} text={title || link || 'Untitled'} />
        </h3>
        {summary !== '' && (
          <p class="lines">
            <SourceText text={summary} whole={whole} />
          </p>
        )}
        <p class="origin">
          <Published text={textOf(texts, 'published')} />, <SourceText text={textOf(texts, 'source-name')} />
        </p>
      </article>
    </li>
  );
}

function Published({ text }: { readonly text: string }): VNode {
  const date = parseDate(text);
  if (date === undefined) return <SourceText text={text === '' ? 'undated' : text} />;
  const timestamp = formatIsoTimestamp(date.epochMs);
  return <time datetime={timestamp}>{`${timestamp.slice(0, 10)} ${timestamp.slice(11, 16)} UTC`}</time>;
}

function EmptyNews({ isFiltered, isComplete }: { readonly isFiltered: boolean; readonly isComplete: boolean }): VNode {
  const address = useAddress();
  return (
    <section class="no-list empty">
      <h2 id="results-title">No news item matches</h2>
      <p>
        {isComplete
          ? 'Every repository that was asked has answered.'
          : 'Not every repository could be asked again: some are shown from an earlier copy.'}{' '}
        {isFiltered && <a href={address('/news')}>Show all news</a>}
      </p>
    </section>
  );
}
