import type { RequestLogFields } from '../../http/log/access-log.js';
import type { PageRequest } from '../../http/page-route.js';
import type { ServedResource } from '../../http/operations/served-resource.js';
import { channels as channelsResource } from '../../model/resources/channels.js';
import { foldText } from '../../text/text-folding.js';
import { answerPageQuery } from '../answer/answer-query.js';
import type { InvalidPageQuery, PageAnswer } from '../answer/answer-query.js';
import { readPageParameters } from '../answer/page-parameters.js';
import type { PageParameters } from '../answer/page-parameters.js';
import { readRecordTexts, textOf } from '../answer/record-texts.js';

const PAGE_SIZE = 50;

const MAX_CHANNELS = 500;

export interface NewsResources {
  readonly news: ServedResource;
  readonly channels: ServedResource;
}

export interface NewsModel {
  readonly parameters: PageParameters;
  readonly outcome: PageAnswer | InvalidPageQuery;
  /** Of all sources, without repetitions: `channel` selects by title. */
  readonly channels: readonly string[];
  readonly areChannelsComplete: boolean;
}

/** As `{data_url}/news` does; lists the channels. */
export async function buildNewsModel(
  { news, channels }: NewsResources,
  { rawQuery, prefer, trace }: Pick<PageRequest, 'rawQuery' | 'prefer' | 'trace'>,
  logFields: RequestLogFields,
): Promise<NewsModel> {
  const outcome = await answerPageQuery({ resource: news, rawQuery, prefer, trace, pageSize: PAGE_SIZE }, logFields);
  const listed = await answerPageQuery({ resource: channels, rawQuery: '', prefer, trace, pageSize: MAX_CHANNELS }, {});
  const list = 'errors' in listed || 'problem' in listed.result ? undefined : listed.result.list;
  const titles = (list?.records ?? []).map((record) => textOf(readRecordTexts(channelsResource, record), 'title'));
  return {
    parameters: readPageParameters(rawQuery),
    outcome,
    channels: [...new Map(titles.filter((title) => title !== '').map((title) => [foldText(title), title])).values()],
    areChannelsComplete: list !== undefined && list.completeness !== 'partial' && list.total <= MAX_CHANNELS,
  };
}
