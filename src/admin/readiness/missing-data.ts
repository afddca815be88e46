import type { ServedResource } from '../../http/operations/served-resource.js';
import type { Resource, ResourceName } from '../../model/resource.js';
import type { Source } from '../../lists/source/source.js';
import type { ListStatus } from '../../lists/status/source-status.js';

interface SourceWithoutData {
  readonly source: Source;
  readonly list: Resource;
  /** Without texts of the source. */
  readonly summary: string;
}

export interface MissingResource {
  readonly resource: ResourceName;
  /** Some source has records, but a required one has none (decisions 6.5). */
  readonly isRequiredSourceMissing: boolean;
  /** All that serve the resource, or the required ones. */
  readonly sources: readonly [SourceWithoutData, ...SourceWithoutData[]];
}

/**
 * Resources of which no list could be given at public access: no source has records that may be served, or a required
 * source has none (operation 2.4.1). Resources that no source serves are not missing. Sends no request.
 */
export function findMissingResources(
  served: readonly ServedResource[],
  sources: readonly Source[],
): readonly MissingResource[] {
  const lists = served.filter(({ operation, options: { rules } }) => operation === 'read' && rules.item !== true);
  const resources = lists.map(({ options: { rules } }) => rules.vocabulary.resource);
  return resources.flatMap((resource) => {
    const serving = sources.flatMap((source) => findServedList(source, resource, resources));
    const missing = serving.filter(({ status }) => !hasRecords(status)).map(toSourceWithoutData);
    const required = missing.filter(({ source }) => source.required);
    const isRequiredSourceMissing = missing.length < serving.length;
    const [first, ...more] = isRequiredSourceMissing ? required : missing;
    return first === undefined ? [] : [{ resource: resource.name, isRequiredSourceMissing, sources: [first, ...more] }];
  });
}

interface ServedList {
  readonly source: Source;
  readonly list: Resource;
  readonly status: ListStatus;
}

/** The source's own list, or that of the other interface. */
function findServedList(source: Source, resource: Resource, resources: readonly Resource[]): readonly ServedList[] {
  const interfaceName = source.serves(resource) ? source.interfaceFor(resource) : undefined;
  const list = resources.find((one) => one.path === resource.path && one.interfaceName === interfaceName);
  const status = source.operations.status().resources.find((one) => one.resource === list?.name);
  return list === undefined || status === undefined ? [] : [{ source, list, status }];
}

/** Records are cached that may be served, or the source counts more of them than are cached. */
function hasRecords({ condition }: ListStatus): boolean {
  return condition === 'ok' || condition === 'warning';
}

function toSourceWithoutData({ source, list, status: { summary } }: ServedList): SourceWithoutData {
  return { source, list, summary };
}
