import type { SharedStoreStatus } from '../../lists/store/redis/shared-store.js';
import { formatIsoTimestamp } from '../../text/date.js';

/** As `/sources` reports the memory that instances share (operation 3.5.6). */
export interface SharingStatus {
  readonly reachable: boolean;
  /** Since when it is, or is not. */
  readonly since: string;
  readonly description: string;
  /** Why it is not reachable. */
  readonly error?: string;
}

export function createSharingStatus({ reachable, since, error }: SharedStoreStatus): SharingStatus {
  const description = reachable
    ? 'This instance shares its lists with the others'
    : 'Redis does not answer: this instance reads all lists by itself';
  return { reachable, since: formatIsoTimestamp(since), description, ...(error !== undefined && { error }) };
}
