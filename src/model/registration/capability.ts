import type { Resource } from '../resource.js';

/**
 * What a source evaluates for one resource exactly as Rollcall would (decisions 5.11), declared under `supports`
 * (operation 2.8.9) or proved by a probe (decisions 5.19). Rollcall evaluates everything else. Names are those of the
 * source's own interface.
 */
export interface Capability {
  /** Parameters that select every match and nothing else. With `total`, the total counts these matches. */
  readonly filters: readonly string[];
  /**
   * Values of `sort`, each direction separately, for which the source has Rollcall's order (decisions 2.23), with ties
   * in any sequence. Implies that `offset` reaches every page.
   */
  readonly sort: readonly string[];
  /** `q` selects every match (decisions 5.13), and without `exact` possibly more: the records are filtered again. */
  readonly search: boolean;
  /** The total counts every match, not only the records of the page. */
  readonly total: boolean;
  /**
   * The operator states that `q`, `region` and the directory's `team` select nothing but matches. No check on a
   * response can see this, and a probe never proves it.
   */
  readonly exact: boolean;
}

/** By the path of the resource. An absent path has no known capabilities. */
export type SourceCapabilities = Readonly<Partial<Record<Resource['path'], Capability>>>;

export const noCapability: Capability = {
  filters: [],
  sort: [],
  search: false,
  total: false,
  exact: false,
};

/** A declared capability that a response of the source disproved (decisions 5.16). */
export interface DisprovedCapability {
  /** Kind of the capability, with its name if it has one: `filter country`, `sort -published`, `total`. */
  readonly capability: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  /** Absent at members level, where it must not be shown (decisions 8.3). */
  readonly evidence?: string;
}
