import type { List } from '../gateway/gateway.js';
import type { Problem } from '../model/error.js';
import { scopeFields } from '../model/scopes.js';
import type { Query } from '../model/query.js';
import { envelope } from '../render/envelope.js';
import { jsonpPieces } from '../render/formats.js';
import type { Rendering, Table } from '../render/formats.js';
import { projector } from '../result/project.js';
import { scopeProjector } from '../result/scope.js';
import { ShownRecords } from '../result/shown.js';
import { imfFixdate } from '../text/date.js';
import { attachment } from '../wire/content-disposition.js';
import type { ReportedAnswer } from './answer-cache.js';
import { VARY } from './asked.js';
import type { Asked } from './asked.js';
import type { RequestFacts } from './access-log.js';
import type { WhileThere } from './audience.js';
import { errorReply } from './errors.js';
import { canonical } from './facts.js';
import { linkField, pageUrl } from './paging-links.js';
import type { Reply, Sharing, TimedHeaders } from './reply.js';
import { contentType, representationKey } from './representation.js';
import { heldHeaders } from './resting.js';
import type { Resting } from './resting.js';
import type { ListOptions, ListRequest } from './serving.js';
import { aboutOf, columnsOf } from './table.js';
import type { Validity } from './validators.js';
import { writtenFormat } from './written.js';

/** A query that has its list, and how it is to be shown. */
export interface Showing {
  readonly options: ListOptions;
  readonly request: ListRequest;
  readonly query: Query;
  readonly asked: Asked;
  /** Headers that an answer without a list carries too. */
  readonly shared: Readonly<Record<string, string>>;
  readonly resting: Resting;
  /** Of what was held of the sources, from before they were asked. */
  readonly changes: number;
}

/** An answer with a list. */
export type Found = ReportedAnswer & { readonly list: List };

/** Shows the records of a list, or its one item, in the format asked for, with all that the headers tell of it. */
export async function shownReply(answer: Found, showing: Showing): Promise<Reply> {
  const { options, query, asked, shared, request } = showing;
  const { list } = answer;
  const { callback } = query;
  const render = await rendererOf(answer, showing);
  const paging = request.item === undefined ? pagingHeaders(list, showing) : {};
  const validity = validityOf(answer, showing);
  return {
    status: 200,
    headers: {
      'Content-Type': contentType(asked, callback),
      'X-Version': options.face.version,
      Vary: VARY,
      ...saved(list, showing),
      ...paging,
      ...dating(list),
      ...shared,
    },
    body: (whileThere) => {
      const rendering = render(whileThere);
      if (callback === undefined) return asked.format.render(rendering, query);
      return jsonpPieces(rendering.document, query, callback);
    },
    ...(list.completeness !== 'partial' && { validity }),
    ...(request.item === undefined && { sharing: sharingOf(answer, showing, validity) }),
    refusal: () => errorReply(options.face, OTHER_WANTED, { form: query, asked, headers: shared }),
  };
}

const OTHER_WANTED: Problem = {
  kind: 'precondition-failed',
  message: 'the answer is another one than If-Match or If-Unmodified-Since asks for',
};

function validityOf({ list, report }: Found, { options }: Showing): Validity {
  const { newest: lastModified, unchangedSince } = list;
  return { states: report.states, lastModified, unchangedSince, now: options.clock.now() };
}

/** What is known of the answer before anybody renders it, so that it can be rendered for many. */
async function rendererOf(answer: Found, showing: Showing): Promise<(whileThere: WhileThere) => Rendering> {
  const { options, request, query, asked } = showing;
  const { list, outcomes, report } = answer;
  // Only what is saved as a file is a table, and looking through all matches for their names is work.
  const columns = asked.format.attachment ? await columnsOf(query, options.rules.vocabulary, list) : [];
  return (whileThere) => {
    const [item] = request.item === undefined ? [] : [...shown(list, showing)];
    const data = item ?? shown(list, showing);
    const facts = { sources: report.lacking, ...list, ...query };
    const document = query.envelope ? envelope(options.face, query.resource, facts, data) : data;
    return {
      document,
      // Most answers are no table.
      get table() {
        return {
          name: query.resource.path,
          columns,
          // Bytes are made of all rows before any is sent.
          rows: whileThere(shown(list, showing)),
          about: aboutOf(pageUrl(options.publicUrl + request.path, query), list, outcomes),
        } satisfies Table;
      },
    };
  };
}

/** Equal lists, shown in the same way, have the same bytes; those of a complete one may be held. */
function sharingOf({ list, outcomes, report }: Found, showing: Showing, { states }: Validity): Sharing {
  const { request, query, asked, changes, resting } = showing;
  const { merged, newest, unchangedSince, completeness } = list;
  const lacking =
    completeness === 'complete' ? [] : outcomes.map(({ outcome }) => ('total' in outcome ? outcome.total : ''));
  const type = contentType(asked, query.callback);
  const format = writtenFormat(type);
  const resource = query.resource.name;
  // Nobody is asked for it again.
  const facts: RequestFacts = {
    query: canonical(query, request.item),
    sources: report.facts,
    resource,
    cache: 'hit',
    ...(format && { format }),
  };
  // Until the date of the last change is over, it is that of the request.
  const goesWithClock = newest !== undefined && unchangedSince === undefined;
  const timed = (now: number): TimedHeaders | undefined => heldHeaders(resting, now);
  const key = representationKey(query, asked);
  const holding = { changes, timed, facts, total: list.total, ...(key !== undefined && { representation: key }) };
  return {
    name: key ?? `${request.path}?${request.query} ${type}`,
    edition: [merged.serial, newest ?? '', states, ...lacking].join(),
    ...(completeness === 'complete' && !goesWithClock && { holding }),
  };
}

function shown({ records }: List, { query, options }: Showing): ShownRecords {
  const { resource, scope, fields } = query;
  const show = scope === 'public' ? projector(resource, fields) : scopeProjector(resource, scopeFields[scope], fields);
  const manner = `${resource.name} ${scope} ${fields?.join() ?? '*'}`;
  return new ShownRecords(records, show, (way) => options.texts.of(`${manner} ${way}`, resource.path));
}

/** A saved file keeps no headers: its name tells what it lacks (decisions.md, section 3). */
function saved({ completeness }: List, { query, request, asked }: Showing): Record<string, string> {
  const { attachment: isSaved, extensions } = asked.format;
  if (!isSaved) return {};
  const { item } = request;
  const name = item === undefined ? query.resource.path : `${query.resource.path}-${item}`;
  const state = completeness === 'complete' ? '' : `.${completeness}`;
  return { 'Content-Disposition': attachment(`${name}${state}${extensions[0] ?? ''}`) };
}

function pagingHeaders({ total }: List, { options, request, query }: Showing): Record<string, string | number> {
  const link = linkField(options.publicUrl + request.path, query, total);
  return { 'X-Total-Count': total, ...(link !== undefined && { Link: link }) };
}

/** A partial answer has no validators (decisions.md, section 6). */
function dating({ newest, completeness }: List): Record<string, string> {
  return completeness === 'partial' || newest === undefined ? {} : { 'Last-Modified': imfFixdate(newest) };
}
