import type { ListPage } from '../../gateway/gateway.js';
import type { DocumentNode } from '../../model/document-node.js';
import type { Query } from '../../model/query.js';
import type { AnswerFreshness } from '../representation/freshness-headers.js';
import type { ResponseFormat } from '../request/response-format.js';
import type { ListOptions, ListRequest } from './served-resource.js';
import type { AnswerWithReport } from '../source-report/answer-source-report.js';

/** What determines a list response besides the answer. */
export interface ListResponseContext {
  readonly options: ListOptions;
  readonly request: ListRequest;
  readonly query: Query;
  readonly responseFormat: ResponseFormat;
  /** An error in place of the list carries them too. */
  readonly sharedHeaders: Readonly<Record<string, string>>;
  readonly freshness: AnswerFreshness;
  /** `ChangeCounter.changes` before the sources were queried. */
  readonly changes: number;
}

export type AnswerWithList = AnswerWithReport & { readonly list: ListPage };

/** Shown in place of the records of the answer. */
export interface ShownList {
  /** Of the saved file and the sheet, without extension. */
  readonly name: string;
  readonly rows: readonly ReadonlyMap<string, DocumentNode>[];
  /** Called only for a format that has columns. */
  readonly listColumns: () => Promise<readonly string[]>;
  /** Usual spelling of the searched text; absent where nothing is misspelled, and outside of searches. */
  readonly suggestion?: string | undefined;
}
