import { createSourceSettings } from '../../../src/composition/create-sources.js';
import { parseConfig } from '../../../src/config/parse-config.js';
import { systemClock } from '../../../src/model/clock.js';
import { probe } from '../../../src/probe/probe.js';
import type { ProbeReport } from '../../../src/probe/probe.js';
import { createUndiciTransport } from '../../../src/source/client/transport/http-transport.js';
import { behaviours, simulatedRepository } from '../repository/simulated-repository.js';
import type { BehaviourName, RepositoryLists } from '../repository/simulated-repository.js';
import type { RawRecord } from '../upstream/paged-responses.js';
import { startUpstream } from '../upstream/upstream-server.js';
import type { RequestHandler } from '../upstream/upstream-server.js';

/** The report of a probe and the number of its requests. */
export interface ProbeRun {
  readonly report: ProbeReport;
  /** Number of requests that the source received. */
  readonly requests: number;
  /** Verdict and evidence of a topic, as `verdict: evidence`; `absent` if the report has no such finding. */
  readonly of: (topic: string, resource?: string) => string;
}

/** Options of a probe. */
export interface ProbeRunOptions {
  /** Settings of the source besides its addresses. */
  readonly registered?: object;
  /** Builds further settings from the address of the server. */
  readonly registerAt?: (address: string) => object;
}

/** Probes a repository with these records and behaviours. */
export function probeRepository(
  lists: RepositoryLists,
  names: readonly BehaviourName[],
  probing: ProbeRunOptions = {},
): Promise<ProbeRun> {
  const interfaces = [...(lists.directory ? ['directory'] : []), ...(lists.teams || lists.news ? ['data'] : [])];
  return probeUpstream(
    simulatedRepository(
      lists,
      names.map((name) => behaviours[name]),
    ),
    interfaces,
    probing,
  );
}

/** Probes an upstream with this request handler. */
export async function probeUpstream(
  handler: RequestHandler,
  interfaces: readonly string[],
  { registered, registerAt }: ProbeRunOptions = {},
): Promise<ProbeRun> {
  const upstream = await startUpstream(handler);
  const wire = createUndiciTransport('rollcall');
  const bases = Object.fromEntries(
    interfaces.map((apiInterface) => [apiInterface, `${upstream.address}/${apiInterface}`]),
  );
  const settings = { ...bases, ...registered, ...registerAt?.(upstream.address) };
  const parsed = parseConfig(JSON.stringify({ sources: { one: { number: 1, ...settings } } }), {});
  const [source] = 'config' in parsed ? parsed.config.sources : [];
  if (source === undefined || !('config' in parsed)) throw new Error(JSON.stringify(parsed));
  try {
    const report = await probe({
      registration: createSourceSettings(source, parsed.config, 'public'),
      transport: wire.transport,
      credential: source.credentials.public,
      clock: systemClock,
      timeout: source.timeout,
      maxBody: source.maxBody,
      name: 'own-gateway',
      signal: new AbortController().signal,
    });
    const of = (topic: string, resource?: string): string => {
      const finding = report.findings.find(
        (candidate) => candidate.topic === topic && (resource ?? candidate.resource) === candidate.resource,
      );
      return finding === undefined ? 'absent' : `${finding.verdict}: ${finding.evidence}`;
    };
    return { report, requests: upstream.requests.length, of };
  } finally {
    await wire.close();
    await upstream.close();
  }
}

/** Names that every other collation orders differently: case, combining marks, letters that NFKD does not decompose, spaces, punctuation. */
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

/**
 * Generates teams in no particular order. Some have an additional country, some have no date, and some share a host with
 * combining marks.
 */
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

/** Generates news items, newest first, several hours apart; some pairs have the same publication time. */
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
