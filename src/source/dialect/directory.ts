import { readDate } from '../../text/date.js';
import type { JsonReply } from '../fetch.js';
import { SourceFailure } from '../failure.js';

/** A page as it came, its records still unread. */
export interface RawPage {
  readonly records: readonly unknown[];
  /** Number of matches that the source counts. */
  readonly total?: number;
  /** The limit that it says it applied. */
  readonly limit?: number;
  /** Milliseconds since 1970. */
  readonly lastModified?: number;
}

/** The URL of one page of teams. The envelope is asked for by name, for upstreams differ in what they do without. */
export function pageUrl(base: string, path: string, page: { readonly offset: number; readonly limit: number }): URL {
  const url = new URL(`${base}/${path}`);
  url.search = `envelope=true&pretty=false&limit=${page.limit}&offset=${page.offset}`;
  return url;
}

/** Reads a page in either form of interfaces.md, section 4.1: the envelope, or a bare list with its facts in headers. */
export function readPage(reply: JsonReply): RawPage {
  const { json } = reply;
  const envelope = isObject(json) ? json : {};
  const records = Array.isArray(json) ? json : recordsOf(envelope);
  const total = count(envelope['total']) ?? count(reply.header('x-total-count'));
  const limit = count(envelope['limit']);
  const lastModified = instant(envelope['last-modified']) ?? instant(reply.header('last-modified'));
  return {
    records,
    ...(total !== undefined && { total }),
    ...(limit !== undefined && { limit }),
    ...(lastModified !== undefined && { lastModified }),
  };
}

type Envelope = Readonly<Record<string, unknown>>;

function isObject(json: unknown): json is Envelope {
  return typeof json === 'object' && json !== null;
}

function recordsOf(envelope: Envelope): readonly unknown[] {
  const wrong = statusFault(envelope);
  if (wrong !== undefined) throw new SourceFailure('schema', `an envelope whose ${wrong}`);
  const { data } = envelope;
  if (Array.isArray(data)) return data;
  throw new SourceFailure('schema', 'neither a list of records nor an envelope whose data is one');
}

/** What stands in `status` of an answer that succeeded, as a number or as text (decisions.md, section 4). */
const SUCCESS: ReadonlySet<string> = new Set(['ok', '200', 'success']);

function statusFault(envelope: Envelope): string | undefined {
  return ['status', 'status_code', 'status-code'].find((name) => {
    const value = envelope[name];
    return value !== undefined && value !== null && !SUCCESS.has(shortText(value).toLowerCase());
  });
}

function shortText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

function count(value: unknown): number | undefined {
  const text = shortText(value).trim();
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function instant(value: unknown): number | undefined {
  return typeof value === 'string' ? readDate(value.trim())?.at : undefined;
}
