import type { DisagreementReason } from '../../state/sharing/instance-agreement.js';
import type { AgreementState } from '../../state/sharing/shared-memory.js';
import { formatIsoTimestamp } from '../../text/date.js';

/** As `/sources` reports the agreement (operation 3.5.6). */
export interface SharingStatus {
  readonly inAgreement: boolean;
  /** Since when this instance is in agreement, or is not. */
  readonly since: string;
  readonly reason?: DisagreementReason;
  readonly description: string;
  /** With the reason `clock`: milliseconds by which this instance is ahead of Redis. */
  readonly clockAhead?: number;
  /** The failure of a command. It remains after a later success. */
  readonly lastError?: { readonly at: string; readonly message: string };
}

const UNDATED = 'its responses have no Last-Modified';

const DESCRIPTIONS: Readonly<Record<DisagreementReason, string>> = {
  unreachable: `Redis does not answer: this instance fetches by itself, and ${UNDATED}`,
  clock: `The clock of this instance differs from that of Redis: ${UNDATED}`,
  mixed: `Instances with different configurations or builds are running: ${UNDATED}`,
  'new-epoch': `Redis was emptied, or another configuration came into force, a moment ago: ${UNDATED} yet`,
  behind: `This instance does not have a list yet that the others serve: ${UNDATED}`,
};

export function createSharingStatus({ reason, since, lastError, clockAhead }: AgreementState): SharingStatus {
  return {
    inAgreement: reason === undefined,
    since: formatIsoTimestamp(since),
    ...(reason !== undefined && { reason }),
    description: reason === undefined ? 'This instance is in agreement with the others' : DESCRIPTIONS[reason],
    ...(reason === 'clock' && clockAhead !== undefined && { clockAhead }),
    ...(lastError && { lastError: { at: formatIsoTimestamp(lastError.at), message: lastError.message } }),
  };
}
