import { directoryTeams } from '../model/resources/directory-teams.js';
import type { SampleResponse, InterfaceHandler, SampleRecord } from './json-response.js';
import { errorResponse, jsonResponse } from './json-response.js';
import { SampleList, selectFields } from './sample-list.js';

export type DirectoryInterfaceFactory = (teams: readonly SampleRecord[]) => InterfaceHandler;

interface DirectoryInterfaceOptions {
  /** Records on a page, whatever `limit` is. */
  readonly maxPageSize: number;
  /** Envelope of responses if the query has no `envelope` parameter. */
  readonly envelope: boolean;
  /** HTTP date. */
  readonly lastModified: string;
}

/** As specified (interfaces 4.1), without JSONP. */
export function createConformingDirectory(options: DirectoryInterfaceOptions): DirectoryInterfaceFactory {
  const { lastModified } = options;
  return (teams) => {
    const list = new SampleList(directoryTeams, teams, options);
    return teamsHandler(async (search) => {
      const parsed = list.parse(search);
      if (!('query' in parsed)) return directoryErrorResponse(parsed.status, 'Bad Request', parsed.message);
      const { query } = parsed;
      const { limit, offset } = query;
      const matched = await list.select(query);
      const total = matched.length;
      const data = matched.slice(offset, offset + limit).map((team) => selectFields(team, query));
      const head = { status: 'OK', status_code: 200, version: '1.0', total, 'last-modified': lastModified };
      return jsonResponse(query.envelope ? { ...head, limit, offset, data } : data, query, {
        'X-Version': '1.0',
        'X-Total-Count': String(total),
        'Last-Modified': lastModified,
      });
    });
  };
}

/** Only `limit` and `offset`, and no total: `length` counts the page, as versions of the API before 1 did. */
export const createMinimalDirectory: DirectoryInterfaceFactory = (teams) =>
  teamsHandler((search) => {
    const query = new URLSearchParams(search);
    const number = (name: string, otherwise: number): number =>
      /^\d{1,9}$/.test(query.get(name) ?? '') ? Number(query.get(name)) : otherwise;
    const offset = number('offset', 0);
    const data = teams.slice(offset, offset + number('limit', 50));
    return { status: 200, headers: {}, body: JSON.stringify({ status: 200, length: data.length, data }) };
  });

function teamsHandler(respondTo: (search: string) => ReturnType<InterfaceHandler>): InterfaceHandler {
  return (path, search) =>
    path === '/teams' ? respondTo(search) : directoryErrorResponse(404, 'Not Found', 'only /teams exists');
}

function directoryErrorResponse(code: number, status: string, message: string): SampleResponse {
  return errorResponse(code, { status, status_code: code, version: '1.0', message });
}
