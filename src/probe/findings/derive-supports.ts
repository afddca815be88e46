import type { Capability, SourceCapabilities } from '../../model/registration/capability.js';
import { noCapability } from '../../model/registration/capability.js';
import type { Resource } from '../../model/resource.js';
import { listStoredProperties } from '../../model/resource.js';
import type { ProbeFinding, CapabilityGrant } from './finding.js';

/** Capabilities that the findings prove, by path. A resource without a proved capability gets `noCapability`. */
export function deriveSupports(findings: readonly ProbeFinding[], resources: readonly Resource[]): SourceCapabilities {
  const paths = [...new Set(resources.map(({ path }) => path))];
  return Object.fromEntries(
    paths.map((path) => {
      const interfaces = resources.filter((resource) => resource.path === path);
      return [
        path,
        combineInterfaces(
          interfaces.map((resource) => ({ resource, capability: capabilityFromFindings(resource, findings) })),
        ),
      ];
    }),
  );
}

/** Capability of a source on one of its interfaces. */
interface InterfaceCapability {
  readonly resource: Resource;
  readonly capability: Capability;
}

/** Conditions on which the supported sort orders rest in addition to the source's behaviour. */
export function deriveCautions(findings: readonly ProbeFinding[], supports: SourceCapabilities): readonly string[] {
  const sorts = Object.values(supports).flatMap(({ sort }) => sort);
  const cautions = findings.flatMap(({ topic, caution, grant }) =>
    caution !== undefined && grant !== undefined && 'sort' in grant && sorts.includes(grant.sort)
      ? [`${topic} ${caution}`]
      : [],
  );
  return [...new Set(cautions)];
}

function capabilityFromFindings({ name }: Resource, findings: readonly ProbeFinding[]): Capability {
  const grants = findings.flatMap(({ resource, grant }) => (resource === name && grant ? [grant] : []));
  const named = (kind: 'filter' | 'coarse' | 'sort'): readonly string[] =>
    grants.flatMap((grant) => (isGrantOf(grant, kind) ? [grant[kind]] : []));
  const limits = grants.flatMap((grant) => ('limitMax' in grant ? [grant.limitMax] : []));
  return {
    filters: named('filter'),
    coarse: named('coarse'),
    sort: named('sort'),
    search: grants.some((grant) => 'search' in grant),
    total: grants.some((grant) => 'total' in grant),
    ...(limits.length > 0 && { limitMax: Math.min(...limits) }),
    exact: false,
  };
}

function isGrantOf<K extends 'filter' | 'coarse' | 'sort'>(
  grant: CapabilityGrant,
  kind: K,
): grant is CapabilityGrant & Record<K, string> {
  return kind in grant;
}

/**
 * Combines the capabilities of a path that a source serves on both interfaces. A name that both interfaces know must
 * be proved on both; any other name on the interface that knows it (decisions 5.14).
 */
function combineInterfaces(interfaces: readonly InterfaceCapability[]): Capability {
  const [first, second] = interfaces;
  if (first === undefined) return noCapability;
  if (second === undefined) return first.capability;
  const limits = interfaces.flatMap(({ capability }) => capability.limitMax ?? []);
  return {
    filters: sharedNames(interfaces, ({ filters }) => filters),
    coarse: sharedNames(interfaces, ({ coarse }) => coarse),
    sort: sharedNames(interfaces, ({ sort }) => sort),
    search: interfaces.every(({ capability }) => capability.search),
    total: interfaces.every(({ capability }) => capability.total),
    ...(limits.length > 0 && { limitMax: Math.min(...limits) }),
    exact: false,
  };
}

function sharedNames(
  interfaces: readonly InterfaceCapability[],
  names: (capability: Capability) => readonly string[],
): readonly string[] {
  const all = [...new Set(interfaces.flatMap(({ capability }) => names(capability)))];
  return all.filter((name) =>
    interfaces.every(({ resource, capability }) => names(capability).includes(name) || !knowsName(resource, name)),
  );
}

/**
 * Whether the interface has a property or parameter of that name. Both have `country`, and `team`, which is a search
 * on the directory interface.
 */
function knowsName(resource: Resource, name: string): boolean {
  const names = [...listStoredProperties(resource), ...resource.knownExtraProperties].map((property) => property.name);
  return ['country', 'team', ...names].includes(name.replace(/^-/, '')) || names.includes(name);
}

/**
 * Formats the `supports` block, indented to be pasted under a source, with the cautions as comments (operation 1.5).
 */
export function formatSupportsBlock(
  supports: SourceCapabilities,
  comment: string,
  cautions: readonly string[] = [],
): string {
  const lines = Object.entries(supports).map(
    ([path, capability]) => `      ${path}: ${formatCapability(capability)}\n`,
  );
  const notes = cautions.map((caution) => `      # ${caution}\n`);
  return `    supports: # ${comment}\n${notes.join('')}${lines.join('')}`;
}

function formatCapability({ filters, coarse, sort, search, total, limitMax }: Capability): string {
  const pairs = [
    `filters: [${filters.map(quoteName).join(', ')}]`,
    ...(coarse.length > 0 ? [`coarse: [${coarse.map(quoteName).join(', ')}]`] : []),
    `sort: [${sort.map(quoteName).join(', ')}]`,
    `search: ${search}`,
    `total: ${total}`,
    ...(limitMax === undefined ? [] : [`limit-max: ${limitMax}`]),
  ];
  return `{ ${pairs.join(', ')} }`;
}

/** Quotes names that are not plain YAML words. */
function quoteName(name: string): string {
  return /^-?[a-z][\w-]+$/.test(name) && !/^(true|false|null|yes|no|on|off)$/.test(name) ? name : JSON.stringify(name);
}
