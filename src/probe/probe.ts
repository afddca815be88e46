import type { SourceCapabilities } from '../model/registration/capability.js';
import type { Resource, SourceResource } from '../model/resource.js';
import { channels } from '../model/resources/channels.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { news } from '../model/resources/news.js';
import { SourceFailure } from '../source/client/source-failure.js';
import type { ExaminationOptions } from '../lists/reading/examination-requests.js';
import type { SourceSettings } from '../source/source-settings.js';
import { TOO_LARGE, drainList } from './drain-list.js';
import { probeFeeds } from './feeds/probe-feeds.js';
import type { CheckResult, ProbeFinding } from './finding.js';
import { examineList } from './list-findings.js';
import { ProbeClient, describeProbeFailure } from './probe-client.js';
import { deriveSupports } from './supports-block.js';

/** (operation 1.5.4) */
export interface ProbeReport {
  readonly version: 2;
  readonly code: string;
  /** At least one list or feed could be read. */
  readonly reached: boolean;
  /** Redirects included. */
  readonly requests: number;
  readonly findings: readonly ProbeFinding[];
  /** By path. Empty for feeds, which evaluate nothing. */
  readonly supports: SourceCapabilities;
  /** Paths of lists that are too large to be drained. */
  readonly tooLarge: readonly string[];
}

const RESOURCES = [directoryTeams, dataTeams, news, channels] as const;

/**
 * Drains each list, and compares what the source answers to a table of queries with the exact results; requests and
 * revalidates each feed (decisions 5.19, operation 1.5). Never rejects because of the source's behaviour.
 */
export async function probe(options: ExaminationOptions): Promise<ProbeReport> {
  const { dialects, code } = options.registration;
  const paging = dialects.data?.paging;
  if (paging?.kind === 'feeds')
    return { version: 2, code, ...(await probeFeeds(options, paging)), supports: {}, tooLarge: [] };
  const client = new ProbeClient(options);
  const resources = RESOURCES.filter((resource) => servesResource(options.registration, resource));
  const received: ProbeFinding[] = [];
  const tooLarge = new Set<string>();
  let reached = false;
  for (const resource of resources) {
    const { results, ...list } = await probeList(client, resource);
    received.push(...results.map((result) => ({ resource: resource.name, ...result })));
    reached ||= list.isRead;
    if (list.isTooLarge) tooLarge.add(resource.path);
  }
  const findings = client.isAggregateIncomplete ? received.map(withdrawProof) : received;
  const supports = deriveSupports(findings, resources);
  return { version: 2, code, reached, requests: client.requestsSent, findings, supports, tooLarge: [...tooLarge] };
}

function servesResource({ resources, dialects }: SourceSettings, { path, interfaceName }: Resource): boolean {
  return resources.includes(path) && dialects[interfaceName] !== undefined;
}

async function probeList(
  client: ProbeClient,
  resource: SourceResource,
): Promise<{
  readonly results: readonly CheckResult[];
  readonly isRead: boolean;
  readonly isTooLarge: boolean;
}> {
  try {
    const list = await drainList(client, resource);
    return { results: await examineList(list), isRead: true, isTooLarge: list.obstacle.startsWith(TOO_LARGE) };
  } catch (error) {
    if (!(error instanceof SourceFailure)) throw error;
    const results: readonly CheckResult[] = [
      { topic: 'records', verdict: 'open', evidence: describeProbeFailure(error) },
    ];
    return { results, isRead: false, isTooLarge: false };
  }
}

/** An aggregate that was missing data of its own sources may have had other records before. */
function withdrawProof({ grant, ...finding }: ProbeFinding): ProbeFinding {
  if (grant === undefined) return finding;
  return { ...finding, verdict: 'open', evidence: `${finding.evidence}; but some of its own sources were incomplete` };
}
