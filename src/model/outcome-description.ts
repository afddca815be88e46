import type { FailureDetail, FailureReason, MissingProperty, Outcome, PartialReason, StaleReason } from './outcome.js';

/** Meaning of each state of a source (decisions 6.1). */
export const STATE_DESCRIPTIONS: Readonly<Record<Outcome<unknown>['state'], string>> = {
  fresh: 'all its records are in the answer, and they are current',
  stale:
    'its last successful snapshot is in the answer, because it failed, or its new result is not trusted or not indexed',
  partial: 'not all its records are in the answer, or none',
  inconsistent: 'it contradicted itself while its records were fetched; some may be missing',
  failed: 'it was queried and returned nothing usable; none of its records are in the answer',
  suspended: 'it is not queried for a while after repeated failures; none of its records are in the answer',
  excluded: 'the answer does not need it; it was not queried',
};

export type IncompleteReason = FailureReason | StaleReason | PartialReason;

/** Descriptions (decisions 6.3). No text of a source reaches a client (decisions 6.16). */
export const REASON_DESCRIPTIONS: Readonly<Record<IncompleteReason, string>> = {
  timeout: 'timed out',
  connect: 'connection failed',
  tls: 'TLS failed',
  dns: 'host name not found',
  status: 'unexpected HTTP status',
  body: 'a response that cannot be read',
  schema: 'not in the expected form',
  size: 'response too large',
  redirect: 'redirect not allowed',
  loop: 'leads back to this gateway',
  access: 'answered at another access level',
  internal: 'internal error of this gateway',
  suspended: 'suspended after repeated failures',
  shrunk: 'far fewer records than before',
  private: 'would have to receive the private query',
  'too-large': 'too many records to read them all',
  offset: 'ignores offset',
  paging: 'has pages that are not read',
  drift: 'changed while it was read',
  total: 'returned fewer records than its total',
  window: 'returns only its newest news',
  unreadable: 'returned entries or values that cannot be read',
  keys: 'did not return its PGP keys',
  feed: 'some of its feeds could not be read',
  filter: 'ignores the filter',
  search: 'its search found nothing, which could not be confirmed',
  'id-range': 'returned ids that are too large',
  index: 'its present records are not indexed for a search',
  upstream: 'reports an incomplete source of its own',
};

interface DescribedReason {
  readonly reason: IncompleteReason;
  readonly detail?: FailureDetail;
}

/** Says why a source contributed less than all of its current records: "timed out". It contains no text of a source. */
export function describeReason({ reason, detail: { status, missing } = {} }: DescribedReason): string {
  if (missing !== undefined) return describeMissingProperty(missing);
  return status === undefined ? REASON_DESCRIPTIONS[reason] : describeHttpStatus(status);
}

const NUMBER_FORMAT = new Intl.NumberFormat('en');

/** For example "4,980 of 5,000 records have no short-team-name". */
export function describeMissingProperty({
  property,
  recordsWithout: records,
  recordsReceived: of,
}: MissingProperty): string {
  return `${NUMBER_FORMAT.format(records)} of ${NUMBER_FORMAT.format(of)} records have no ${property}`;
}

/** For the operator, who can change the credentials or the proxy of a source. */
const REFUSALS: ReadonlyMap<number, string> = new Map([
  [401, 'requires credentials, or refuses those configured'],
  [403, 'refuses access'],
  [407, 'a proxy requires credentials'],
]);

/** For example "refuses access (HTTP status 403)" (decisions 6.8). */
export function describeHttpStatus(status: number): string {
  const refusal = REFUSALS.get(status);
  return refusal === undefined ? `HTTP status ${status}` : `${refusal} (HTTP status ${status})`;
}
