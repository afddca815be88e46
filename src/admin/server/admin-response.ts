import { renderHtmlDocument } from '../../html/html.js';
import type { VNode } from '../../html/html.js';

export interface AdminResponse {
  readonly status: number;
  /** Besides {@link ADMIN_HEADERS}. */
  readonly headers: Readonly<Record<string, string>> & { readonly 'Content-Type': string };
  readonly body: string;
}

/**
 * Nothing is stored, sniffed, framed or loaded by other sites, and no response but a page may load or execute anything
 * (operation 3.1).
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

/** A page may load the style sheet and send forms to the admin port. It has no script. */
const PAGE_POLICY = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** Adds a line end. */
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

export function createPageResponse(status: number, document: VNode): AdminResponse {
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': PAGE_POLICY };
  return { status, headers, body: renderHtmlDocument(document) };
}
