import type { Resource } from './resource.js';

/**
 * What a source does with one resource exactly as decisions.md defines it (sections 2 and 5): declared by the operator (`supports:`) or
 * proved by a probe. What is not in here is done in this house. Names are those of the parameters and properties that the source's own
 * interface has.
 */
export interface Capability {
  /** Parameters that let every match through and nothing else, and under which `total`, where it is given, counts the matches. */
  readonly filters: readonly string[];
  /** Parameters that let every match through, and a little more: what comes has to be filtered again, and its total is none. */
  readonly coarse: readonly string[];
  /**
   * Values of `sort`, each direction for itself: the order is the one of section 2, but for records that are equal in it, which may stand
   * in any order. Includes that `offset` reaches every page.
   */
  readonly sort: readonly string[];
  /** Whether it lets every match of `q` through. Unless `exact` is declared too, it may let more through, and what comes has to be filtered again. */
  readonly search: boolean;
  /** Whether it counts every match, and not only the page. */
  readonly total: boolean;
  /** Most records of one page; absent where none is known. */
  readonly limitMax?: number;
  /** The operator's word for what no check on an answer can see: that `q`, `region` and the directory's `team` match as defined. Never proved. */
  readonly exact: boolean;
}

/** The capabilities of one source, by the paths of its resources; absent: none are known. */
export type SourceCapabilities = Readonly<Partial<Record<Resource['path'], Capability>>>;

/** Of a source of which nothing is known. */
export const noCapability: Capability = {
  filters: [],
  coarse: [],
  sort: [],
  search: false,
  total: false,
  exact: false,
};
