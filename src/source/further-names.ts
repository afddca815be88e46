import type { Draft, Further } from '../model/record.js';
import type { Resource } from '../model/resource.js';
import { inTurns } from '../model/slices.js';
import { Packer } from '../records/packed.js';
import type { Drained } from './drain.js';
import { FindingCounter } from './findings.js';
import { DERIVED_FINGERPRINT } from './keys.js';

/** Further properties of one record that are kept at most: ten times what the records of any known directory have. */
const MOST_IN_RECORD = 200;

/** Different names of further properties that are kept of all records of one source and resource: each is a column of a table. */
const MOST_IN_SOURCE = 1_000;

/** `-<code>-…`, as directories name the properties of a repository (interfaces.md, section 2.1). */
export const REPOSITORY_PROPERTY = /^-[a-z][a-z0-9-]*-./;

/**
 * Which further properties of a source are kept (docs/decisions/0018-wide-records.md). Names that the registration or the resource's table names are
 * always kept, and do not count. Of all others the first ones are kept, in the order in which they come; those of the form `-<code>-…` are
 * counted apart, so that other names never displace them.
 */
export class FurtherNames {
  private readonly known: ReadonlySet<string>;

  /** `registered`: the `properties` of the source's registration. */
  constructor(
    private readonly resource: Resource,
    registered: readonly string[] = [],
  ) {
    const extra = resource.extra.map(({ name }) => name);
    this.known = new Set([...registered, ...extra, ...resource.keys, DERIVED_FINGERPRINT]);
  }

  /** The further properties of one record that are kept: the same list where that is all of them. */
  ofRecord(further: readonly Further[]): readonly Further[] {
    if (further.length <= MOST_IN_RECORD) return further;
    const kept = new KeptNames(this.known, MOST_IN_RECORD);
    const some = further.filter(([name]) => kept.admits(name));
    return some.length === further.length ? further : some;
  }

  /**
   * What was drained, without the names that are too many in all its records: the finding `too-many-properties (source)` counts the records that
   * lost a property. What is kept depends on the order of the records alone, so the records of a front that reaches further keep what they have.
   */
  async ofSource<D extends Drained<Draft>>(drained: D): Promise<D> {
    const kept = new KeptNames(this.known, MOST_IN_SOURCE);
    await inTurns(drained.records, ({ names }) => {
      for (const name of names) kept.admits(name);
    });
    if (!kept.hasRefused) return drained;
    const packer = new Packer(this.resource);
    const counter = new FindingCounter();
    counter.addAll(drained.findings);
    await inTurns(drained.records, ({ values, further }) => {
      const some = further.filter(([name]) => kept.admits(name));
      if (some.length < further.length) counter.add('(source)', 'too-many-properties');
      packer.add({ values, further: some });
    });
    return { ...drained, records: packer.records, findings: counter.findings };
  }
}

/** Names that are kept, up to a number of each kind. Once a name is kept it stays so. */
class KeptNames {
  private readonly repository = new Set<string>();
  private readonly others = new Set<string>();
  /** Whether there was a name without room. */
  hasRefused = false;

  constructor(
    private readonly known: ReadonlySet<string>,
    private readonly most: number,
  ) {}

  /** Whether the name is kept; a new one is, where there is room. */
  admits(name: string): boolean {
    if (this.others.has(name) || this.repository.has(name) || this.known.has(name)) return true;
    const kind = REPOSITORY_PROPERTY.test(name) ? this.repository : this.others;
    if (kind.size < this.most) kind.add(name);
    else this.hasRefused = true;
    return kind.has(name);
  }
}
