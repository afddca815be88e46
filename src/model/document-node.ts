import type { Scalar } from './property-value.js';

/**
 * Input of a renderer: a scalar, a list, or a map of named values in order. It is no object, because the order of names
 * is part of the format and names come from outside. A renderer iterates over a list once, from the start, so that it
 * may be lazy.
 */
export type DocumentNode = Scalar | Iterable<DocumentNode> | ReadonlyMap<string, DocumentNode>;

export function isMapNode(node: DocumentNode): node is ReadonlyMap<string, DocumentNode> {
  return node instanceof Map;
}

/** A list whose items never change, so that the serialized form of an item can be cached and reused. */
export interface ImmutableList extends Iterable<DocumentNode> {
  /**
   * Yields the bytes of each item in turn. An item that was serialized before under the same `serialization` comes from
   * the cache in one piece; any other is serialized by `write`, in its pieces.
   */
  serializeItems(serialization: string, write: (item: DocumentNode) => Iterable<string>): Iterable<Uint8Array>;
}

export function isImmutableList(list: Iterable<DocumentNode>): list is ImmutableList {
  return 'serializeItems' in list;
}
