import type { AccessLevel } from '../../model/access-level.js';
import { ACCESS_LEVELS } from '../../model/access-level.js';
import type { ProbeReport } from '../../probe/probe.js';
import type { Source } from '../../source/source.js';
import { findWorstCondition } from '../../source/status/list-summary.js';
import type { SourceStatus } from '../../source/status/source-status.js';

/** The gateway whose sources the operator sees and acts on (operation 3.5). */
export interface OperatedGateway {
  /** The sources at an access level, ordered by number; undefined where no client can have it. */
  sourcesAt(access: AccessLevel): readonly Source[] | undefined;
  /** Fetches and indexes the lists of the sources that a condition selects (operation 2.3.6). Never rejects. */
  warmUp(isSelected: (source: Source) => boolean): Promise<void>;
  /** Whether a warm-up at public access is in progress, indexing included. */
  isIndexing(): boolean;
  /** Probes a source; undefined if no source has the code, or it is a document. */
  probeSource(code: string): Promise<ProbeReport> | undefined;
}

/** A source at each access level that a client can have, `public` first. */
export type SourceLevels = readonly [Source, ...Source[]];

/** Lists the sources, ordered by number. */
export function listSourceLevels(gateway: OperatedGateway): readonly SourceLevels[] {
  const [first = [], ...further] = ACCESS_LEVELS.map((access) => gateway.sourcesAt(access) ?? []);
  return first.map((source) => [
    source,
    ...further.flatMap((sources) => sources.filter(({ code }) => code === source.code)),
  ]);
}

export function createSourceStatus(levels: SourceLevels): SourceStatus {
  const [{ code, number, sourceName, required, aggregate, operations }] = levels;
  const statuses = levels.map((source) => source.operations.status());
  return {
    code,
    number,
    sourceName,
    kind: operations.kind,
    required,
    aggregate,
    addresses: operations.addresses,
    certificates: operations.certificates,
    condition: findWorstCondition(statuses.map(({ condition }) => condition)),
    levels: statuses,
  };
}
