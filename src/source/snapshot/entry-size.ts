/** Bytes that a stored entry takes beside its records: even that an item does not exist, which a client can ask for any number of ids. */
export const MIN_ENTRY_BYTES = 1_024;

/** Bytes that a gateway's name takes beside its characters. */
const BYTES_PER_NAME = 32;

/** Bytes that the names of the gateways behind a source take: a hostile source sends hundreds with each answer. */
export function estimateGatewayNameBytes(via: readonly string[]): number {
  return via.reduce((sum, hop) => sum + hop.length + BYTES_PER_NAME, 0);
}
