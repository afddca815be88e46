import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import type { UpstreamRequest } from './upstream-server.js';

/** A record as an upstream sends it: any JSON object. */
export type RawRecord = Readonly<Record<string, unknown>>;

/** How an upstream of any kind sends a list. An absent member means correct behaviour. */
export interface ListBehaviour {
  /** Last-Modified of a response; absent: the response has none. */
  readonly lastModified?: (request: UpstreamRequest) => string;
  /** The records at the time of a request; simulates drift. */
  readonly records?: (request: UpstreamRequest) => readonly unknown[];
  readonly headers?: Readonly<Record<string, string>>;
  /** Changes the bytes of each body before they are encoded. */
  readonly edit?: (body: Buffer) => Buffer;
  readonly coding?: 'gzip' | 'br';
}

/** How an upstream pages, counts and encodes lists on either interface. An absent member means correct behaviour. */
export interface PagingBehaviour extends ListBehaviour {
  /** `clamped`: an offset beyond the end returns the last page. */
  readonly offset?: 'ignored' | 'clamped';
  /** `ignored`: a page contains all records from the offset on. */
  readonly limit?: 'ignored';
  /** Maximum number of records on a page. */
  readonly cap?: number;
  /** Cuts the page at an offset; replaces `offset`, `limit` and `cap`. */
  readonly cut?: (records: readonly unknown[], offset: number, limit: number) => readonly unknown[];
  /**
   * `page`: the number of records on the page; `first`: the total, but only at offset 0; `left`: the number of records from the
   * offset on. A number is added to the true total.
   */
  readonly total?: 'absent' | 'page' | 'first' | 'left' | number;
  /** `bare`: a list without an envelope, with total and date in header fields. */
  readonly form?: 'bare';
  /** Further envelope properties; they replace properties of the same name, except `data`. */
  readonly envelope?: RawRecord;
}

/** A file on a web server: every request returns all records. */
export const STATIC_FILE: PagingBehaviour = { offset: 'ignored', limit: 'ignored' };

/** A response before it is sent: its body, which is sent as JSON unless it is text, and further header fields. */
export interface PreparedResponse {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Sends a response with status 200 and with the header fields and content coding of the behaviour. */
export function sendPrepared(
  response: ServerResponse,
  { headers, body }: PreparedResponse,
  behaviour: ListBehaviour,
): void {
  const written = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const { coding, edit } = behaviour;
  const bytes = edit === undefined ? written : edit(written);
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    ...(coding && { 'Content-Encoding': coding }),
    ...headers,
    ...behaviour.headers,
  });
  response.end(coding === undefined ? bytes : coding === 'br' ? brotliCompressSync(bytes) : gzipSync(bytes));
}

/** The requested page of all matching records. `facts` are the envelope properties besides total, date and data. */
export function preparePage(
  records: readonly unknown[],
  request: UpstreamRequest,
  paging: PagingBehaviour,
  facts: RawRecord,
): PreparedResponse {
  const data = pageOf(records, request.query, paging);
  const total = totalOf({ count: records.length, page: data.length, offset: offsetIn(request.query) }, paging);
  const lastModified = paging.lastModified?.(request);
  if (paging.form === 'bare') {
    const headers = {
      ...(total !== undefined && { 'X-Total-Count': String(total) }),
      ...(lastModified !== undefined && { 'Last-Modified': lastModified }),
    };
    return { headers, body: data };
  }
  return { body: { ...facts, total, 'last-modified': lastModified, ...paging.envelope, data } };
}

function pageOf(records: readonly unknown[], query: URLSearchParams, paging: PagingBehaviour): readonly unknown[] {
  const { offset, limit, cap = Infinity, cut } = paging;
  if (cut !== undefined) return cut(records, offsetIn(query), Number(query.get('limit') ?? 100));
  const size = Math.min(limit === 'ignored' ? Infinity : Number(query.get('limit') ?? 100), cap);
  const requested = offset === 'ignored' ? 0 : offsetIn(query);
  const last = size === Infinity ? 0 : Math.max(0, Math.ceil(records.length / size) - 1) * size;
  const from = offset === 'clamped' && requested >= records.length ? last : requested;
  return records.slice(from, from + size);
}

function offsetIn(query: URLSearchParams): number {
  return Number(query.get('offset') ?? 0);
}

/** The number of records in the list and on a page, and the offset of the page. */
interface Numbers {
  readonly count: number;
  readonly page: number;
  readonly offset: number;
}

function totalOf({ count, page, offset }: Numbers, { total }: PagingBehaviour): number | undefined {
  if (total === 'absent' || (total === 'first' && offset > 0)) return undefined;
  if (total === 'page') return page;
  return Math.max(0, count + (typeof total === 'number' ? total : total === 'left' ? -offset : 0));
}
