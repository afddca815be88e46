import type { DraftRecord, ExtraProperty } from '../../model/record.js';
import { DERIVED_FINGERPRINT } from '../../model/resource.js';
import type { Resource } from '../../model/resource.js';
import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import { RecordPacker } from '../../records/packed-records.js';
import type { DrainResult } from './drain-result.js';
import { FindingCounter } from './findings.js';

/** Ten times what records of any known directory have. */
const MAX_PER_RECORD = 200;

/** Different names in all records of one source and resource; each is a column of a table. */
const MAX_PER_SOURCE = 1_000;

/** `-<code>-…` is specific to one repository (interfaces 2.1). */
export const REPOSITORY_PROPERTY = /^-[a-z][a-z0-9-]*-./;

/**
 * Selects the further properties that are kept (decisions 4.13; decision record 0018). Names from a registration or the
 * resource's table are always kept and do not count; of others the first to arrive are. `-<code>-…` names are counted
 * separately, so that other names never displace them.
 */
export class ExtraPropertyFilter {
  private readonly alwaysKept: ReadonlySet<string>;

  /** `registered`: names that registrations list under `properties`. */
  constructor(
    private readonly resource: Resource,
    registered: readonly string[] = [],
  ) {
    const extra = resource.knownExtraProperties.map(({ name }) => name);
    this.alwaysKept = new Set([...registered, ...extra, ...resource.pgpKeyProperties, DERIVED_FINGERPRINT]);
  }

  /** Returns the same list if all are kept. */
  filterRecord(further: readonly ExtraProperty[]): readonly ExtraProperty[] {
    if (further.length <= MAX_PER_RECORD) return further;
    const quota = new NameQuota(this.alwaysKept, MAX_PER_RECORD);
    const some = further.filter(([name]) => quota.admit(name));
    return some.length === further.length ? further : some;
  }

  /**
   * Applies the limit for all records of a source; the finding `too-many-properties (source)` counts records that lost
   * a property. Depends only on the order of records, so top records have the same properties among more of them.
   */
  async filterSource<D extends DrainResult<DraftRecord>>(drained: D): Promise<D> {
    const quota = new NameQuota(this.alwaysKept, MAX_PER_SOURCE);
    await forEachTimeSliced(drained.records, ({ extraNames: names }) => {
      for (const name of names) quota.admit(name);
    });
    if (!quota.hasRejected) return drained;
    const packer = new RecordPacker(this.resource);
    const counter = new FindingCounter();
    counter.addAll(drained.findings);
    await forEachTimeSliced(drained.records, ({ values, extraProperties: further }) => {
      const some = further.filter(([name]) => quota.admit(name));
      if (some.length < further.length) counter.add('(source)', 'too-many-properties');
      packer.add({ values, extraProperties: some });
    });
    return { ...drained, records: packer.records, findings: counter.findings };
  }
}

/** A limited number of each kind. An admitted name stays admitted. */
class NameQuota {
  private readonly repositoryNames = new Set<string>();
  private readonly otherNames = new Set<string>();
  hasRejected = false;

  constructor(
    private readonly alwaysKept: ReadonlySet<string>,
    private readonly maxPerKind: number,
  ) {}

  /** Admits a new name if its kind's limit is not reached. */
  admit(name: string): boolean {
    if (this.otherNames.has(name) || this.repositoryNames.has(name) || this.alwaysKept.has(name)) return true;
    const kind = REPOSITORY_PROPERTY.test(name) ? this.repositoryNames : this.otherNames;
    if (kind.size < this.maxPerKind) kind.add(name);
    else this.hasRejected = true;
    return kind.has(name);
  }
}
