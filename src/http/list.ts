import type { IncomingMessage } from 'node:http';
import type { Answer, List } from '../gateway/gateway.js';
import type { Clock } from '../model/clock.js';
import type { Node } from '../model/document.js';
import type { Problem } from '../model/error.js';
import type { Interface } from '../model/interface.js';
import { copyOf } from '../model/outcome.js';
import { newsWindow } from '../model/resources/news.js';
import { scopeFields } from '../model/scopes.js';
import type { SourceOutcome } from '../model/outcome.js';
import type { Query } from '../model/query.js';
import { parseQuery } from '../query/parse.js';
import type { Form, ParsedQuery, QueryRules } from '../query/parse.js';
import { envelope, lackingSources } from '../render/envelope.js';
import { formats, jsonpMediaType, jsonpPieces } from '../render/formats.js';
import type { Format } from '../render/formats.js';
import { projector } from '../result/project.js';
import { scopeProjector } from '../result/scope.js';
import type { Copy } from '../source/source.js';
import { imfFixdate } from '../text/date.js';
import { pageLinks } from '../wire/link.js';
import { writeVia } from '../wire/via.js';
import type { RequestFacts } from './access-log.js';
import { errorReply } from './errors.js';
import { negotiate } from './negotiate.js';
import type { Reply } from './reply.js';
import { sourceStatus } from './source-status.js';

/** What a list of one resource is served with. */
export interface ListOptions {
  readonly face: Interface;
  readonly rules: QueryRules;
  /** Undefined when nobody owns the item that is asked for. */
  readonly answer: (query: Query, item: number | undefined) => Promise<Answer | undefined>;
  /** What Link begins with; empty for relative links. */
  readonly publicUrl: string;
  /** This gateway's name in Via. */
  readonly name: string;
  readonly clock: Clock;
}

/** A request for a list, taken apart. `format` is set where the path's extension decides. */
export interface ListRequest {
  readonly path: string;
  /** Raw query string, without `?`. */
  readonly query: string;
  readonly accept: IncomingMessage['headers']['accept'];
  /** The Prefer field. */
  readonly prefer?: string | undefined;
  readonly format?: Format | undefined;
  /** Id of the one item that the path names. */
  readonly item?: number | undefined;
}

/** Answers `GET` of a list, or of one item of it: parse, ask, show (interfaces.md, section 4). */
export async function listReply(options: ListOptions, request: ListRequest, facts: RequestFacts): Promise<Reply> {
  const { face, clock } = options;
  const parsed = parseQuery(request.query, options.rules);
  if (!('query' in parsed)) return refusal(face, parsed);
  const { query } = parsed;
  const format = request.format ?? negotiate(request.accept, formats);
  if (format === undefined) return notAcceptable(face, query);
  const strict = wantsStrict(request.prefer);
  facts['query'] = canonical(query);
  const answer = await options.answer(query, request.item);
  if (answer === undefined) return noItem(face, query);
  facts['sources'] = Object.fromEntries(answer.outcomes.map(sourceFacts));
  const shared = {
    'Source-Status': sourceStatus(answer.outcomes, clock.now()),
    Via: writeVia(gateways(options.name, answer)),
    ...(strict && { 'Preference-Applied': STRICT }),
  };
  const { list } = answer;
  if (list === undefined) return unanswered(options, query, answer.outcomes, shared);
  if (strict && list.completeness !== 'complete') return unanswered(options, query, answer.outcomes, shared);
  if (request.item !== undefined && list.total === 0) return noItem(face, query, shared);
  return found({ ...answer, list }, query, { options, format, request, shared });
}

function refusal(face: Interface, parsed: Exclude<ParsedQuery, { readonly query: Query }>): Reply {
  const { form } = parsed;
  if ('needs' in parsed) {
    const message = `the scope ${parsed.needs} needs credentials`;
    return errorReply(face, { kind: 'unauthorized', message }, { form, headers: { 'WWW-Authenticate': 'Bearer' } });
  }
  const message = parsed.errors.map((error) => `${error.parameter} ${error.message}`).join('; ');
  return errorReply(face, { kind: 'bad-request', message, errors: parsed.errors }, { form });
}

function noItem(face: Interface, form: Query, headers: Readonly<Record<string, string>> = {}): Reply {
  return errorReply(face, { kind: 'not-found', message: 'there is no item with this id' }, { form, headers });
}

/** The preference of RFC 7240 that takes an error instead of an answer that lacks something (decisions.md, section 6). */
const STRICT = 'handling=strict';

function wantsStrict(prefer = ''): boolean {
  const preferences = prefer.split(',').map((preference) => preference.split(';', 1)[0] ?? '');
  return preferences.some((preference) => preference.replace(/[\s"]/g, '').toLowerCase() === STRICT);
}

function canonical({ key, offset, limit, fields }: Query): string {
  return `${key}&offset=${offset}&limit=${limit}${fields === undefined ? '' : `&fields=${fields.join(',')}`}`;
}

function sourceFacts({ code, outcome, milliseconds }: SourceOutcome<Copy>): [string, object] {
  const reason = 'reason' in outcome ? { reason: outcome.reason } : {};
  return [code, { state: outcome.state, ...reason, milliseconds }];
}

function gateways(name: string, { outcomes }: Answer): Set<string> {
  const below = outcomes.flatMap(({ outcome }) => copyOf(outcome)?.via ?? []);
  return new Set([...below, name]);
}

function notAcceptable(face: Interface, form: Form): Reply {
  const types = formats.map(({ mediaType }) => mediaType).join(', ');
  return errorReply(face, { kind: 'not-acceptable', message: `the formats served here are ${types}` }, { form });
}

/** No list, and the sources that are the cause (decisions.md, section 6): 504 when all of them only came too late. */
function unanswered(
  { face }: ListOptions,
  form: Form,
  outcomes: Answer['outcomes'],
  headers: Readonly<Record<string, string>>,
): Reply {
  const asked = outcomes.filter(({ outcome }) => outcome.state !== 'excluded');
  const lacking = asked.filter(({ outcome }) => outcome.state !== 'fresh');
  const late =
    lacking.length > 0 && lacking.every(({ outcome }) => 'reason' in outcome && outcome.reason === 'timeout');
  const who = lacking.length === asked.length ? 'no source' : 'not every source that is needed';
  const message = late ? `${who} answered in time` : `${who} could be asked`;
  const problem: Problem = { kind: late ? 'sources-late' : 'no-source', message };
  return errorReply(face, problem, { form, headers, sources: lackingSources(outcomes) });
}

interface Showing {
  readonly options: ListOptions;
  readonly format: Format;
  readonly request: ListRequest;
  /** Headers that an answer without a list carries too. */
  readonly shared: Readonly<Record<string, string>>;
}

function found({ list, outcomes }: Answer & { readonly list: List }, query: Query, showing: Showing): Reply {
  const { options, format, shared, request } = showing;
  const [item] = request.item === undefined ? [] : [...projected(list, query)];
  const data = item ?? projected(list, query);
  const facts = { ...list, ...query, sources: lackingSources(outcomes) };
  const document = query.envelope ? envelope(options.face, query.resource, facts, data) : data;
  const { callback } = query;
  const type = callback === undefined ? format.mediaType : jsonpMediaType;
  const body = callback === undefined ? format.render(document, query) : jsonpPieces(document, query, callback);
  const paging = item === undefined ? pagingHeaders(list, query, showing) : {};
  const own = { 'Content-Type': `${type}; charset=utf-8`, 'X-Version': options.face.version, Vary: 'Accept, Prefer' };
  return { status: 200, headers: { ...own, ...paging, ...freshness(list), ...shared }, body };
}

/** Records are shown as they are rendered, so that a long list is never there twice. */
function* projected({ records }: List, { resource, scope, fields }: Query): Generator<Node, void, undefined> {
  const show = scope === 'public' ? projector(resource, fields) : scopeProjector(resource, scopeFields[scope], fields);
  for (const record of records) yield show(record);
}

function pagingHeaders({ total }: List, query: Query, { options, request }: Showing): Record<string, string | number> {
  const link = pageLinks({
    ...query,
    total: reachable(query, total),
    url: (at) => pageUrl(options.publicUrl + request.path, query, at),
  });
  return { 'X-Total-Count': total, ...(link !== undefined && { Link: link }) };
}

/** Matches that paging can lead to: news end with their window. */
function reachable({ resource }: Query, total: number): number {
  return resource.name === 'news' ? Math.min(total, newsWindow) : total;
}

/** What may be kept of an answer, and how long (decisions.md, sections 6 and 7). A partial one has no validators. */
function freshness({ newest, freshFor, completeness }: List): Record<string, string> {
  if (completeness === 'partial') return { 'Cache-Control': 'no-store' };
  const control = completeness === 'stale' ? 'no-cache' : `public, max-age=${Math.floor(freshFor / 1000)}`;
  return { ...(newest !== undefined && { 'Last-Modified': imfFixdate(newest) }), 'Cache-Control': control };
}

function pageUrl(base: string, { asked, limit }: Query, offset: number): string {
  const pairs = [...asked, ['limit', limit], ['offset', offset]] as const;
  return `${base}?${pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')}`;
}
