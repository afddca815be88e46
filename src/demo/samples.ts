import { readFile } from 'node:fs/promises';
import type { Face, Kept } from './answer.js';
import { dataFace } from './data-habits.js';
import type { DataManners } from './data-habits.js';
import type { Habit } from './habits.js';
import { exemplary, sloppy } from './habits.js';
import type { Repository } from './repository.js';
import { openRepository } from './repository.js';

/** Base URLs of a sample repository's interfaces, such as `http://127.0.0.1:8101/directory/v1`; one at least is there. */
export interface Addresses {
  readonly directory?: string;
  readonly data?: string;
}

/** The running sample repositories. */
export interface Samples {
  /** By the names of the repositories. */
  readonly addresses: ReadonlyMap<string, Addresses>;
  /** Stops them all; connections that are kept alive do not hold it up. */
  close(): Promise<void>;
}

/** A sample repository's manners, by interface, and whether it compresses its answers. */
interface Sample {
  readonly directory?: Habit;
  readonly data?: DataManners;
  readonly compresses: boolean;
}

const paths = { directory: '/directory/v1', data: '/data/v1' };

/** The envelopes that are documented (interfaces.md, section 4.2), and for channels those of news. */
const documented: DataManners['envelopes'] = {
  teams: ['status', 'status-code', 'version', 'last-modified', 'total', 'access'],
  news: ['status', 'status-code', 'version', 'last-modified', 'total', 'limit', 'offset', 'access'],
  channels: ['status', 'status-code', 'version', 'last-modified', 'total', 'limit', 'offset', 'access'],
  item: ['status', 'status-code', 'version', 'last-modified', 'access'],
};

const seen = ['status', 'status-code', 'version', 'access', 'total', 'offset', 'limit'];

/** The envelopes that FIRST's data interface was seen to send in 2026. */
const recorded: DataManners['envelopes'] = {
  teams: seen,
  news: seen,
  channels: seen,
  item: ['status', 'status-code', 'version', 'access'],
};

const samples: ReadonlyMap<string, Sample> = new Map([
  [
    'harbour',
    { directory: exemplary({ cap: 100, envelope: false, changed: 'Tue, 01 Sep 2026 06:00:00 GMT' }), compresses: true },
  ],
  [
    'lantern',
    { directory: exemplary({ cap: 20, envelope: true, changed: 'Fri, 14 Aug 2026 18:30:00 GMT' }), compresses: true },
  ],
  ['attic', { directory: sloppy, compresses: false }],
  [
    'chronicle',
    {
      data: {
        version: '1',
        cap: 100,
        changed: 'Wed, 30 Sep 2026 06:00:00 GMT',
        envelopes: documented,
        keysInPublic: false,
      },
      compresses: true,
    },
  ],
  ['beacon', { data: { version: '1.0', cap: 50, envelopes: recorded, keysInPublic: true }, compresses: true }],
  [
    'quay',
    {
      directory: exemplary({ cap: 100, envelope: false, changed: 'Wed, 30 Sep 2026 20:00:00 GMT' }),
      data: {
        version: '1',
        cap: 100,
        changed: 'Wed, 30 Sep 2026 20:00:00 GMT',
        envelopes: documented,
        keysInPublic: false,
      },
      compresses: true,
    },
  ],
]);

/** The names of the sample repositories. */
export const sampleNames: readonly string[] = [...samples.keys()];

/**
 * Starts sample repositories by name, each a server of its own on its loopback port; port 0 takes a free one.
 * An unknown name or a port that cannot be had is an error that names it; what had been started is stopped again.
 */
export async function startSamples(ports: ReadonlyMap<string, number>): Promise<Samples> {
  const running: Repository[] = [];
  const addresses = new Map<string, Addresses>();
  const close = async (): Promise<void> => {
    await Promise.all(running.map((repository) => repository.close()));
  };
  try {
    for (const [name, port] of ports) {
      const sample = sampleOf(name);
      const repository = await start(name, sample, port);
      running.push(repository);
      addresses.set(name, addressesOf(sample, repository));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { addresses, close };
}

function sampleOf(name: string): Sample {
  const sample = samples.get(name);
  if (sample === undefined) throw new Error(`sample ${name} does not exist; there are ${sampleNames.join(', ')}`);
  return sample;
}

function addressesOf({ directory, data }: Sample, { origin }: Repository): Addresses {
  return {
    ...(directory && { directory: origin + paths.directory }),
    ...(data && { data: origin + paths.data }),
  };
}

async function start(name: string, sample: Sample, port: number): Promise<Repository> {
  const faces = await facesOf(name, sample);
  try {
    return await openRepository({ faces, compresses: sample.compresses }, port);
  } catch (cause) {
    throw new Error(`sample ${name} cannot listen on port ${port}: ${String(cause)}`, { cause });
  }
}

async function facesOf(name: string, { directory, data }: Sample): Promise<ReadonlyMap<string, Face>> {
  const faces = new Map<string, Face>();
  if (directory !== undefined) faces.set(paths.directory, directory(await recordsOf(name)));
  if (data === undefined) return faces;
  const [teams, news, channels] = await Promise.all([
    recordsOf(`${name}-teams`),
    recordsOf(`${name}-news`),
    recordsOf(`${name}-channels`),
  ]);
  return faces.set(paths.data, dataFace({ teams, news, channels }, data));
}

/** The data stands beside the configuration, the same way up from src and from the built program. */
async function recordsOf(file: string): Promise<readonly Kept[]> {
  const text = await readFile(new URL(`../../config/demo/${file}.json`, import.meta.url), 'utf8');
  const records: unknown = JSON.parse(text);
  if (!Array.isArray(records) || !records.every(isRecord)) {
    throw new Error(`config/demo/${file}.json is not a list of records`);
  }
  return records;
}

function isRecord(value: unknown): value is Kept {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
