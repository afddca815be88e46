import { sendPrepared } from './paged-responses.js';
import type { ListBehaviour, PreparedResponse } from './paged-responses.js';
import type { RequestHandler, UpstreamRequest } from './upstream-server.js';

/** How the entries of a document are written and divided into pages. */
export interface DocumentForm {
  /** `linked`: each page names the next one, as `next`; `counted`: `page` is the number of the page, from 1. Absent: one page. */
  readonly pages?: 'linked' | 'counted';
  /** Entries on a page; by default 100. */
  readonly size?: number;
  /** Writes a page as a value of JSON, or as text; by default an object with `entries` and `next`. */
  readonly write?: (entries: readonly unknown[], next: string | undefined) => unknown;
  /** Media type of the response; by default JSON. */
  readonly mediaType?: string;
}

/** Handles requests as the server of a published document. */
export function documentUpstream(
  form: DocumentForm,
  entries: readonly unknown[],
  behaviour: ListBehaviour = {},
): RequestHandler {
  return (request, response) => {
    const all = behaviour.records?.(request) ?? entries;
    const lastModified = behaviour.lastModified?.(request);
    const headers = {
      ...(form.mediaType !== undefined && { 'Content-Type': form.mediaType }),
      ...(lastModified !== undefined && { 'Last-Modified': lastModified }),
    };
    sendPrepared(response, { headers, body: writePage(form, all, request) }, behaviour);
  };
}

function writePage(
  form: DocumentForm,
  entries: readonly unknown[],
  request: UpstreamRequest,
): PreparedResponse['body'] {
  const { pages, size = 100, write = writeObject } = form;
  if (pages === undefined) return write(entries, undefined);
  const from = documentPageOf(request) * size;
  const hasNext = pages === 'linked' && from + size < entries.length;
  return write(entries.slice(from, from + size), hasNext ? `?from=${documentPageOf(request) + 1}` : undefined);
}

/** Number of the page that a request is for, from 0. */
export function documentPageOf({ query }: UpstreamRequest): number {
  return query.has('page') ? Number(query.get('page')) - 1 : Number(query.get('from') ?? 0);
}

function writeObject(entries: readonly unknown[], next: string | undefined): object {
  return { entries, ...(next !== undefined && { next }) };
}

/** Writes entries as CSV with these columns, in quotes where that is needed. */
export function writeCsv(columns: readonly string[]): (entries: readonly unknown[]) => string {
  return (entries) => {
    const rows = entries.map((entry) => columns.map((column) => writeCell(entry, column)));
    return [columns, ...rows].map((row) => row.join(';')).join('\r\n');
  };
}

function writeCell(entry: unknown, column: string): string {
  const value: unknown = typeof entry === 'object' && entry !== null ? Reflect.get(entry, column) : undefined;
  const text = value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return /[";\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
