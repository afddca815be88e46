import * as faulty from '../support/upstream/faulty-responses.js';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import type { DataSourceSetup } from '../support/gateway/data-gateway.js';

/** A failure that shows on the data interface, or needs another scene than the others. Its row in docs/failures.md has the same id. */
export interface DataFailure {
  readonly id: string;
  /** What is asked for, below the data interface's base address, or a whole path. */
  readonly target: string;
  readonly troubled: DataSourceSetup;
  /** Records of the source that are shown nevertheless. */
  readonly shown: number;
}

/** The name under which Rollcall goes here. */
export const TEAM_NAME = 'house';

const TEAM = { id: 'a', team: 'A', 'pgp-id': '0x1234567812345678' };
const published = (at: number): string => new Date(Date.UTC(2025, 0, 1) + at * 1_000).toISOString();
const items = (...ids: readonly unknown[]): object[] =>
  ids.map((id, at) => ({ id, title: `Item ${at}`, published: published(at), channels: ['Press'] }));

/** The last rows of docs/failures.md. */
export const dataFailureCatalogue: readonly DataFailure[] = [
  {
    id: 'loop',
    target: '/news',
    troubled: { records: { news: items(1) }, behaviour: { headers: { Via: `1.1 ${TEAM_NAME}` } } },
    shown: 0,
  },
  {
    id: 'window',
    target: '/news',
    troubled: {
      records: { news: items(1, 2, 3, 4, 5, 6) },
      behaviour: { window: { size: 4, beyond: 'empty' }, ignores: ['before'] },
    },
    shown: 4,
  },
  {
    id: 'filter',
    target: '/news?channel=press',
    troubled: {
      records: { news: items(1, 2), channels: ['Press', 'Blog'].map((title, id) => ({ id, title })) },
      behaviour: { ignores: ['channel'] },
    },
    shown: 0,
  },
  {
    id: 'keys',
    target: '/directory/v1/teams?envelope=true&fields=short-team-name,enckeys,source-name',
    troubled: {
      records: {},
      handler: faulty.when(
        ({ query }) => query.get('scope') === 'pgp',
        faulty.status(500),
        dataUpstream({ teams: [TEAM] }),
      ),
    },
    shown: 1,
  },
  {
    id: 'unplaced-key',
    target: '/directory/v1/teams?envelope=true&fields=short-team-name,enckeys,source-name',
    troubled: {
      records: {},
      handler: faulty.when(
        ({ query }) => query.get('scope') === 'pgp',
        faulty.body(JSON.stringify({ total: 1, data: [{ ...TEAM, id: 'b' }] })),
        dataUpstream({ teams: [TEAM] }),
      ),
    },
    shown: 1,
  },
  {
    id: 'id-range',
    target: '/news',
    troubled: { records: { news: items(1, Number.MAX_SAFE_INTEGER, 2) } },
    shown: 2,
  },
];
