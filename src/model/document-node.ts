import type { Scalar } from './property-value.js';

/**
 * Input of a renderer: a scalar, a list, or a map of named values in order. It is a Map and not an object because the
 * order of names is part of the format and names come from outside. A list may be lazy: a renderer iterates over it
 * once, from the start.
 */
export type DocumentNode = Scalar | Iterable<DocumentNode> | ReadonlyMap<string, DocumentNode>;

/** Whether the node is a map of named values. */
export function isMapNode(node: DocumentNode): node is ReadonlyMap<string, DocumentNode> {
  return node instanceof Map;
}

/** A list whose items never change, so that the serialized form of an item can be cached and reused. */
export interface ImmutableList extends Iterable<DocumentNode> {
  /**
   * Yields the bytes of each item in turn. A cached item is one piece; an item that is serialized now has as many
   * pieces as `write` yields. `serialization` identifies the serialisation that `write` performs: an item that was
   * serialized before under the same `serialization` is taken from the cache.
   */
  serializeItems(serialization: string, write: (item: DocumentNode) => Iterable<string>): Iterable<Uint8Array>;
}

/** Whether the items of the list never change. */
export function isImmutableList(list: Iterable<DocumentNode>): list is ImmutableList {
  return 'serializeItems' in list;
}
