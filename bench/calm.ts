import { existsSync, readFileSync } from 'node:fs';

/** Share of all processors' time that the host of a virtual machine may take from it in a round that counts. */
const CALM = 0.01;

/** How often a figure is tried at most, to the rounds that it needs. */
const PATIENCE = 2;

/**
 * What each of so many rounds of a work came to. One in which the machine's host was busy with others, beyond a share of all processors' time, tells of
 * the others, and is done again; where there is no rest, the calmest are taken, and that is said.
 */
export async function calmly<T>(rounds: number, work: () => Promise<T>, most = CALM): Promise<T[]> {
  const done: { readonly result: T; readonly taken: number }[] = [];
  const calm = (): number => done.filter(({ taken }) => taken <= most).length;
  while (calm() < rounds && done.length < rounds * PATIENCE) {
    const before = processors();
    const result = await work();
    done.push({ result, taken: share(before, processors()) });
  }
  const calmest = done.toSorted((a, b) => a.taken - b.taken).slice(0, rounds);
  const worst = calmest.at(-1)?.taken ?? 0;
  if (worst > most)
    console.log(`  the machine was busy: up to ${(worst * 100).toPrecision(2)} % of its time went to others`);
  return calmest.map(({ result }) => result);
}

/** Ticks of all processors since the machine started. */
interface Ticks {
  readonly all: number;
  readonly stolen: number;
}

/** Where Linux tells them; elsewhere every round is taken for a calm one. */
const FILE = '/proc/stat';

/** Which of the numbers there are those that went to other machines: user, nice, system, idle, iowait, irq, softirq, steal. */
const STOLEN = 7;

function processors(): Ticks {
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : '';
  const ticks = (/^cpu +([\d ]+)$/m.exec(text)?.[1] ?? '')
    .split(' ')
    .slice(0, STOLEN + 1)
    .map(Number);
  return { all: ticks.reduce((sum, one) => sum + one, 0), stolen: ticks[STOLEN] ?? 0 };
}

function share(before: Ticks, after: Ticks): number {
  return (after.stolen - before.stolen) / Math.max(1, after.all - before.all);
}
