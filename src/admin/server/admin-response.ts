import { renderHtmlDocument } from '../../html/html.js';
import type { VNode } from '../../html/html.js';

/** A response of an operator's endpoint. */
export interface AdminResponse {
  readonly status: number;
  /** Header fields beside those that every response has. */
  readonly headers: Readonly<Record<string, string>> & { readonly 'Content-Type': string };
  readonly body: string;
}

/**
 * Header fields of every response of the admin port: nothing is stored, sniffed, framed or loaded by the pages of other
 * sites, and no response but a page may load or execute anything (operation 3.1).
 */
export const ADMIN_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

/** A page may load the style sheet of the admin port, send forms to it, and nothing else. It has no script. */
const PAGE_POLICY = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Creates a response with a text of one line or several, to which a line end is added. */
export function createTextResponse(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): AdminResponse {
  return { status, headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' }, body: `${text}\n` };
}

export function createJsonResponse(status: number, document: unknown): AdminResponse {
  const body = `${JSON.stringify(document, undefined, 2)}\n`;
  return { status, headers: { 'Content-Type': 'application/json' }, body };
}

/** Creates a response with a page for browsers. */
export function createPageResponse(status: number, document: VNode): AdminResponse {
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': PAGE_POLICY };
  return { status, headers, body: renderHtmlDocument(document) };
}
