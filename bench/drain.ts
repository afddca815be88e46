import type { Figure } from './bounds.js';
import { portionOf, withFleet } from './harness/source-fleet.js';
import type { Fleet } from './harness/source-fleet.js';
import { requestComplete, configOf, openGateway } from './harness/in-process-gateway.js';
import { cpuOf } from './harness/measure.js';
import { subjects, subjectOf } from './subjects/all.js';

/** Rounds of measurement; the shortest one counts. */
const ROUNDS = 7;

/** Records of one page: the default of `page-size`. */
const PAGE_SIZE = 100;

/**
 * Drains of each resource, and the first page of a hundred sources with an empty cache: CPU time of this process relative to
 * that of JSON.parse of the same bodies.
 */
export async function drain(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { name } of subjects) {
    const value = await measure({ subject: name, sources: 20, records: 1_000 }, '?limit=0');
    figures.push({ name: `drain of 20 sources of 1,000 ${name}, to JSON.parse`, value, bound: 'drain' });
  }
  const value = await measure({ subject: 'directory', sources: 100, records: 1_000 }, '?limit=100');
  return [...figures, { name: 'first page of 100 sources, empty cache, to JSON.parse', value, bound: 'cold start' }];
}

/** Alternates drains and parsing, so that the state of the machine is the same for both. */
function measure(fleet: Fleet, page: string): Promise<number> {
  const bodies = bodiesOf(fleet);
  return withFleet(fleet, async ({ ports }) => {
    const parsing: number[] = [];
    const draining: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      parsing.push(await cpuOf(() => bodies.map((body): unknown => JSON.parse(body.toString()))));
      draining.push(await drainOnce(fleet, ports, page));
    }
    return Math.min(...draining) / Math.min(...parsing);
  });
}

/** The bodies of all pages that a fleet sends, including the empty page behind a full last page. */
function bodiesOf(fleet: Fleet): readonly Buffer[] {
  const { recordsOf, envelope } = subjectOf(fleet.subject);
  const offsets = Array.from({ length: Math.floor(fleet.records / PAGE_SIZE) + 1 }, (_, page) => page * PAGE_SIZE);
  return Array.from({ length: fleet.sources }, (_, at) => recordsOf(portionOf(fleet, at + 1))).flatMap((records) =>
    offsets.map((offset) => {
      const data = records.slice(offset, offset + PAGE_SIZE);
      return Buffer.from(JSON.stringify(envelope({ total: records.length, limit: PAGE_SIZE, offset, data })));
    }),
  );
}

/** CPU milliseconds of all threads for one drain. The gateway is new: it opens every connection, and its cache is empty. */
async function drainOnce(
  { subject, sources, records }: Fleet,
  ports: readonly number[],
  page: string,
): Promise<number> {
  const running = await openGateway(configOf(subject, ports));
  const address = running.address(subjectOf(subject).resource);
  const total = sources * records;
  const cpu = await cpuOf(() => requestComplete(`${address}${page}`, total));
  await running.close();
  return cpu;
}
