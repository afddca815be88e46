import { errorCatalogue } from '../../model/error-catalogue.js';
import type { PageRequest } from '../../http/page-route.js';
import type { OutgoingResponse } from '../../http/representation/outgoing-response.js';
import type { HeaderFields } from '../../http/representation/validators.js';
import type { VNode } from '../../html/html.js';
import type { Site } from '../layout/layout.js';
import { renderPage } from '../layout/page-address.js';
import type { InvalidPageQuery, PageAnswer } from './answer-query.js';

/**
 * With the status of the interface for the same query: of a list, or of the error in its place. `isPartial`: another
 * part of the page, such as its counts or links, lacks a source; no cache stores such a page either.
 */
export function createAnswerResponse(
  site: Site,
  outcome: PageAnswer | InvalidPageQuery,
  document: VNode,
  isPartial = false,
): OutgoingResponse {
  if ('errors' in outcome) return createPageResponse(site, errorCatalogue['bad-request'].status, document);
  const { result, headers } = outcome;
  const status = 'problem' in result ? errorCatalogue[result.problem.kind].status : 200;
  return createPageResponse(site, status, document, {
    ...headers,
    ...(isPartial && { 'Cache-Control': 'no-store' }),
  });
}

/** To the address without empty parameters, which a form without scripts also sends. Undefined where there are none. */
export function redirectToCleanAddress(
  { publicPath }: Site,
  path: string,
  { rawQuery }: Pick<PageRequest, 'rawQuery'>,
): OutgoingResponse | undefined {
  const pairs = rawQuery.split('&').filter((pair) => !/^[^=]*=?$/.test(pair));
  const clean = pairs.join('&');
  if (clean === rawQuery) return undefined;
  return {
    status: 308,
    isPage: true,
    headers: { ...PAGE_FIELDS, Location: publicPath + path + (clean === '' ? '' : `?${clean}`) },
    body: () => ['<!DOCTYPE html><title>Moved</title><p>The address of this page has no empty parameters.'],
  };
}

const PAGE_FIELDS = { 'Content-Type': 'text/html; charset=utf-8', 'X-Robots-Tag': 'noindex' } as const;

/** Caches store no page that reports an error (decisions 6.16). */
function createPageResponse(
  { publicPath }: Site,
  status: number,
  document: VNode,
  headers: HeaderFields = {},
): OutgoingResponse {
  return {
    status,
    isPage: true,
    headers: {
      ...headers,
      ...(status >= 400 && { 'Cache-Control': 'no-store' }),
      ...PAGE_FIELDS,
    },
    body: () => [renderPage(document, publicPath)],
  };
}
