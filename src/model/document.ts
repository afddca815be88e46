import type { Scalar } from './property-value.js';

/**
 * What a renderer writes: scalars, lists, and named values in order. A Map and not an object, for its order is part of the format
 * and its names come from outside. Lists may be lazy: a renderer reads them once, from the front.
 */
export type DocumentNode = Scalar | Iterable<DocumentNode> | ReadonlyMap<string, DocumentNode>;

/** Whether the node holds named values. */
export function isMapNode(node: DocumentNode): node is ReadonlyMap<string, DocumentNode> {
  return node instanceof Map;
}

/** A list of items that never change, so that what was written of one can be written again. */
export interface ImmutableList extends Iterable<DocumentNode> {
  /**
   * The bytes of each item in turn, in one piece or, of an item that is written now, in as many as `write` gives of it. `way` names the way in
   * which it writes: an item that was written in that way before need not be written again.
   */
  serializeItems(way: string, write: (item: DocumentNode) => Iterable<string>): Iterable<Uint8Array>;
}

/** Whether it is a list whose items never change. */
export function isImmutableList(list: Iterable<DocumentNode>): list is ImmutableList {
  return 'serializeItems' in list;
}
