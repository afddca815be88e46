import { simulatedRepository } from '../repository/simulated-repository.js';
import type { Behaviour } from '../repository/simulated-repository.js';
import { dataUpstream } from './data-upstream.js';
import type { DataBehaviour, DataRecords } from './data-upstream.js';
import type { RawRecord } from './paged-responses.js';
import type { RequestHandler } from './upstream-server.js';

/** What a repository shows to its members. */
export interface MembersArea {
  /** The Authorization field of members. */
  readonly authorization: string;
  readonly teams: readonly RawRecord[];
  /** The repository evaluates all parameters of a members request as specified, except for these behaviours. */
  readonly behaviours?: readonly Behaviour[];
}

/**
 * Handles requests as a repository with the data interface and a members area: `scope=members` is a 401 without the
 * members' credential, and a list with `access: members` with it. Without `scope=members` a credential makes no difference.
 */
export function membersUpstream(
  records: DataRecords,
  { authorization, teams, behaviours = [] }: MembersArea,
  behaviour: DataBehaviour = {},
): RequestHandler {
  const publicArea = dataUpstream(records, behaviour);
  const membersArea = simulatedRepository({ teams }, [{ paging: { envelope: { access: 'members' } } }, ...behaviours]);
  return (request, response) => {
    if (request.query.get('scope') !== 'members') {
      publicArea(request, response);
      return;
    }
    if (request.headers.authorization !== authorization) {
      const body = JSON.stringify({ status: 'Unauthorized', 'status-code': 401, version: '1' });
      response.writeHead(401, { 'Content-Type': 'application/json' }).end(body);
      return;
    }
    membersArea({ ...request, path: '/data/teams' }, response);
  };
}
