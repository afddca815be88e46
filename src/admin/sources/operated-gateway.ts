import type { AccessLevel } from '../../model/access-level.js';
import { ACCESS_LEVELS } from '../../model/access-level.js';
import type { ProbeReport } from '../../probe/probe.js';
import type { Source } from '../../lists/source/source.js';
import { findWorstCondition } from '../../lists/status/list-summary.js';
import type { SourceStatus } from '../../lists/status/source-status.js';

/** (operation 3.5) */
export interface OperatedGateway {
  /** Ordered by number; undefined where no client can have the level. */
  sourcesAt(access: AccessLevel): readonly Source[] | undefined;
  /** Fetches and indexes the lists of the selected sources (operation 2.3.6). Never rejects. */
  warmUp(isSelected: (source: Source) => boolean): Promise<void>;
  /** A warm-up at public access is in progress, indexing included. */
  isIndexing(): boolean;
  /** Undefined if no source has the code, or it is a document. */
  probeSource(code: string): Promise<ProbeReport> | undefined;
}

/** One source at each access level that a client can have, `public` first. */
export type SourceLevels = readonly [Source, ...Source[]];

/** Ordered by number. */
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
