/**
 * Bytes that a stored entry takes in addition to its records. "No such item" takes them too, and clients can request
 * any number of ids.
 */
export const MIN_ENTRY_BYTES = 1_024;

/** Bytes that the name of a gateway takes in addition to its characters. */
const BYTES_PER_NAME = 32;

/** Estimates the bytes of the names in `Via`. A hostile source sends hundreds of them with each response. */
export function estimateGatewayNameBytes(via: readonly string[]): number {
  return via.reduce((sum, name) => sum + name.length + BYTES_PER_NAME, 0);
}
