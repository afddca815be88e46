import type { Gateway } from '../src/gateway/gateway.js';
import type { Resource } from '../src/model/resource.js';
import { directoryTeams } from '../src/model/resources/directory-teams.js';
import type { Figure } from './bounds.js';
import { portionOf, withFleet } from './harness/source-fleet.js';
import type { Fleet } from './harness/source-fleet.js';
import { configOf, uncachedGatewayOf, openGateway } from './harness/in-process-gateway.js';
import { retainedBytes } from './harness/measure.js';
import { queryOf } from './query.js';
import { subjects } from './subjects/all.js';
import { dataTeams } from './subjects/data-teams.js';
import { directory } from './subjects/directory.js';
import type { Subject } from './subjects/subject.js';

const RECORDS = 100_000;

/** Queries that run before memory is measured again. */
interface QueryStep {
  readonly name: string;
  readonly resource: Resource;
  readonly queries: readonly string[];
}

/**
 * Memory of a gateway that caches 100,000 records of one source: heap and typed arrays after a garbage collection, relative to
 * the compact JSON of the records.
 */
export async function memory(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const subject of subjects) {
    const { resource, ordinary, exhaustive } = subject;
    const steps = [
      { name: 'after ordinary queries', resource, queries: ordinary },
      { name: 'after every order and filter', resource, queries: exhaustive },
    ];
    figures.push(...(await memoryOf(subject, steps)));
  }
  return [...figures, ...(await memoryOf(dataTeams, ON_BOTH)).slice(1)];
}

/** Teams of a data source that are queried on both interfaces are cached in two forms. */
const ON_BOTH: readonly QueryStep[] = [
  { name: 'shown on the directory interface', resource: directoryTeams, queries: [''] },
  {
    name: 'after ordinary queries on the data interface too',
    resource: dataTeams.resource,
    queries: dataTeams.ordinary,
  },
  { name: '… and on the directory interface', resource: directoryTeams, queries: directory.ordinary },
];

function memoryOf({ name, recordsOf }: Subject, steps: readonly QueryStep[]): Promise<Figure[]> {
  const fleet: Fleet = { subject: name, sources: 1, records: RECORDS };
  return withFleet(fleet, async ({ ports }) => {
    const bytes = jsonBytes(recordsOf, fleet);
    const before = retainedBytes();
    const figure = (what: string): Figure => {
      const value = (retainedBytes() - before) / bytes;
      return { name: `memory, ${name}, ${what}, to the JSON`, value, bound: 'memory' };
    };
    const running = await openGateway(configOf(name, ports));
    await running.app.warmUp();
    const gateway = uncachedGatewayOf(running);
    const figures = [figure('as drained')];
    for (const { name: what, resource, queries } of steps) {
      await runQueries(gateway, resource, queries);
      figures.push(figure(what));
    }
    await running.close();
    return figures;
  });
}

/** A separate function, so that nothing references the records when memory is first measured. */
function jsonBytes(recordsOf: Subject['recordsOf'], fleet: Fleet): number {
  return Buffer.byteLength(JSON.stringify(recordsOf(portionOf(fleet, 1))));
}

async function runQueries(gateway: Gateway, resource: Resource, queries: readonly string[]): Promise<void> {
  for (const query of queries) await gateway.answer(queryOf(resource, query));
}
