import type { ListPage } from '../../gateway/gateway.js';
import type { ServedResource } from '../../http/operations/served-resource.js';
import type { Query } from '../../model/query.js';
import { formatHref, valueOf } from '../answer/page-parameters.js';
import type { PageParameters } from '../answer/page-parameters.js';
import type { InvalidPageQuery, PageAnswer } from '../answer/answer-query.js';
import type { ComponentChildren, VNode } from '../../html/html.js';
import { FailedAnswer } from './failed-answer.js';
import { Layout } from './layout.js';
import type { LayoutProps } from './layout.js';
import { useAddress } from './page-address.js';
import type { RecordNoun } from './source-report.js';

export interface ListPageModel {
  /** Answers the query of the page. */
  readonly resource: ServedResource;
  readonly parameters: PageParameters;
  readonly outcome: PageAnswer | InvalidPageQuery;
}

interface ListPageProps extends Pick<LayoutProps, 'site' | 'title' | 'feed' | 'now'> {
  readonly path: '/' | '/news';
  readonly model: ListPageModel;
  readonly noun: RecordNoun;
  readonly heading: string;
  /** Of the search field. */
  readonly label: string;
  /** Parameters that a new search does not send again: those of `fields`, and others that a new text replaces. */
  readonly dropped: readonly string[];
  /** Further fields of the search. */
  readonly fields?: ComponentChildren;
  /** Parts beside the results, in their order. */
  readonly before?: ComponentChildren;
  readonly after?: ComponentChildren;
  /** Where there is a list: a count of what is found, or that nothing is. */
  readonly showList: (list: ListPage, answer: PageAnswer & { readonly query: Query }) => ComponentChildren;
  /** Below the news that there is no list. */
  readonly afterFailure?: ComponentChildren;
}

/** A search with its results: a list, none, or that no list could be made. These never look alike. */
export function RecordListPage(props: ListPageProps): VNode {
  const { path, model, noun, heading, before, after, showList, afterFailure, ...layout } = props;
  const { outcome, parameters, resource } = model;
  return (
    <Layout
      {...layout}
      section={path}
      outcome={outcome}
      noun={noun}
      shownAddress={formatHref(resource.options.publicUrl + path, parameters)}
    >
      <h1>{heading}</h1>
      <SearchForm {...props} />
      <div class="columns">
        {before}
        <section id="results" aria-label="Results">
          {'errors' in outcome ? (
            <p class="no-list">Correct the value above, and search again.</p>
          ) : 'problem' in outcome.result ? (
            <>
              <FailedAnswer outcome={outcome} noun={noun} />
              {afterFailure}
            </>
          ) : (
            showList(outcome.result.list, outcome)
          )}
        </section>
        {after}
      </div>
    </Layout>
  );
}

/** In UTF-16 units. Browsers shorten a pasted text: of a key this is enough, and an address has at most 8 KiB. */
const MAX_TEXT_LENGTH = 4_000;

/** Requests the page, with or without scripts. All other parameters of its address are sent again unchanged. */
function SearchForm({ path, model: { parameters }, label, dropped, fields }: ListPageProps): VNode {
  const address = useAddress();
  return (
    <form id="search" role="search" action={address(path)} method="get">
      {parameters
        .filter(([name]) => name !== 'q' && !dropped.includes(name))
        .map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
      <label for="q">{label}</label>
      <div class="box">
        <input
          id="q"
          name="q"
          type="search"
          value={valueOf(parameters, 'q')}
          maxlength={MAX_TEXT_LENGTH}
          dir="auto"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          enterkeyhint="search"
        />
        <button type="submit">Search</button>
      </div>
      {fields}
    </form>
  );
}

/** Where nothing is found: it says why that is sure. */
export function describeCompleteness({ completeness }: Pick<ListPage, 'completeness'>): string {
  return completeness === 'complete'
    ? 'Every repository that was asked has answered.'
    : 'Not every repository could be asked again: some are shown from an earlier copy.';
}
