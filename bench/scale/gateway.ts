import type { Log } from '../../src/model/log.js';
import { boundHeap, growWithin } from '../../src/operate/heap.js';
import { configured, openHouse } from '../house.js';
import type { House } from '../house.js';
import { cpuOf } from '../measure.js';
import { codeOf, pagesOf } from '../pages.js';
import { subjectOf } from '../subjects/all.js';
import { fleetIn } from './fleet.js';

// As the program does.
boundHeap();

const quiet: Log = { info: () => undefined, warn: console.warn, error: console.error };

let house: House | undefined;

let bodies: readonly Buffer[] | undefined;

/** What this process can be told to do, each with one text, and what it answers. */
const orders: Readonly<Record<string, (text: string) => Promise<string | number>>> = {
  /** Opens a gateway with a configuration: nothing is held, no connection stands. Answers with the address of the subject's resource. */
  open: async (text) => {
    const [name, ...lines] = text.split('\n');
    const config = configured(lines);
    house = await openHouse(config, quiet, growWithin(config.cache.memory));
    return house.address(subjectOf(name ?? '').resource);
  },
  /** Drains what can be drained. */
  warm: async () => {
    await house?.app.warmUp();
    return '';
  },
  close: async () => {
    await house?.close();
    house = undefined;
    globalThis.gc?.();
    return '';
  },
  /** Milliseconds of CPU of all threads so far. */
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return Promise.resolve((user + system) / 1_000);
  },
  /** Milliseconds of CPU that JSON.parse takes for all bodies of a fleet, its results held until the last is parsed. */
  parse: (text) => {
    const made = (bodies ??= bodiesOf(text));
    return cpuOf(() => made.map((body): unknown => JSON.parse(body.toString())));
  },
};

function bodiesOf(text: string): readonly Buffer[] {
  const { subject: name, sources, records: count } = fleetIn(text);
  const subject = subjectOf(name);
  const lists = Array.from({ length: sources }, (_, at) =>
    subject.listings({ code: codeOf(at + 1), count, from: (at + 1) * count }).slice(0, 1),
  );
  return lists.flat().flatMap((list) => pagesOf(subject, list).map((page) => Buffer.from(page)));
}

/** A gateway in a process of its own, which does what it is told by messages of an order and its text. */
function main(): void {
  process.on('message', (message) => {
    const [order = '', text = ''] = (message as readonly unknown[]).map(String);
    const obey = orders[order];
    if (obey === undefined) throw new Error(`no order ${order}`);
    void obey(text).then((answer) => process.send?.(answer));
  });
  process.once('disconnect', () => process.exit(0));
}

main();
