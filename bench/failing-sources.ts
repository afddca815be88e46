import type { Figure } from './bounds.js';
import { codeOf, withFleet } from './harness/source-fleet.js';
import type { Behaviour } from './harness/source-fleet.js';
import { request, configOf, openGateway } from './harness/in-process-gateway.js';
import { timeOf } from './harness/measure.js';
import { directory } from './subjects/directory.js';
import { silentLog } from '../test/support/silent-log.js';

/** Five sources of each behaviour. */
const BEHAVIOURS = (['healthy', 'hang', 'reset', 'error'] as const).flatMap((behaviour) =>
  Array.from({ length: 5 }, () => behaviour),
);

const RECORDS = 1_000;

/** Deadline of a response in milliseconds: less than the default timeout of a request to a source. */
const DEADLINE = 4_000;

/** Gateways with an empty cache that receive one request each; the slowest response counts. */
const GATEWAYS = 3;

/** The parameters that Source-Status must have for a source. */
const STATES: Readonly<Record<Behaviour, string>> = {
  healthy: `state=fresh;records=${RECORDS}`,
  hang: 'state=failed;reason=timeout',
  reset: 'state=failed;reason=connect',
  error: 'state=failed;reason=status;status=500',
};

/** Response time while five of twenty sources hang, five reset connections and five respond with 500, relative to the deadline. */
export function failing(): Promise<Figure[]> {
  const fleet = { subject: 'directory', sources: BEHAVIOURS.length, records: RECORDS, behaviours: BEHAVIOURS } as const;
  return withFleet(fleet, async ({ ports }) => {
    const settings = { server: `deadline: ${DEADLINE / 1_000}s`, defaults: 'drain-threshold: 5000' };
    const times: number[] = [];
    for (let opened = 0; opened < GATEWAYS; opened += 1) {
      const running = await openGateway(configOf('directory', ports, settings), { log: SILENT });
      times.push(await timeOf(() => requestHealthyRecords(`${running.address(directory.resource)}?limit=100`)));
      await running.close();
    }
    const value = Math.max(...times) / DEADLINE;
    return [{ name: 'response with 15 of 20 sources failing, to the deadline', value, bound: 'failing' }];
  });
}

/** Drops warnings: failing sources are expected. */
const SILENT = { ...silentLog, error: console.error };

/** Rejects if the response lacks records of the healthy sources, or reports an unexpected state of a source. */
async function requestHealthyRecords(url: string): Promise<void> {
  const headers = await request(url);
  const status = headers.get('source-status') ?? '';
  const members = new Set(status.split(',').map((member) => member.trim().replace(/;age=\d+$/, '')));
  const expected = BEHAVIOURS.map((behaviour, at) => `${codeOf(at + 1)};${STATES[behaviour]}`);
  const missing = expected.filter((member) => !members.has(member));
  if (missing.length > 0) throw new Error(`${missing.join()} is not in ${status}`);
  const total = headers.get('x-total-count');
  if (total !== String(5 * RECORDS)) throw new Error(`${total ?? 'no'} records`);
}
