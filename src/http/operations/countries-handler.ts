import { findCountries } from '../../countries/country-list.js';
import type { CountryPage } from '../../countries/country-list.js';
import type { DocumentNode } from '../../model/document-node.js';
import type { Query } from '../../model/query.js';
import { findPropertyPosition } from '../../model/resource.js';
import { COUNTRY_KEY_COLUMN, countries, countryForms } from '../../model/resources/countries.js';
import { createProjector } from '../../projection/record-projector.js';
import { buildEnvelope } from '../../render/envelope.js';
import { createRenderInput } from '../../render/render-input.js';
import type { RenderInput } from '../../render/render-input.js';
import { createAttachmentHeaders, createListError, createPagingHeaders, renderResponseBody } from './list-response.js';
import type { ListResponseContext } from './list-response-context.js';
import type { RequestLogFields } from '../log/access-log.js';
import { formatQueryField } from '../log/log-fields.js';
import { createErrorResponse } from '../representation/error-response.js';
import type { OutgoingResponse } from '../representation/outgoing-response.js';
import { createPublicPageUrl } from '../representation/paging-links.js';
import { formatContentType } from '../representation/representation-key.js';
import { parseListRequest } from '../request/parse-list-request.js';
import type { ListOptions, ListRequest } from './served-resource.js';

/** The list changes with releases only, but a client should not miss a release for longer than a day. */
const CACHE_CONTROL = { 'Cache-Control': 'public, max-age=86400' };

/** Rests on no source, so the response has neither Source-Status nor Via (decisions 2.41). */
export async function handleCountriesRequest(
  options: ListOptions,
  request: ListRequest,
  logFields: RequestLogFields,
): Promise<OutgoingResponse> {
  const { servedInterface, rules, clock } = options;
  const parsed = parseListRequest(rules, request);
  if ('problem' in parsed) return createErrorResponse(servedInterface, parsed.problem, parsed);
  const { query, responseFormat } = parsed;
  logFields['query'] = formatQueryField(query, undefined);
  const page = await findCountries(query);
  const context = { options, request, query, responseFormat, sharedHeaders: {} };
  return {
    status: 200,
    headers: {
      'Content-Type': formatContentType(responseFormat, query.callback),
      'X-Version': servedInterface.version,
      ...createAttachmentHeaders({ completeness: 'complete' }, context),
      ...createPagingHeaders(page, context),
      ...CACHE_CONTROL,
    },
    body: () => renderResponseBody(createCountriesInput(page, context), context),
    validatorInput: { sourceStates: '', now: clock.now() },
    createError: (problem) => createListError(problem, context),
  };
}

/** An object by codes, and a table with a column for the code. */
function createCountriesInput(
  page: CountryPage,
  { options, request, query }: Pick<ListResponseContext, 'options' | 'request' | 'query'>,
): RenderInput {
  const { access, limit, offset, resource } = query;
  const { total } = page;
  const entries = listEntries(page, query);
  const data = new Map(entries);
  return createRenderInput({
    document: query.envelope
      ? buildEnvelope(options.servedInterface, resource, { sources: [], access, total, limit, offset }, data)
      : data,
    table: {
      name: resource.path,
      columns: [COUNTRY_KEY_COLUMN, ...listShownProperties(query)],
      rows: entries.map(([key, entry]) => new Map<string, DocumentNode>([[COUNTRY_KEY_COLUMN, key], ...entry])),
      metadata: new Map<string, DocumentNode>([
        ['query', createPublicPageUrl(options.publicUrl + request.path, query)],
        ['total', total],
      ]),
    },
  });
}

function listShownProperties({ countryScope = 'public', fields }: Query): readonly string[] {
  return fields ?? countryForms[countryScope].properties;
}

function listEntries(
  { records }: CountryPage,
  query: Query,
): [key: string, entry: ReadonlyMap<string, DocumentNode>][] {
  const { key } = countryForms[query.countryScope ?? 'public'];
  const keyPosition = findPropertyPosition(countries, key);
  const project = createProjector(countries, 'public', listShownProperties(query));
  return records.map((record) => [String(record.valueAt(keyPosition)), project(record)]);
}
