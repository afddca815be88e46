import type { Capability, SourceCapabilities } from '../model/registration/capability.js';
import { noCapability } from '../model/registration/capability.js';
import type { Resource } from '../model/resource.js';
import { listStoredProperties } from '../model/resource.js';
import { TOO_LARGE } from './drain-list.js';
import type { ProbeFinding } from './finding.js';

/** By path. A resource without a proved capability gets `noCapability`. */
export function deriveSupports(findings: readonly ProbeFinding[], resources: readonly Resource[]): SourceCapabilities {
  const paths = [...new Set(resources.map(({ path }) => path))];
  return Object.fromEntries(
    paths.map((path) => {
      const sides = resources.filter((resource) => resource.path === path);
      return [path, combineInterfaces(sides.map((resource) => ({ resource, ...proveCapability(resource, findings) })))];
    }),
  );
}

type InterfaceCapability = Pick<Capability, 'filters' | 'sort' | 'search' | 'total'> & { readonly resource: Resource };

function proveCapability(
  { name }: Resource,
  findings: readonly ProbeFinding[],
): Pick<Capability, 'filters' | 'sort' | 'search' | 'total'> {
  const grants = findings.flatMap(({ resource, grant }) => (resource === name && grant ? [grant] : []));
  return {
    filters: grants.flatMap((grant) => ('filter' in grant ? [grant.filter] : [])),
    sort: grants.flatMap((grant) => ('sort' in grant ? [grant.sort] : [])),
    search: grants.some((grant) => 'search' in grant),
    total: grants.some((grant) => 'total' in grant),
  };
}

/** A name that both interfaces of a path know must be proved on both, another one on its own (decisions 5.11). */
function combineInterfaces(sides: readonly InterfaceCapability[]): Capability {
  const shared = (namesOf: (side: InterfaceCapability) => readonly string[]): readonly string[] =>
    [...new Set(sides.flatMap(namesOf))].filter((name) =>
      sides.every((side) => namesOf(side).includes(name) || !knowsName(side.resource, name)),
    );
  return {
    ...noCapability,
    filters: shared(({ filters }) => filters),
    sort: shared(({ sort }) => sort),
    search: sides.every(({ search }) => search),
    total: sides.every(({ total }) => total),
  };
}

/** Both interfaces have `country`, and `team`, which is a search on the directory interface. */
function knowsName(resource: Resource, name: string): boolean {
  const names = [...listStoredProperties(resource), ...resource.knownExtraProperties].map((property) => property.name);
  return ['country', 'team', ...names].includes(name.replace(/^-/, '')) || names.includes(name);
}

/** Indented to be pasted under a source, with a comment on what is too large to prove (operation 1.5). */
export function formatSupportsBlock(
  supports: SourceCapabilities,
  comment: string,
  tooLarge: readonly string[] = [],
): string {
  const lines = Object.entries(supports).map(
    ([path, capability]) =>
      `      ${path}: ${formatCapability(capability)}${tooLarge.includes(path) ? ` # ${TOO_LARGE}` : ''}\n`,
  );
  return `    supports: # ${comment}\n${lines.join('')}`;
}

function formatCapability({ filters, sort, search, total }: Capability): string {
  const names = (all: readonly string[]): string => `[${all.map(quoteName).join(', ')}]`;
  return `{ filters: ${names(filters)}, sort: ${names(sort)}, search: ${search}, total: ${total} }`;
}

function quoteName(name: string): string {
  return /^-?[a-z][\w-]+$/.test(name) && !/^(true|false|null|yes|no|on|off)$/.test(name) ? name : JSON.stringify(name);
}
