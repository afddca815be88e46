import * as faulty from '../support/upstream/faulty-responses.js';
import { dataUpstream } from '../support/upstream/data-upstream.js';
import type { DataSourceSetup } from '../support/gateway/data-gateway.js';

/** A failure of the data interface, or one that `FailureScene` cannot produce. Its row in docs/failures.md has the same id. */
export interface DataFailure {
  readonly id: string;
  /** Request target below the base address of the data interface, or a path of the directory interface. */
  readonly target: string;
  readonly troubled: DataSourceSetup;
  /** Records of the source that are shown nevertheless. */
  readonly shown: number;
}

/** `server.name` of the gateway. */
export const GATEWAY_NAME = 'own-gateway';

const TEAM = { id: 'a', team: 'A', 'pgp-id': '0x1234567812345678' };
const published = (at: number): string => new Date(Date.UTC(2025, 0, 1) + at * 1_000).toISOString();
const items = (...ids: readonly unknown[]): object[] =>
  ids.map((id, at) => ({ id, title: `Item ${at}`, published: published(at), channels: ['Press'] }));

/** The rows of docs/failures.md before those of documents. */
export const dataFailureCatalogue: readonly DataFailure[] = [
  {
    id: 'loop',
    target: '/news',
    troubled: { records: { news: items(1) }, behaviour: { headers: { Via: `1.1 ${GATEWAY_NAME}` } } },
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
