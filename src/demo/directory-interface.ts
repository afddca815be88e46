import type { SampleResponse, InterfaceHandler, SampleRecord } from './json-response.js';
import { isTrue, errorResponse, jsonResponse } from './json-response.js';
import type { ParameterPatterns } from './query-parameters.js';
import {
  anyValuePattern,
  countryCodesPattern,
  slicePage,
  findParameterError,
  withoutEmptyParameters,
  requestedPage,
  propertyNamesIn,
  listParameterPatterns,
} from './query-parameters.js';
import { matchesTeamQuery, sortRecords } from './filter-and-sort.js';

export type DirectoryInterfaceFactory = (teams: readonly SampleRecord[]) => InterfaceHandler;

interface DirectoryInterfaceOptions {
  /** Records on a page, whatever `limit` is. */
  readonly maxPageSize: number;
  /** Envelope of responses if the query has no `envelope` parameter. */
  readonly envelope: boolean;
  /** HTTP date. */
  readonly lastModified: string;
}

const directoryParameters: ParameterPatterns = new Map([
  ...listParameterPatterns,
  ['country', countryCodesPattern],
  ['team', anyValuePattern],
  ['q', anyValuePattern],
]);

/** As specified (interfaces 4.1), without `region` and JSONP. */
export function createConformingDirectory(options: DirectoryInterfaceOptions): DirectoryInterfaceFactory {
  return (teams) => {
    const properties = propertyNamesIn(teams);
    const isFilter = (name: string): boolean => properties.has(name) && name !== 'last-modified';
    const accepted = (name: string): RegExp | undefined =>
      directoryParameters.get(name) ?? (isFilter(name) ? anyValuePattern : undefined);
    return teamsHandler((requestQuery) => {
      const query = withoutEmptyParameters(requestQuery);
      const error = findParameterError(query, accepted, properties);
      if (error !== undefined) return directoryErrorResponse(400, 'Bad Request', error);
      const matched = teams.filter((team) => matchesTeamQuery(team, query));
      return pageResponse(sortRecords(matched, query.get('sort') ?? 'short-team-name', properties), query, options);
    });
  };
}

/** Only `limit` and `offset`, and no total: `length` counts the page, as versions of the API before 1 did. */
export const createMinimalDirectory: DirectoryInterfaceFactory = (teams) =>
  teamsHandler((query) => {
    const number = (name: string, otherwise: number): number =>
      /^\d{1,9}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : otherwise;
    const offset = number('offset', 0);
    const data = teams.slice(offset, offset + number('limit', 50));
    return { status: 200, headers: {}, body: JSON.stringify({ status: 200, length: data.length, data }) };
  });

function teamsHandler(respondTo: (query: URLSearchParams) => SampleResponse): InterfaceHandler {
  return (path, query) =>
    path === '/teams' ? respondTo(query) : directoryErrorResponse(404, 'Not Found', 'only /teams exists');
}

function directoryErrorResponse(code: number, status: string, message: string): SampleResponse {
  return errorResponse(code, { status, status_code: code, version: '1.0', message });
}

function pageResponse(
  matched: readonly SampleRecord[],
  query: URLSearchParams,
  { maxPageSize, envelope, lastModified }: DirectoryInterfaceOptions,
): SampleResponse {
  const total = matched.length;
  const data = slicePage(matched, query, maxPageSize);
  const head = { status: 'OK', status_code: 200, version: '1.0', total, 'last-modified': lastModified };
  const document = isTrue(query.get('envelope'), envelope)
    ? { ...head, ...requestedPage(query, maxPageSize), data }
    : data;
  return jsonResponse(document, query, {
    'X-Version': '1.0',
    'X-Total-Count': String(total),
    'Last-Modified': lastModified,
  });
}
