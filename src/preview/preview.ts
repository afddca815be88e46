import type { DocumentMapping } from '../model/registration/document-mapping.js';
import type { Resource } from '../model/resource.js';
import { channels } from '../model/resources/channels.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import { news, newsItem } from '../model/resources/news.js';
import { asFailure } from '../source/client/source-failure.js';
import type { Dialect } from '../source/dialect/dialect.js';
import type { SourceSettings } from '../source/source-settings.js';
import { describeFailure } from './describe-failure.js';
import { previewFeeds } from './feeds/preview-feeds.js';
import type { PreviewReport, ResourceReport } from './preview-report.js';
import { PreviewSession } from './preview-session.js';
import type { PreviewOptions } from './preview-session.js';
import { buildResourceReport } from './resource-report.js';

const RESOURCES = [directoryTeams, dataTeams, news, channels] as const;

/**
 * Reads the first page of each list, or each feed, as a server would, and reports what became of the entries (operation
 * 1.7). Never rejects because of the source's behaviour.
 */
export async function preview(options: PreviewOptions): Promise<PreviewReport> {
  const { registration } = options;
  const session = new PreviewSession(options);
  const paging = registration.dialects.data?.paging;
  const resources =
    paging?.kind === 'feeds' ? await previewFeeds(session, paging) : await previewResources(session, registration);
  const { code, provenance } = registration;
  return {
    version: 2,
    source: code,
    sourceName: provenance.sourceName,
    requests: session.requests.requests,
    resources,
  };
}

async function previewResources(
  session: PreviewSession,
  registration: SourceSettings,
): Promise<readonly ResourceReport[]> {
  const reports: ResourceReport[] = [];
  for (const resource of RESOURCES) {
    if (servesResource(registration, resource)) reports.push(await previewResource(session, resource));
  }
  return reports;
}

function servesResource({ resources, dialects }: SourceSettings, { path, interfaceName }: Resource): boolean {
  return resources.includes(path) && dialects[interfaceName] !== undefined;
}

async function previewResource(session: PreviewSession, listed: Resource): Promise<ResourceReport> {
  const { paging } = session.dialectOf(listed);
  if (paging.kind === 'feeds') throw new Error('feeds have no lists of their own');
  // News of a document have all properties of the detail form (decisions 4.27).
  const resource = paging.kind === 'linked' && listed === news ? newsItem : listed;
  const recordings = { list: session.startRecording(resource), joined: session.startRecording(resource) };
  const name = { resource: resource.path, interface: resource.interfaceName };
  try {
    const firstPage =
      paging.kind === 'linked'
        ? await session.fetchDocument(resource, paging, recordings)
        : await session.fetchFirstPage(resource, paging, recordings.list);
    const page = { resource, recordings, firstPage, mapping: findMapping(paging) };
    return { ...name, ...(await buildResourceReport(session, page)) };
  } catch (error) {
    return { ...name, ...describeFailure(asFailure(error), session, [recordings.joined, recordings.list]) };
  }
}

function findMapping(paging: Dialect['paging']): DocumentMapping | undefined {
  return paging.kind === 'linked' && paging.list.format.kind === 'document' ? paging.list.format.mapping : undefined;
}
