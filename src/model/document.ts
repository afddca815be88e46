import type { Scalar } from './value.js';

/**
 * What a renderer writes: scalars, lists, and named values in order. A Map and not an object, for its order is part of the format
 * and its names come from outside. Lists may be lazy: a renderer reads them once, from the front.
 */
export type Node = Scalar | Iterable<Node> | ReadonlyMap<string, Node>;

/** Whether the node holds named values. */
export function isMap(node: Node): node is ReadonlyMap<string, Node> {
  return node instanceof Map;
}
