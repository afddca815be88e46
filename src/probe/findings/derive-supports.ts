import type { Capability, SourceCapabilities } from '../../model/capability.js';
import { noCapability } from '../../model/capability.js';
import type { Resource } from '../../model/resource.js';
import { listStoredProperties } from '../../model/resource.js';
import type { ProbeFinding, CapabilityGrant } from './finding.js';

/** What the findings add up to, by path; a resource that was asked for and of which nothing is proved has no capability. */
export function deriveSupports(findings: readonly ProbeFinding[], resources: readonly Resource[]): SourceCapabilities {
  const paths = [...new Set(resources.map(({ path }) => path))];
  return Object.fromEntries(
    paths.map((path) => {
      const sides = resources.filter((resource) => resource.path === path);
      return [
        path,
        combineInterfaces(
          sides.map((resource) => ({ resource, capability: capabilityFromFindings(resource, findings) })),
        ),
      ];
    }),
  );
}

/** A capability on one of the interfaces that a source speaks. */
interface InterfaceCapability {
  readonly resource: Resource;
  readonly capability: Capability;
}

/** What the sorts that are supported rest on beside what the source does. */
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
 * One capability for a path that a source serves on two interfaces: what both have a name for must hold on both, and what only one has a
 * name for, on that one.
 */
function combineInterfaces(sides: readonly InterfaceCapability[]): Capability {
  const [only, other] = sides;
  if (only === undefined) return noCapability;
  if (other === undefined) return only.capability;
  const limits = sides.flatMap(({ capability: has }) => has.limitMax ?? []);
  return {
    filters: sharedNames(sides, ({ filters }) => filters),
    coarse: sharedNames(sides, ({ coarse }) => coarse),
    sort: sharedNames(sides, ({ sort }) => sort),
    search: sides.every(({ capability: has }) => has.search),
    total: sides.every(({ capability: has }) => has.total),
    ...(limits.length > 0 && { limitMax: Math.min(...limits) }),
    exact: false,
  };
}

function sharedNames(
  sides: readonly InterfaceCapability[],
  names: (capability: Capability) => readonly string[],
): readonly string[] {
  const all = [...new Set(sides.flatMap(({ capability: has }) => names(has)))];
  return all.filter((name) =>
    sides.every(({ resource, capability: has }) => names(has).includes(name) || !knowsName(resource, name)),
  );
}

/** Whether the interface has a property, or a parameter, of that name. `country` both have; `team` is a search on the directory. */
function knowsName(resource: Resource, name: string): boolean {
  const words = [...listStoredProperties(resource), ...resource.knownExtraProperties].map((one) => one.name);
  return ['country', 'team', ...words].includes(name.replace(/^-/, '')) || words.includes(name);
}

/** The block to paste under a source, indented for its place, with comments on what it rests on. */
export function formatSupportsBlock(
  supports: SourceCapabilities,
  comment: string,
  cautions: readonly string[] = [],
): string {
  const lines = Object.entries(supports).map(([path, one]) => `      ${path}: ${formatCapability(one)}\n`);
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

/** Names that are no word are quoted. */
function quoteName(name: string): string {
  return /^-?[a-z][\w-]+$/.test(name) && !/^(true|false|null|yes|no|on|off)$/.test(name) ? name : JSON.stringify(name);
}
