import { noCapability } from '../model/capabilities.js';
import type { Capability, Supports } from '../model/capabilities.js';
import type { Log } from '../model/log.js';
import type { Meter } from '../model/meter.js';
import type { Resource } from '../model/resource.js';
import { SourceFailure } from './failure.js';

/** What an answer of a source shows not to be as it was claimed (decisions.md, section 5): a filter or a sort, by its name, or that totals count. */
export interface Disproof {
  readonly claim: 'filter' | 'sort' | 'total';
  /** The parameter of a filter, the value of a sort. */
  readonly name?: string;
  /** What was seen. */
  readonly evidence: string;
}

/** Thrown where an answer contradicts what was claimed of its source: nothing of it is to be believed. */
export class Contradiction extends SourceFailure {
  constructor(readonly disproof: Disproof) {
    super('schema', disproof.evidence);
  }
}

/** What one source is believed to do: what it is registered with, but for what its own answers have disproved since the process began. */
export class Claims {
  private readonly believed = new Map<Resource['path'], Capability>();

  constructor(
    private readonly registration: { readonly code: string; readonly supports: Supports },
    private readonly house: { readonly log: Log; readonly meter: Meter },
  ) {}

  /** What it does with a resource: the same object for as long as nothing of it is disproved. */
  of({ path }: Resource): Capability {
    return this.believed.get(path) ?? this.registration.supports[path] ?? noCapability;
  }

  /** Switches a capability off. What is off already is told once. */
  disprove(resource: Resource, disproof: Disproof): void {
    const before = this.of(resource);
    const now = without(before, disproof);
    if (now === undefined) return;
    this.believed.set(resource.path, now);
    const { claim, name, evidence } = disproof;
    const { code: source } = this.registration;
    const capability = name === undefined ? claim : `${claim} ${name}`;
    this.house.log.warn({ source, resource: resource.name, capability, evidence }, 'capability disproved');
    this.house.meter.disproved({ source, resource: resource.name, capability });
  }
}

/** Undefined where it is off already. */
function without(before: Capability, { claim, name }: Disproof): Capability | undefined {
  if (claim === 'total') return before.total ? { ...before, total: false } : undefined;
  if (claim === 'sort') return lacks(before.sort, name) ? undefined : { ...before, sort: others(before.sort, name) };
  if (name === 'q') return before.search ? { ...before, search: false } : undefined;
  const filters = others(before.filters, name);
  return lacks(before.filters, name) ? undefined : { ...before, filters };
}

function lacks(names: readonly string[], name: string | undefined): boolean {
  return name === undefined || !names.includes(name);
}

function others(names: readonly string[], name: string | undefined): readonly string[] {
  return names.filter((one) => one !== name);
}
