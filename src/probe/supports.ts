import type { Capability, Supports } from '../model/capabilities.js';
import { noCapability } from '../model/capabilities.js';
import type { Resource } from '../model/resource.js';
import { columnsOf } from '../model/resource.js';
import type { Finding, Grant } from './finding.js';

/** What the findings add up to, by path; a resource that was asked for and of which nothing is proved has no capability. */
export function supportsOf(findings: readonly Finding[], resources: readonly Resource[]): Supports {
  const paths = [...new Set(resources.map(({ path }) => path))];
  return Object.fromEntries(
    paths.map((path) => {
      const sides = resources.filter((resource) => resource.path === path);
      return [path, both(sides.map((resource) => ({ resource, has: capability(resource, findings) })))];
    }),
  );
}

/** A capability on one of the interfaces that a source speaks. */
interface Side {
  readonly resource: Resource;
  readonly has: Capability;
}

/** What the sorts that are supported rest on beside what the source does. */
export function cautionsOf(findings: readonly Finding[], supports: Supports): readonly string[] {
  const sorts = Object.values(supports).flatMap(({ sort }) => sort);
  const cautions = findings.flatMap(({ topic, caution, grant }) =>
    caution !== undefined && grant !== undefined && 'sort' in grant && sorts.includes(grant.sort)
      ? [`${topic} ${caution}`]
      : [],
  );
  return [...new Set(cautions)];
}

function capability({ name }: Resource, findings: readonly Finding[]): Capability {
  const grants = findings.flatMap(({ resource, grant }) => (resource === name && grant ? [grant] : []));
  const named = (kind: 'filter' | 'coarse' | 'sort'): readonly string[] =>
    grants.flatMap((grant) => (hasName(grant, kind) ? [grant[kind]] : []));
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

function hasName<K extends 'filter' | 'coarse' | 'sort'>(grant: Grant, kind: K): grant is Grant & Record<K, string> {
  return kind in grant;
}

/**
 * One capability for a path that a source serves on two interfaces: what both have a name for must hold on both, and what only one has a
 * name for, on that one.
 */
function both(sides: readonly Side[]): Capability {
  const [only, other] = sides;
  if (only === undefined) return noCapability;
  if (other === undefined) return only.has;
  const limits = sides.flatMap(({ has }) => has.limitMax ?? []);
  return {
    filters: shared(sides, ({ filters }) => filters),
    coarse: shared(sides, ({ coarse }) => coarse),
    sort: shared(sides, ({ sort }) => sort),
    search: sides.every(({ has }) => has.search),
    total: sides.every(({ has }) => has.total),
    ...(limits.length > 0 && { limitMax: Math.min(...limits) }),
    exact: false,
  };
}

function shared(sides: readonly Side[], names: (capability: Capability) => readonly string[]): readonly string[] {
  const all = [...new Set(sides.flatMap(({ has }) => names(has)))];
  return all.filter((name) =>
    sides.every(({ resource, has }) => names(has).includes(name) || !hasWord(resource, name)),
  );
}

/** Whether the interface has a property, or a parameter, of that name. `country` both have; `team` is a search on the directory. */
function hasWord(resource: Resource, name: string): boolean {
  const words = [...columnsOf(resource), ...resource.extra].map((one) => one.name);
  return ['country', 'team', ...words].includes(name.replace(/^-/, '')) || words.includes(name);
}

/** The block to paste under a source, indented for its place, with comments on what it rests on. */
export function supportsBlock(supports: Supports, comment: string, cautions: readonly string[] = []): string {
  const lines = Object.entries(supports).map(([path, one]) => `      ${path}: ${flow(one)}\n`);
  const notes = cautions.map((caution) => `      # ${caution}\n`);
  return `    supports: # ${comment}\n${notes.join('')}${lines.join('')}`;
}

function flow({ filters, coarse, sort, search, total, limitMax }: Capability): string {
  const pairs = [
    `filters: [${filters.map(scalar).join(', ')}]`,
    ...(coarse.length > 0 ? [`coarse: [${coarse.map(scalar).join(', ')}]`] : []),
    `sort: [${sort.map(scalar).join(', ')}]`,
    `search: ${search}`,
    `total: ${total}`,
    ...(limitMax === undefined ? [] : [`limit-max: ${limitMax}`]),
  ];
  return `{ ${pairs.join(', ')} }`;
}

/** Names that are no word are quoted. */
function scalar(name: string): string {
  return /^-?[a-z][\w-]+$/.test(name) && !/^(true|false|null|yes|no|on|off)$/.test(name) ? name : JSON.stringify(name);
}
