import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { ServerResponse } from 'node:http';
import type { UpstreamRequest } from './upstream-server.js';

/** A record as an upstream sends it: whatever JSON can say. */
export type RawRecord = Readonly<Record<string, unknown>>;

/** How an upstream pages, counts and writes, on either interface. What is not named is exemplary. */
export interface PagingBehaviour {
  /** `clamped`: an offset beyond the end is answered with the last page. */
  readonly offset?: 'ignored' | 'clamped';
  /** `ignored`: every record from the offset on, whatever the limit. */
  readonly limit?: 'ignored';
  /** The largest page, in records. */
  readonly cap?: number;
  /** What is on the page at an offset, in place of all of that. */
  readonly cut?: (records: readonly unknown[], offset: number, limit: number) => readonly unknown[];
  /** `page`: counts the records of the page; `first`: only where nothing is skipped; `left`: those from the offset on. A number is added to the true total. */
  readonly total?: 'absent' | 'page' | 'first' | 'left' | number;
  readonly form?: 'bare';
  /** Each of these stands before the facts of the envelope, or in its place. */
  readonly envelope?: RawRecord;
  /** Last-Modified of an answer; absent: it says none. */
  readonly lastModified?: (asked: UpstreamRequest) => string;
  /** The records as they are at a request: drift. */
  readonly records?: (asked: UpstreamRequest) => readonly unknown[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly coding?: 'gzip' | 'br';
}

/** A file on a web server: all records, whatever is asked. */
export const STATIC_FILE: PagingBehaviour = { offset: 'ignored', limit: 'ignored' };

/** An answer before it is written: its body, and headers beside the usual ones. */
export interface PreparedResponse {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Writes an answer with status 200, as the manners have it. */
export function sendPrepared(
  response: ServerResponse,
  { headers, body }: PreparedResponse,
  paging: PagingBehaviour,
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  const { coding } = paging;
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    ...(coding && { 'Content-Encoding': coding }),
    ...headers,
    ...paging.headers,
  });
  response.end(coding === undefined ? bytes : coding === 'br' ? brotliCompressSync(bytes) : gzipSync(bytes));
}

/** The page that is asked for of all matching records; `facts` are what an envelope of the interface says beside total and date. */
export function preparePage(
  records: readonly unknown[],
  asked: UpstreamRequest,
  paging: PagingBehaviour,
  facts: RawRecord,
): PreparedResponse {
  const data = pageOf(records, asked.query, paging);
  const total = totalOf({ count: records.length, page: data.length, offset: offsetIn(asked.query) }, paging);
  const lastModified = paging.lastModified?.(asked);
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
  const asked = offset === 'ignored' ? 0 : offsetIn(query);
  const last = size === Infinity ? 0 : Math.max(0, Math.ceil(records.length / size) - 1) * size;
  const from = offset === 'clamped' && asked >= records.length ? last : asked;
  return records.slice(from, from + size);
}

function offsetIn(query: URLSearchParams): number {
  return Number(query.get('offset') ?? 0);
}

/** Numbers of records, of all and on a page, and where it begins. */
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
