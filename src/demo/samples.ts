import { readFile } from 'node:fs/promises';
import type { Habit } from './habits.js';
import { exemplary, sloppy } from './habits.js';
import type { Repository } from './repository.js';
import { openRepository } from './repository.js';
import type { Team } from './select.js';

/** The running sample repositories. */
export interface Samples {
  /** Base URL of each one's directory interface by its name, such as `http://127.0.0.1:8101/directory/v1`. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Stops them all; connections that are kept alive do not hold it up. */
  close(): Promise<void>;
}

/** A sample repository's manners, and whether it compresses its answers. */
interface Sample {
  readonly habit: Habit;
  readonly compresses: boolean;
}

const samples: ReadonlyMap<string, Sample> = new Map([
  [
    'harbour',
    { habit: exemplary({ cap: 100, envelope: false, changed: 'Tue, 01 Sep 2026 06:00:00 GMT' }), compresses: true },
  ],
  [
    'lantern',
    { habit: exemplary({ cap: 20, envelope: true, changed: 'Fri, 14 Aug 2026 18:30:00 GMT' }), compresses: true },
  ],
  ['attic', { habit: sloppy, compresses: false }],
]);

/** The names of the sample repositories. */
export const sampleNames: readonly string[] = [...samples.keys()];

/**
 * Starts sample repositories by name, each a server of its own on its loopback port; port 0 takes a free one.
 * An unknown name or a port that cannot be had is an error that names it; what had been started is stopped again.
 */
export async function startSamples(ports: ReadonlyMap<string, number>): Promise<Samples> {
  const running = new Map<string, Repository>();
  const close = async (): Promise<void> => {
    await Promise.all([...running.values()].map((repository) => repository.close()));
  };
  try {
    for (const [name, port] of ports) running.set(name, await start(name, port));
  } catch (error) {
    await close();
    throw error;
  }
  return { addresses: new Map([...running].map(([name, { address }]) => [name, address])), close };
}

async function start(name: string, port: number): Promise<Repository> {
  const sample = samples.get(name);
  if (sample === undefined) throw new Error(`sample ${name} does not exist; there are ${sampleNames.join(', ')}`);
  const answer = sample.habit(await teamsOf(name));
  try {
    return await openRepository({ answer, compresses: sample.compresses }, port);
  } catch (cause) {
    throw new Error(`sample ${name} cannot listen on port ${port}: ${String(cause)}`, { cause });
  }
}

/** The data stands beside the configuration, the same way up from src and from the built program. */
async function teamsOf(name: string): Promise<readonly Team[]> {
  const text = await readFile(new URL(`../../config/demo/${name}.json`, import.meta.url), 'utf8');
  const teams: unknown = JSON.parse(text);
  if (!Array.isArray(teams) || !teams.every(isTeam))
    throw new Error(`config/demo/${name}.json is not a list of records`);
  return teams;
}

function isTeam(value: unknown): value is Team {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
