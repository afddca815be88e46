import { noCapability } from '../../model/capability.js';
import type { Capability, SourceCapabilities } from '../../model/capability.js';
import type { Log } from '../../model/log.js';
import type { Meter } from '../../model/meter.js';
import type { Resource } from '../../model/resource.js';
import { SourceFailure } from '../client/source-failure.js';

/** What an answer of a source shows not to be as it was claimed (decisions.md, section 5): a filter or a sort, by its name, or that totals count. */
export interface CapabilityDisproof {
  readonly capability: 'filter' | 'sort' | 'total';
  /** The parameter of a filter, the value of a sort. */
  readonly name?: string;
  /** What was seen. */
  readonly evidence: string;
}

/** Thrown where an answer contradicts what was claimed of its source: nothing of it is to be believed. */
export class CapabilityContradiction extends SourceFailure {
  constructor(readonly disproof: CapabilityDisproof) {
    super('schema', disproof.evidence);
  }
}

/** What one source is believed to do: what it is registered with, but for what its own answers have disproved since the process began. */
export class BelievedCapabilities {
  private readonly reduced = new Map<Resource['path'], Capability>();

  constructor(
    private readonly registration: { readonly code: string; readonly supports: SourceCapabilities },
    private readonly services: { readonly log: Log; readonly meter: Meter },
  ) {}

  /** What it does with a resource: the same object for as long as nothing of it is disproved. */
  get({ path }: Resource): Capability {
    return this.reduced.get(path) ?? this.registration.supports[path] ?? noCapability;
  }

  /** Switches a capability off. What is off already is told once. */
  disprove(resource: Resource, disproof: CapabilityDisproof): void {
    const before = this.get(resource);
    const now = withoutCapability(before, disproof);
    if (now === undefined) return;
    this.reduced.set(resource.path, now);
    const { capability: claim, name, evidence } = disproof;
    const { code: source } = this.registration;
    const capability = name === undefined ? claim : `${claim} ${name}`;
    this.services.log.warn({ source, resource: resource.name, capability, evidence }, 'capability disproved');
    this.services.meter.countDisprovedCapability({ source, resource: resource.name, capability });
  }
}

/** Undefined where it is off already. */
function withoutCapability(
  before: Capability,
  { capability: claim, name }: CapabilityDisproof,
): Capability | undefined {
  if (claim === 'total') return before.total ? { ...before, total: false } : undefined;
  if (claim === 'sort')
    return isAbsent(before.sort, name) ? undefined : { ...before, sort: withoutName(before.sort, name) };
  if (name === 'q') return before.search ? { ...before, search: false } : undefined;
  const filters = withoutName(before.filters, name);
  return isAbsent(before.filters, name) ? undefined : { ...before, filters };
}

function isAbsent(names: readonly string[], name: string | undefined): boolean {
  return name === undefined || !names.includes(name);
}

function withoutName(names: readonly string[], name: string | undefined): readonly string[] {
  return names.filter((one) => one !== name);
}
