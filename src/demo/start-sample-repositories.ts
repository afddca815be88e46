import { readFile } from 'node:fs/promises';
import { PACKAGE_FOLDER } from '../program/package-folder.js';
import { describeListenError } from '../program/used-port.js';
import { errorResponse } from './json-response.js';
import type { InterfaceHandler, SampleRecord, SampleResponse } from './json-response.js';
import { createDataInterface } from './data-interface.js';
import type { DataInterfaceOptions } from './data-interface.js';
import type { DirectoryInterfaceFactory } from './directory-interface.js';
import { createConformingDirectory, createMinimalDirectory } from './directory-interface.js';
import type { RepositoryOptions, SampleRepository } from './repository-server.js';
import { SAMPLE_HOST, startRepository } from './repository-server.js';

export interface SampleAddresses {
  /** Base URL, such as `http://127.0.0.1:8101/directory/v1`. */
  readonly directory?: string;
  readonly data?: string;
  /** Such as `http://127.0.0.1:8107/teams.csv`. */
  readonly document?: string;
  /** Such as `http://127.0.0.1:8108/advisories.rss`. */
  readonly feeds?: readonly string[];
}

export interface RunningSamples {
  readonly addresses: ReadonlyMap<string, SampleAddresses>;
  /** Does not wait for idle connections. */
  close(): Promise<void>;
}

interface PublishedFile {
  /** In the folder of the samples, such as `ledger.csv`. */
  readonly file: string;
  /** Such as `/teams.csv`. */
  readonly path: string;
  readonly contentType: string;
  /** HTTP date. */
  readonly lastModified: string;
}

interface Sample {
  readonly directory?: DirectoryInterfaceFactory;
  readonly data?: DataInterfaceOptions;
  readonly document?: PublishedFile;
  readonly feeds?: readonly PublishedFile[];
  /** Absent: it does. */
  readonly compresses?: false;
}

const paths = { directory: '/directory/v1', data: '/data/v1' };

/** As the data interface of FIRST sent in 2026. */
const observedEnvelope: DataInterfaceOptions['envelopeOf'] = ({ envelopeProperties }) =>
  envelopeProperties.includes('total') ? ['access', 'total', 'offset', 'limit'] : ['access'];

const specifiedEnvelope: DataInterfaceOptions['envelopeOf'] = ({ envelopeProperties }) => envelopeProperties;

const samples: ReadonlyMap<string, Sample> = new Map([
  [
    'harbour',
    {
      directory: createConformingDirectory({
        maxPageSize: 100,
        envelope: false,
        lastModified: 'Tue, 01 Sep 2026 06:00:00 GMT',
      }),
    },
  ],
  [
    'lantern',
    {
      directory: createConformingDirectory({
        maxPageSize: 20,
        envelope: true,
        lastModified: 'Fri, 14 Aug 2026 18:30:00 GMT',
      }),
    },
  ],
  ['attic', { directory: createMinimalDirectory, compresses: false }],
  [
    'chronicle',
    {
      data: {
        version: '1',
        maxPageSize: 100,
        lastModified: 'Wed, 30 Sep 2026 06:00:00 GMT',
        envelopeOf: specifiedEnvelope,
        keysInPublic: false,
      },
    },
  ],
  ['beacon', { data: { version: '1.0', maxPageSize: 50, envelopeOf: observedEnvelope, keysInPublic: true } }],
  [
    'quay',
    {
      directory: createConformingDirectory({
        maxPageSize: 100,
        envelope: false,
        lastModified: 'Wed, 30 Sep 2026 20:00:00 GMT',
      }),
      data: {
        version: '1',
        maxPageSize: 100,
        lastModified: 'Wed, 30 Sep 2026 20:00:00 GMT',
        envelopeOf: specifiedEnvelope,
        keysInPublic: false,
      },
    },
  ],
  [
    'ledger',
    {
      document: {
        file: 'ledger.csv',
        path: '/teams.csv',
        contentType: 'text/csv; charset=utf-8',
        lastModified: 'Mon, 28 Sep 2026 07:15:00 GMT',
      },
    },
  ],
  [
    'gazette',
    {
      feeds: [
        {
          file: 'gazette-advisories.rss',
          path: '/advisories.rss',
          contentType: 'application/rss+xml; charset=utf-8',
          lastModified: 'Fri, 25 Sep 2026 09:15:00 GMT',
        },
        {
          file: 'gazette-bulletins.atom',
          path: '/bulletins.atom',
          contentType: 'application/atom+xml; charset=utf-8',
          lastModified: 'Mon, 28 Sep 2026 06:30:00 GMT',
        },
      ],
    },
  ],
]);

const FOLDER = new URL('config/demo/', PACKAGE_FOLDER);

export const sampleNames: readonly string[] = [...samples.keys()];

/**
 * Each on its own loopback port; with port 0 the operating system assigns one (operation 2.9). Rejects with the name of
 * an unknown sample, or of one that cannot listen; repositories already started are stopped. `folder` has the files of
 * `config/demo/`.
 */
export async function startSamples(ports: ReadonlyMap<string, number>, folder = FOLDER): Promise<RunningSamples> {
  const running: SampleRepository[] = [];
  const addresses = new Map<string, SampleAddresses>();
  const close = async (): Promise<void> => {
    await Promise.all(running.map((repository) => repository.close()));
  };
  try {
    for (const [name, port] of ports) {
      const sample = sampleOf(name);
      const interfaces = await createInterfaces(name, sample, folder);
      const repository = await start(name, { interfaces, compresses: sample.compresses ?? true }, port);
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
  if (sample === undefined) throw new Error(`sample ${name} does not exist; known: ${sampleNames.join(', ')}`);
  return sample;
}

function addressesOf({ directory, data, document, feeds }: Sample, { origin }: SampleRepository): SampleAddresses {
  return {
    ...(directory && { directory: origin + paths.directory }),
    ...(data && { data: origin + paths.data }),
    ...(document && { document: origin + document.path }),
    ...(feeds && { feeds: feeds.map(({ path }) => origin + path) }),
  };
}

async function start(name: string, options: RepositoryOptions, port: number): Promise<SampleRepository> {
  try {
    return await startRepository(options, port);
  } catch (cause) {
    throw await describeListenError(cause, { host: SAMPLE_HOST, port, setting: `samples.${name}` });
  }
}

async function createInterfaces(
  name: string,
  { directory, data, document, feeds = [] }: Sample,
  folder: URL,
): Promise<ReadonlyMap<string, InterfaceHandler>> {
  const interfaces = new Map<string, InterfaceHandler>();
  if (directory !== undefined) interfaces.set(paths.directory, directory(await loadRecords(`${name}.json`, folder)));
  const published = document === undefined ? feeds : [document, ...feeds];
  if (published.length > 0) interfaces.set('', await createPublishedFiles(published, folder));
  if (data === undefined) return interfaces;
  const [teams, news, channels] = await Promise.all([
    loadRecords(`${name}-teams.json`, folder),
    loadRecords(`${name}-news.json`, folder),
    loadRecords(`${name}-channels.json`, folder),
  ]);
  return interfaces.set(paths.data, createDataInterface({ teams, news, channels }, data));
}

/** Each file at its path, whatever the query, and 404 elsewhere. */
async function createPublishedFiles(files: readonly PublishedFile[], folder: URL): Promise<InterfaceHandler> {
  const responses = new Map<string, SampleResponse>();
  for (const { file, path, contentType, lastModified } of files) {
    const headers = { 'Content-Type': contentType, 'Last-Modified': lastModified };
    responses.set(path, { status: 200, headers, body: await loadText(file, folder) });
  }
  return (path) => responses.get(path) ?? errorResponse(404, { status: 'Not Found', status_code: 404 });
}

async function loadRecords(file: string, folder: URL): Promise<readonly SampleRecord[]> {
  const records: unknown = JSON.parse(await loadText(file, folder));
  if (!Array.isArray(records) || !records.every(isRecord)) {
    throw new Error(`config/demo/${file} is not a list of records`);
  }
  return records;
}

function loadText(file: string, folder: URL): Promise<string> {
  return readFile(new URL(file, folder), 'utf8');
}

function isRecord(value: unknown): value is SampleRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
