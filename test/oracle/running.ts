import { expect } from 'vitest';
import { dataUpstream } from '../support/data-upstream.js';
import { directory } from '../support/directory-upstream.js';
import { startRollcall } from '../support/rollcall.js';
import type { Got, Rollcall } from '../support/rollcall.js';
import { openUpstream } from '../support/upstream.js';
import type { Answering } from '../support/upstream.js';
import { REGISTERED } from './fleet.js';
import type { Generated } from './fleet.js';

/** Serves the fleet over HTTP and has a Rollcall over it, for as long as the work lasts. */
export async function over(sources: readonly Generated[], work: (rollcall: Rollcall) => Promise<void>): Promise<void> {
  const upstreams = await Promise.all(sources.map((source) => openUpstream(answering(source))));
  const registered = sources.map((source, at) => [source.code, registration(source, upstreams[at]?.address)] as const);
  const rollcall = await startRollcall({ sources: Object.fromEntries(registered) });
  try {
    await work(rollcall);
  } finally {
    await rollcall.close();
    await Promise.all(upstreams.map((upstream) => upstream.close()));
  }
}

/** Statuses with which sources refuse `scope=pgp`. */
const REFUSALS = [400, 401, 403, 404, 422];

/** The source as a server, its interfaces below `/directory` and `/data`. */
function answering({ number, directory: teams = [], data, manners }: Generated): Answering {
  const asDirectory = directory(teams, manners);
  const refused = data?.keys === 'refused' ? { keysRefused: REFUSALS[number % REFUSALS.length] ?? 403 } : {};
  const keys = data?.keys === undefined || data.keys === 'refused' ? 'public' : data.keys;
  const asData = dataUpstream(data ?? {}, { ...manners, keys, ...refused });
  return (asked, response) => {
    (asked.path.includes('/directory/') ? asDirectory : asData)(asked, response);
  };
}

function registration({ number, sourceName, aggregate, pageSize, site, ...source }: Generated, address = ''): object {
  return {
    number,
    'source-name': sourceName,
    aggregate,
    site,
    ...(source.directory && { directory: `${address}/directory` }),
    ...(source.data && { data: `${address}/data` }),
    properties: REGISTERED,
    'page-size': pageSize,
  };
}

/** The records of a list without envelope, to which every source contributed all; but keys that nobody can give to one of several teams of a name. */
export function recordsOf({ status, headers, json, text }: Got): readonly Readonly<Record<string, unknown>>[] {
  expect(status, text).toBe(200);
  expect(headers.get('source-status')).not.toMatch(/state=(?!fresh|excluded|partial;reason=keys)/);
  return recordsIn({ json });
}

/** The records of a list without envelope. */
export function recordsIn({ json }: Pick<Got, 'json'>): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(json)) throw new Error('not a list');
  return json.map((record: unknown) => {
    if (typeof record !== 'object' || record === null) throw new Error('not a record');
    return Object.fromEntries(Object.entries(record));
  });
}
