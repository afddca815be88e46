import type { PublishOfSource } from '../../events/event.js';
import type { AccessLevel } from '../../model/access-level.js';
import { noCapability } from '../../model/registration/capability.js';
import type { Capability, DisprovedCapability, SourceCapabilities } from '../../model/registration/capability.js';
import type { Clock } from '../../model/clock.js';
import type { Resource } from '../../model/resource.js';
import { SourceFailure } from '../../source/client/source-failure.js';

/** By a response (decisions 5.16): a filter or a sort with its name, or the total. */
export interface CapabilityDisproof {
  readonly capability: 'filter' | 'sort' | 'total';
  /** Parameter of the filter, or value of `sort`. */
  readonly name?: string;
  /** For the log. */
  readonly evidence: string;
}

/** A response contradicts a declared capability, and is not used. */
export class CapabilityContradiction extends SourceFailure {
  constructor(readonly disproof: CapabilityDisproof) {
    super('schema', disproof.evidence);
  }
}

export function createTotalContradiction(evidence: string): CapabilityContradiction {
  return new CapabilityContradiction({ capability: 'total', evidence });
}

/** Of one source: registered ones that no response has disproved since the process started. */
export class BelievedCapabilities {
  private readonly reduced = new Map<Resource['path'], Capability>();
  private readonly disproofs = new Map<Resource['path'], readonly DisprovedCapability[]>();

  constructor(
    private readonly registration: {
      readonly access: AccessLevel;
      readonly supports: SourceCapabilities;
    },
    private readonly services: { readonly publish: PublishOfSource; readonly clock: Clock },
  ) {}

  /** The same object until a capability is disproved. */
  get({ path }: Resource): Capability {
    return this.reduced.get(path) ?? this.registration.supports[path] ?? noCapability;
  }

  disproofsOf({ path }: Resource): readonly DisprovedCapability[] {
    return this.disproofs.get(path) ?? [];
  }

  /** Operation 3.5. */
  reset(): void {
    this.reduced.clear();
    this.disproofs.clear();
  }

  /** Does nothing if the capability is already off. */
  disprove(resource: Resource, disproof: CapabilityDisproof): void {
    const before = this.get(resource);
    const now = withoutCapability(before, disproof);
    if (now === undefined) return;
    this.reduced.set(resource.path, now);
    const { capability: kind, name, evidence } = disproof;
    const { access } = this.registration;
    const capability = name === undefined ? kind : `${kind} ${name}`;
    // Evidence names records, which the log must not contain at members access (decisions 8.3).
    const shown = access === 'public' ? { evidence } : {};
    const noted = { capability, at: this.services.clock.now(), ...shown };
    this.disproofs.set(resource.path, [...this.disproofsOf(resource), noted]);
    this.services.publish({ type: 'capability disproved', resource: resource.name, capability, ...shown });
  }
}

/** Undefined if the capability is already off. */
function withoutCapability(before: Capability, { capability: kind, name }: CapabilityDisproof): Capability | undefined {
  if (kind === 'total') return before.total ? { ...before, total: false } : undefined;
  if (kind === 'sort')
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
