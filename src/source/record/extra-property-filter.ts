import type { DraftRecord, ExtraProperty } from '../../model/record.js';
import type { Resource } from '../../model/resource.js';
import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import { RecordPacker } from '../../records/packed-records.js';
import type { DrainResult } from './drain-result.js';
import { FindingCounter } from './findings.js';
import { DERIVED_FINGERPRINT } from './pgp-key-properties.js';

/** Further properties of one record that are kept at most: ten times what the records of any known directory have. */
const MAX_PER_RECORD = 200;

/** Different names of further properties that are kept of all records of one source and resource: each is a column of a table. */
const MAX_PER_SOURCE = 1_000;

/** `-<code>-…`, as directories name the properties of a repository (interfaces.md, section 2.1). */
export const REPOSITORY_PROPERTY = /^-[a-z][a-z0-9-]*-./;

/**
 * Which further properties of a source are kept (docs/decisions/0018-wide-records.md). Names that the registration or the resource's table names are
 * always kept, and do not count. Of all others the first ones are kept, in the order in which they come; those of the form `-<code>-…` are
 * counted apart, so that other names never displace them.
 */
export class ExtraPropertyFilter {
  private readonly alwaysKept: ReadonlySet<string>;

  /** `registered`: the `properties` of the source's registration. */
  constructor(
    private readonly resource: Resource,
    registered: readonly string[] = [],
  ) {
    const extra = resource.knownExtraProperties.map(({ name }) => name);
    this.alwaysKept = new Set([...registered, ...extra, ...resource.pgpKeyProperties, DERIVED_FINGERPRINT]);
  }

  /** The further properties of one record that are kept: the same list where that is all of them. */
  filterRecord(further: readonly ExtraProperty[]): readonly ExtraProperty[] {
    if (further.length <= MAX_PER_RECORD) return further;
    const kept = new NameQuota(this.alwaysKept, MAX_PER_RECORD);
    const some = further.filter(([name]) => kept.admit(name));
    return some.length === further.length ? further : some;
  }

  /**
   * What was drained, without the names that are too many in all its records: the finding `too-many-properties (source)` counts the records that
   * lost a property. What is kept depends on the order of the records alone, so the records of a front that reaches further keep what they have.
   */
  async filterSource<D extends DrainResult<DraftRecord>>(drained: D): Promise<D> {
    const kept = new NameQuota(this.alwaysKept, MAX_PER_SOURCE);
    await forEachTimeSliced(drained.records, ({ extraNames: names }) => {
      for (const name of names) kept.admit(name);
    });
    if (!kept.hasRejected) return drained;
    const packer = new RecordPacker(this.resource);
    const counter = new FindingCounter();
    counter.addAll(drained.findings);
    await forEachTimeSliced(drained.records, ({ values, extraProperties: further }) => {
      const some = further.filter(([name]) => kept.admit(name));
      if (some.length < further.length) counter.add('(source)', 'too-many-properties');
      packer.add({ values, extraProperties: some });
    });
    return { ...drained, records: packer.records, findings: counter.findings };
  }
}

/** Names that are kept, up to a number of each kind. Once a name is kept it stays so. */
class NameQuota {
  private readonly repositoryNames = new Set<string>();
  private readonly otherNames = new Set<string>();
  /** Whether there was a name without room. */
  hasRejected = false;

  constructor(
    private readonly alwaysKept: ReadonlySet<string>,
    private readonly maxPerKind: number,
  ) {}

  /** Whether the name is kept; a new one is, where there is room. */
  admit(name: string): boolean {
    if (this.otherNames.has(name) || this.repositoryNames.has(name) || this.alwaysKept.has(name)) return true;
    const kind = REPOSITORY_PROPERTY.test(name) ? this.repositoryNames : this.otherNames;
    if (kind.size < this.maxPerKind) kind.add(name);
    else this.hasRejected = true;
    return kind.has(name);
  }
}
