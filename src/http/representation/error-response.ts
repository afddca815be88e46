import type { DocumentNode } from '../../model/document-node.js';
import { errorCatalogue } from '../../model/error-catalogue.js';
import type { Problem } from '../../model/error-catalogue.js';
import type { ApiInterface } from '../../model/api-interface.js';
import type { OutputOptions } from '../../query/parse-query.js';
import { buildErrorEnvelope, buildErrorTable } from '../../render/envelope.js';
import { jsonFormat, jsonpMediaType, renderJsonp } from '../../render/formats.js';
import { createRenderInput } from '../../render/render-input.js';
import type { ResponseFormat } from '../request/response-format.js';
import type { ResponseBody, OutgoingResponse } from './outgoing-response.js';
import type { HeaderFields } from './validators.js';

/** Decisions 2.36. */
export const METHOD_NOT_ALLOWED: Problem = {
  kind: 'method-not-allowed',
  message: 'this interface is read-only: GET and HEAD',
};

/** How an error is written, and what it contains besides the problem. */
export interface ErrorContext {
  readonly form: OutputOptions;
  readonly responseFormat: ResponseFormat;
  readonly headers?: HeaderFields;
  readonly incompleteSources?: readonly ReadonlyMap<string, DocumentNode>[];
}

/** In the requested format, or as JSON where that cannot carry an error (decisions 3.12, 6.16). */
export function createErrorResponse(
  apiInterface: ApiInterface,
  problem: Problem,
  context: ErrorContext,
): OutgoingResponse {
  const { form, responseFormat, headers, incompleteSources: sources } = context;
  const document = buildErrorEnvelope(apiInterface, problem, sources);
  const commonHeaders = { ...headers, ...createErrorHeaders(apiInterface) };
  const { status } = errorCatalogue[problem.kind];
  const { callback } = form;
  if (callback !== undefined && responseFormat.format.name === 'json') {
    // A script element drops every response but a 200. The real status is in the envelope (decisions 2.15).
    const type = `${jsonpMediaType}; charset=utf-8`;
    const body = (): ResponseBody => renderJsonp(document, form, callback);
    return { status: 200, reportedStatus: status, headers: { ...commonHeaders, 'Content-Type': type }, body };
  }
  const { format, mediaType } = responseFormat.format.carriesErrors
    ? responseFormat
    : { format: jsonFormat, mediaType: 'application/json' };
  const input = createRenderInput({ document, table: buildErrorTable(apiInterface, document) });
  const body = (): ResponseBody => format.render(input, form);
  return { status, headers: { ...commonHeaders, 'Content-Type': `${mediaType}; charset=utf-8` }, body };
}

export function createErrorHeaders(apiInterface: ApiInterface): Readonly<Record<string, string>> {
  return { 'Cache-Control': 'no-store', 'X-Version': apiInterface.version };
}
