import { createSourceSettings } from '../../../src/app.js';
import { parseConfig } from '../../../src/config/parse-config.js';
import { systemClock } from '../../../src/model/clock.js';
import { probe } from '../../../src/probe/probe.js';
import type { ProbeReport } from '../../../src/probe/probe.js';
import { createUndiciTransport } from '../../../src/source/client/transport.js';
import { behaviours, simulatedRepository } from './simulated-repository.js';
import type { BehaviourName, RepositoryLists } from './simulated-repository.js';
import type { RawRecord } from '../upstream/paged-responses.js';
import { startUpstream } from '../upstream/upstream-server.js';
import type { RequestHandler } from '../upstream/upstream-server.js';

/** What a probe found, and what the source was asked for it. */
export interface ProbeRun {
  readonly report: ProbeReport;
  /** Requests that the source got. */
  readonly requests: number;
  /** Verdict, and evidence, of a topic of a resource. */
  readonly of: (topic: string, resource?: string) => string;
}

/** How a source is probed. */
export interface ProbeRunOptions {
  readonly budget?: number;
  /** Keys of the registration beside its addresses. */
  readonly registered?: object;
}

/** Probes a repository with these records and behaviours. */
export function probeRepository(
  lists: RepositoryLists,
  names: readonly BehaviourName[],
  probing: ProbeRunOptions = {},
): Promise<ProbeRun> {
  const faces = [...(lists.directory ? ['directory'] : []), ...(lists.teams || lists.news ? ['data'] : [])];
  return probeUpstream(
    simulatedRepository(
      lists,
      names.map((name) => behaviours[name]),
    ),
    faces,
    probing,
  );
}

/** Probes whatever answers. */
export async function probeUpstream(
  handler: RequestHandler,
  faces: readonly string[],
  { budget = 60, registered }: ProbeRunOptions = {},
): Promise<ProbeRun> {
  const upstream = await startUpstream(handler);
  const wire = createUndiciTransport();
  const bases = Object.fromEntries(faces.map((apiInterface) => [apiInterface, `${upstream.address}/${apiInterface}`]));
  const parsed = parseConfig(JSON.stringify({ sources: { one: { number: 1, ...bases, ...registered } } }), {});
  const [source] = 'config' in parsed ? parsed.config.sources : [];
  if (source === undefined || !('config' in parsed)) throw new Error(JSON.stringify(parsed));
  try {
    const report = await probe({
      registration: createSourceSettings(source, parsed.config.sources),
      transport: wire.transport,
      clock: systemClock,
      timeout: source.timeout,
      maxBody: source.maxBody,
      budget,
      name: 'house',
      signal: new AbortController().signal,
    });
    const of = (topic: string, resource?: string): string => {
      const found = report.findings.find((one) => one.topic === topic && (resource ?? one.resource) === one.resource);
      return found === undefined ? 'absent' : `${found.verdict}: ${found.evidence}`;
    };
    return { report, requests: upstream.requests.length, of };
  } finally {
    await wire.close();
    await upstream.close();
  }
}

/** Names that every other order puts elsewhere: cases, marks, letters of their own, spaces and punctuation. */
const STEMS = [
  ...[
    'Ångström',
    'angle',
    'Zebra',
    'apple',
    'Örebro',
    'orbit',
    'ZETA',
    'éclair',
    'Eclipse',
    'co-op',
    'coal',
    'ship yard',
  ],
  ...['Straße', 'strata', 'Ærø', 'aerial', 'Łódź', 'lodge', 'Ä b', 'a c', 'zulu', 'VAULT', 'Vault', 'Þór', 'tidal'],
];

const OWN = ['BR', 'PT', 'NO', 'DE', 'JP', 'KE', 'AU', 'CA'];

/** So many teams, in no order; some are in a further country, some lack a date, some share a host that is written with marks. */
export function distinctiveTeams(count: number, apiInterface: 'directory' | 'data'): readonly RawRecord[] {
  const [name, full, own, further] =
    apiInterface === 'directory'
      ? ['short-team-name', 'official-team-name', 'country-code', 'additional-country-code']
      : ['team', 'team-full', 'country', 'country-other'];
  return Array.from({ length: count }, (_, at) => {
    const mixed = (at * 7) % count;
    return {
      ...(apiInterface === 'data' && { id: `t${mixed}` }),
      [name]: `${String(Math.floor(mixed / STEMS.length)).padStart(3, '0')} ${STEMS[mixed % STEMS.length] ?? ''}`,
      [full]: `Response Team ${mixed}`,
      [own]: OWN[mixed % OWN.length],
      ...(mixed % 9 === 0 && { [further]: [OWN[(mixed + 3) % OWN.length]] }),
      host: mixed % 25 === 0 ? 'Øresund Äpfel' : `Host ${mixed % 40}`,
      ...(mixed % 11 !== 0 && {
        'last-modified': new Date(Date.UTC(2020, 0, 1) + ((mixed * 13) % count) * 7e7).toISOString(),
      }),
    };
  });
}

/** So many items, the newest first, several hours apart, now and then two in one second. */
export function distinctiveNews(count: number): readonly RawRecord[] {
  return Array.from({ length: count }, (_, at) => ({
    id: count - at,
    title: `Item ${(at * 7) % count}`,
    summary: `Of the ${at % 13}th kind`,
    link: `https://www.example.org/${at}`,
    published: new Date(
      Date.UTC(2026, 0, 1, 9, 30) - Math.floor(at - (at % 10 === 5 ? 1 : 0)) * 17_711_000,
    ).toUTCString(),
  }));
}
