/** Besides its records. "No such item" takes them too, and clients can request any number of ids. */
export const MIN_ENTRY_BYTES = 1_024;

/** Besides its characters. */
const BYTES_PER_NAME = 32;

/** Of names in `Via`: a hostile source sends hundreds with each response. */
export function estimateGatewayNameBytes(via: readonly string[]): number {
  return via.reduce((sum, name) => sum + name.length + BYTES_PER_NAME, 0);
}
