import type { Figure } from './bounds.js';
import { codeOf, withFleet } from './harness/source-fleet.js';
import type { Behaviour } from './harness/source-fleet.js';
import { request, configOf, openGateway } from './harness/in-process-gateway.js';
import { timeOf } from './harness/measure.js';
import { directory } from './subjects/directory.js';

/** Five sources of each. */
const BEHAVIOURS = (['well', 'hang', 'reset', 'error'] as const).flatMap((one) => [one, one, one, one, one]);

const RECORDS = 1_000;

/** Milliseconds for an answer: less than the default timeout of a request. */
const DEADLINE = 4_000;

/** Gateways that are asked once, with nothing held: the latest answer counts. */
const GATEWAYS = 3;

/** What Source-Status must say of a source. */
const STATES: Readonly<Record<Behaviour, string>> = {
  well: `state=fresh;records=${RECORDS}`,
  hang: 'state=failed;reason=timeout',
  reset: 'state=failed;reason=connect',
  error: 'state=failed;reason=status;status=500',
};

/** The time of an answer while five of twenty sources hang, five reset connections and five answer with 500, to the deadline. */
export function failing(): Promise<Figure[]> {
  const fleet = { subject: 'directory', sources: BEHAVIOURS.length, records: RECORDS, behaviours: BEHAVIOURS } as const;
  return withFleet(fleet, async ({ ports }) => {
    const settings = { server: `deadline: ${DEADLINE / 1_000}s`, defaults: 'drain-threshold: 5000' };
    const times: number[] = [];
    for (let opened = 0; opened < GATEWAYS; opened += 1) {
      const running = await openGateway(configOf('directory', ports, settings), SILENT);
      times.push(await timeOf(() => answered(`${running.address(directory.resource)}?limit=100`)));
      await running.close();
    }
    const value = Math.max(...times) / DEADLINE;
    return [{ name: 'answer with 15 of 20 sources failing, to the deadline', value, bound: 'failing' }];
  });
}

/** That sources fail is what is wanted here. */
const SILENT = { info: () => undefined, warn: () => undefined, error: console.error };

/** Rejects where the answer lacks a record of the healthy sources, or says something else of a source than it should. */
async function answered(url: string): Promise<void> {
  const headers = await request(url);
  const status = headers.get('source-status') ?? '';
  const members = new Set(status.split(',').map((member) => member.trim().replace(/;age=\d+$/, '')));
  const missing = BEHAVIOURS.map((one, at) => `${codeOf(at + 1)};${STATES[one]}`).filter((one) => !members.has(one));
  if (missing.length > 0) throw new Error(`${missing.join()} is not in ${status}`);
  const total = headers.get('x-total-count');
  if (total !== String(5 * RECORDS)) throw new Error(`${total ?? 'no'} records`);
}
