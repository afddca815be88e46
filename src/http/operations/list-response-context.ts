import type { ListPage } from '../../gateway/gateway.js';
import type { DocumentNode } from '../../model/document-node.js';
import type { Query } from '../../model/query.js';
import type { AnswerFreshness } from '../representation/freshness-headers.js';
import type { ResponseFormat } from '../request/response-format.js';
import type { ListOptions, ListRequest } from './served-resource.js';
import type { AnswerWithReport } from '../source-report/answer-source-report.js';

/** Everything besides the answer that determines a list response. */
export interface ListResponseContext {
  readonly options: ListOptions;
  readonly request: ListRequest;
  readonly query: Query;
  readonly responseFormat: ResponseFormat;
  /** Header fields that an error in place of the list carries too. */
  readonly sharedHeaders: Readonly<Record<string, string>>;
  readonly freshness: AnswerFreshness;
  /** `ChangeCounter.changes` before the sources were queried. */
  readonly changes: number;
}

export type AnswerWithList = AnswerWithReport & { readonly list: ListPage };

/** A list that a response shows in place of the records of the answer. */
export interface ShownList {
  /** Name of the file in which it is saved, and of the sheet, without extension. */
  readonly name: string;
  readonly rows: readonly ReadonlyMap<string, DocumentNode>[];
  /** Lists the columns of a table. It is called only for a format that has columns. */
  readonly listColumns: () => Promise<readonly string[]>;
  /** The searched text in its usual spelling; absent where nothing is misspelled, and outside of searches. */
  readonly suggestion?: string | undefined;
}
