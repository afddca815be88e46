import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { directoryTeams } from '../src/model/resources/directory-teams.js';
import type { Figure } from './bounds.js';
import { cachedRecordSets, openGateway, parseBenchConfig } from './harness/in-process-gateway.js';
import type { InProcessGateway } from './harness/in-process-gateway.js';
import { cpuOf, longestBlock } from './harness/measure.js';
import { directory } from './subjects/directory.js';

const RECORDS = 10_000;

/** Rounds of measurement; the shortest one counts. The first rounds compile the code of the worker thread. */
const ROUNDS = 9;

/** Twelve expressions over an entry in another shape than Rollcall's, as a published list has them. */
const EXPRESSIONS: Readonly<Record<string, string>> = {
  'short-team-name': 'name.short',
  'official-team-name': 'name.long',
  'postal-address': 'contact.address',
  'country-code': 'upper(country.code)',
  website: "split(contact.web, ' ')",
  email: 'trim(contact.mail)',
  host: 'host || name.long',
  'phone-numbers': "[contact.phone, contact.fax && join('', [contact.fax, ' (fax)'])]",
  enckeys: 'keys[].id',
  constituency: "sectors && join(', ', sectors)",
  'constituency-description': 'about.text',
  '-one-level': 'accreditation.level',
};

/**
 * A document of 10,000 records with twelve expressions: CPU time of all threads for a drain, relative to JSON.parse of the
 * document, and the longest turn of the event loop of the thread that answers.
 */
export async function documentBench(): Promise<Figure[]> {
  const text = JSON.stringify({ teams: directory.recordsOf({ code: 'one', count: RECORDS, from: 0 }).map(toEntry) });
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-bench-'));
  try {
    const file = join(folder, 'teams.json');
    writeFileSync(file, text);
    const lines = Object.entries(EXPRESSIONS).map(([name, expression]) => `${name}: ${JSON.stringify(expression)}`);
    const document = `{ file: ${JSON.stringify(file)}, records: "teams[]", map: { ${lines.join(', ')} } }`;
    const config = parseBenchConfig([
      'server: { log: none, deadline: 60s }',
      // Each request after a millisecond refreshes the snapshot, and waits for it.
      `sources: { one: { number: 1, ttl: 1ms, stale-while-revalidate: 0s, timeout: 60s, document: ${document} } }`,
    ]);
    const running = await openGateway(config);
    const figures = await measure(running, { file, text });
    await running.close();
    return figures;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function measure(
  running: InProcessGateway,
  { file, text }: { readonly file: string; readonly text: string },
): Promise<Figure[]> {
  const [parsing, refreshing, blocks]: [number[], number[], number[]] = [[], [], []];
  for (let round = 1; round <= ROUNDS; round += 1) {
    parsing.push(await cpuOf((): unknown => JSON.parse(text)));
    const refresh = (): Promise<void> => drain(running);
    utimesSync(file, round, round);
    refreshing.push(await cpuOf(refresh));
    utimesSync(file, round, round + 0.5);
    blocks.push(await longestBlock(refresh));
  }
  return [
    {
      name: `drain of a document of ${RECORDS} records, twelve expressions, to JSON.parse`,
      value: Math.min(...refreshing) / Math.min(...parsing),
      bound: 'document',
    },
    { name: `longest block, drain of a document of ${RECORDS} records`, value: Math.min(...blocks), bound: 'block' },
  ];
}

/** Refreshes the snapshot of the document. */
async function drain(running: InProcessGateway): Promise<void> {
  const [set] = await cachedRecordSets(running, directoryTeams);
  if (set?.records.length !== RECORDS) throw new Error(`${set?.records.length ?? 0} of ${RECORDS} records`);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** An entry of a list with the values of a record, in another shape. */
function toEntry(record: Readonly<Record<string, unknown>>, at: number): object {
  const list = (name: string): readonly unknown[] => [record[name] ?? []].flat();
  return {
    uuid: `u-${at}`,
    name: { short: record['short-team-name'], long: record['official-team-name'] },
    country: { code: textOf(record['country-code'] ?? 'xx').toLowerCase() },
    contact: {
      address: record['postal-address'],
      mail: ` ${textOf(record['email'])} `,
      web: list('website').join(' '),
      phone: list('phone-numbers')[0],
      ...(at % 2 === 0 && { fax: '+47 5550 0100' }),
    },
    ...(at % 3 === 0 && { host: record['host'] }),
    keys: list('enckeys').map((id) => ({ id, type: 'pgp' })),
    sectors: list('constituency'),
    about: { text: record['constituency-description'], since: record['establishment'] },
    accreditation: { level: 'listed', since: '2019' },
  };
}
