import type { DraftRecord } from '../model/record.js';
import type { DocumentLayout } from '../model/registration/document-mapping.js';
import type { Resource } from '../model/resource.js';
import { feedEntries } from '../model/resources/feed-entries.js';
import type { SourcePage } from '../source/body/page.js';
import type { ExpectedBody } from '../source/body/parse-page-body.js';
import { requirePage } from '../source/body/read-responses.js';
import { createRedaction } from '../source/client/credentials.js';
import { SourceFailure } from '../source/client/source-failure.js';
import type { Dialect, FeedAddress, LinkedList, LinkedPaging, OffsetPaging } from '../source/dialect/dialect.js';
import { chooseLayoutFormat } from '../source/dialect/document/document-entries.js';
import { createFeedParser } from '../source/dialect/feed/feed-parser.js';
import type { FeedObserver } from '../source/dialect/feed/feed-parser.js';
import { createPageParser } from '../source/dialect/page-parser.js';
import type { PageFormat } from '../source/dialect/page-parser.js';
import type { DrainRequests } from '../lists/reading/drain-requests.js';
import { drainDocument } from '../lists/pages/drain-document.js';
import type { ReadableList } from '../lists/pages/pages-by-link.js';
import { PageValidatorRecorder } from '../lists/reading/page-validators.js';
import { withoutSecrets } from '../lists/feeds/feed-addresses.js';
import { parseDocumentBody } from '../source/format/document-body.js';
import { nameFeedFormat } from '../source/format/feed/feed-format.js';
import type { DrainResult } from '../source/record/drain-result.js';
import { RecordReader } from '../source/record/record-reader.js';
import { createExaminationRequests } from '../lists/reading/examination-requests.js';
import type { ExaminationOptions } from '../lists/reading/examination-requests.js';
import { requireAccess } from '../lists/reading/query-reader.js';
import type { KeyReader } from '../source/keys/key-reader.js';
import { RecordingRecordReader } from './recording-record-reader.js';
import { RequestRecorder } from './request-recorder.js';
import { Sanitizer } from './sanitizer.js';

export interface PreviewOptions extends ExaminationOptions {
  /** Completes keys as a server does (decisions 4.24). */
  readonly keyReader: KeyReader;
  /** Entries to show. */
  readonly limit: number;
}

/** Also where reading the list failed. */
export interface ListRecording {
  readonly reader: RecordingRecordReader;
  /** As received. */
  entries: readonly unknown[];
  /** Kept by `only`, each with those of the second document. */
  selected: readonly unknown[];
  /** The whole, where no entries were found in it. */
  document: { readonly value: unknown } | undefined;
  body: Buffer | undefined;
}

export interface FirstPage {
  readonly drained: DrainResult<DraftRecord>;
  /** The next page, or why it cannot be requested. */
  readonly next: { readonly url: URL } | { readonly failure: SourceFailure } | undefined;
}

/** A document is one list, whatever its size; `max-body` bounds both pages. */
const NO_LIMITS = { maxBytes: Infinity, maxRecords: Infinity };

/** The first pages of one source, each requested once, and how they are read (operation 1.7). */
export class PreviewSession {
  readonly requests: RequestRecorder;
  readonly sanitizer: Sanitizer;
  private readonly session: DrainRequests;

  constructor(readonly options: PreviewOptions) {
    const { credential, clock } = options;
    this.sanitizer = new Sanitizer(credential === undefined ? (text) => text : createRedaction(credential));
    const isFeeds = options.registration.dialects.data?.paging.kind === 'feeds';
    // The feeds of a source may be at several servers, and their queries may hold secrets.
    const describeTarget = ({ href, pathname, search }: URL): string =>
      this.sanitizer.redact(isFeeds ? withoutSecrets(href) : pathname + search);
    this.requests = new RequestRecorder(clock, describeTarget, this.sanitizer.redact);
    this.session = createExaminationRequests(options, this.requests.layer);
  }

  dialectOf({ interfaceName }: Resource): Dialect {
    const dialect = this.options.registration.dialects[interfaceName];
    if (dialect === undefined) throw new Error(`the source does not serve the ${interfaceName} interface`);
    return dialect;
  }

  startRecording(resource: Resource): ListRecording {
    return {
      reader: new RecordingRecordReader(resource, this.options.registration.provenance),
      entries: [],
      selected: [],
      document: undefined,
      body: undefined,
    };
  }

  /** The first page, and all pages of the second document, as every drain does. Rejects with a `SourceFailure`. */
  async fetchDocument(
    resource: Resource,
    { list, joined }: LinkedPaging,
    recordings: { readonly list: ListRecording; readonly joined: ListRecording },
  ): Promise<FirstPage> {
    let next: FirstPage['next'];
    const nextPage: LinkedList['nextPage'] = (current, facts) => {
      next = findNextPage(list, current, facts);
      return next && 'url' in next ? next.url : undefined;
    };
    const { clock } = this.options;
    const drained = await drainDocument(
      {
        list: { ...this.readable(resource, list, recordings.list), nextPage },
        isFirstPageOnly: true,
        joined: joined && this.readable(resource, joined, recordings.joined),
        limits: NO_LIMITS,
      },
      { session: this.session, validatorRecorder: new PageValidatorRecorder(), clock },
    );
    return { drained, next };
  }

  /** Rejects with a `SourceFailure`. */
  async fetchFirstPage(resource: Resource, paging: OffsetPaging, recording: ListRecording): Promise<FirstPage> {
    const { pageSize: limit, upstreamAccess } = this.options.registration;
    const expected = this.expect(resource, paging.listFormat, recording);
    const reply = await this.session.request(paging.pageUrl(resource, { offset: 0, limit }, {}), expected);
    const page = requireAccess(requirePage(reply), upstreamAccess);
    const { receivedCount: received, total } = page;
    const hasMore = received > 0 && (total === undefined ? received >= limit : total > received);
    const next = hasMore ? { url: paging.pageUrl(resource, { offset: received, limit }, {}) } : undefined;
    return { drained: page, next };
  }

  /** Rejects with a `SourceFailure`. */
  async fetchFeed(
    { url, format }: FeedAddress,
    recording: ListRecording,
    observe: FeedObserver,
  ): Promise<SourcePage<DraftRecord>> {
    const expected = this.expect(feedEntries, format, recording, () =>
      Promise.resolve(createFeedParser(format, observe)),
    );
    return requirePage(await this.session.request(url, expected));
  }

  private readable(resource: Resource, list: LinkedList, recording: ListRecording): ReadableList {
    return { ...list, expected: this.expect(resource, list.format, recording) };
  }

  /** As every drain does, with a parser that also records the body. */
  private expect(
    resource: Resource,
    format: PageFormat,
    recording: ListRecording,
    loadParser = () => createPageParser(format),
  ): ExpectedBody {
    const { provenance } = recording.reader;
    const layout = layoutOf(format);
    return {
      recordReader: format.kind === 'joined' ? new RecordReader(resource, provenance) : recording.reader,
      format,
      accept: this.dialectOf(resource).accept,
      loadParser: async () => {
        const parse = await loadParser();
        return (body, context, findings) => {
          recording.body = body;
          const documentFormat = layout && chooseLayoutFormat(layout, context);
          const name = format.kind === 'feed' ? nameFeedFormat(body) : (documentFormat ?? 'json');
          this.requests.note({ bytes: body.length, ...(name !== undefined && { format: name }) });
          try {
            const page = parse(body, context, findings);
            recording.entries = page.entries ?? page.records;
            recording.selected = page.records;
            return page;
          } catch (error) {
            if (layout && error instanceof SourceFailure && error.reason === 'schema')
              recording.document = { value: parseDocumentBody(body, { ...layout, format: documentFormat }, findings) };
            throw error;
          }
        };
      },
    };
  }
}

function layoutOf(format: PageFormat): DocumentLayout | undefined {
  if (format.kind === 'document') return format.mapping;
  return format.kind === 'joined' ? format.layout : undefined;
}

function findNextPage(list: LinkedList, ...page: Parameters<LinkedList['nextPage']>): FirstPage['next'] {
  try {
    const url = list.nextPage(...page);
    return url && { url };
  } catch (failure) {
    if (failure instanceof SourceFailure) return { failure };
    throw failure;
  }
}
