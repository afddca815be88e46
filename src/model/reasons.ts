/** Meaning of each state of a source (decisions 6.1). */
export const STATE_DESCRIPTIONS = {
  fresh: 'all its records are in the answer, and they are current',
  stale:
    'its last successful snapshot is in the answer, because it failed, or its new result is not trusted or not indexed',
  partial: 'not all its records are in the answer, or none',
  inconsistent: 'it contradicted itself while its records were fetched; some may be missing',
  failed: 'it was queried and returned nothing usable; none of its records are in the answer',
  suspended: 'it is not queried for a while after repeated failures; none of its records are in the answer',
  excluded: 'the answer does not need it; it was not queried',
} as const;

type SourceState = keyof typeof STATE_DESCRIPTIONS;

/** Of a source that contributed less than all of its current records, or that a query does not need. */
interface Reason {
  /** Of a source with this reason (`Outcome`). */
  readonly states: readonly SourceState[];
  /** What clients read (decisions 6.3). No text of a source reaches a client (decisions 6.16). */
  readonly text: string;
  /** What an operator can do about it (operation 3.5). Absent for a reason that needs nothing. */
  readonly advice?: string;
  /** Where it means something else of a feed. */
  readonly feedAdvice?: string;
  /** The request is sent again (decisions 6.13): always, or with these HTTP statuses. Absent: never. */
  readonly retried?: true | readonly number[];
  /** Other instances get it although this one serves its last snapshot in place of it (operation 2.5.4). */
  readonly shared?: true;
}

/** The source returned nothing usable; in place of it, the last snapshot may be served. */
const FAILURE = ['failed', 'suspended', 'stale'] as const;

/** Some records are missing, or may be. */
const PARTIAL = ['partial', 'stale'] as const;

/** Each is explained in `docs/operating.md`, and what to do about it in `docs/runbook.md`. */
export const reasons = {
  timeout: {
    states: FAILURE,
    text: 'timed out',
    advice:
      'Check whether the source is reachable from this machine. If it is only slow, raise its timeout, or lower its page-size.',
  },
  connect: {
    states: FAILURE,
    text: 'connection failed',
    advice: 'Check the address, the firewall and the proxy, and whether the source is up.',
    retried: true,
  },
  tls: {
    states: FAILURE,
    text: 'TLS failed',
    advice:
      'Check the certificate of the source and its tls settings; the cause below names the setting that may help.',
  },
  dns: {
    states: FAILURE,
    text: 'host name not found',
    advice: 'Check the host name in the address, and the resolver of this machine.',
  },
  status: {
    states: FAILURE,
    text: 'unexpected HTTP status',
    advice: 'If the status is 401 or 403, check its credentials. Otherwise tell the operator of the source.',
    feedAdvice:
      'If the status is 401 or 403, check its credentials. If it is 404 or 410, look on the site of the publisher for the new address of the feed.',
    retried: [429, 500, 502, 503, 504],
  },
  body: {
    states: FAILURE,
    text: 'a response that cannot be read',
    advice: 'Open the address of the source: it may answer with a page, such as a login or an error of a proxy.',
    feedAdvice:
      'Run rollcall preview for the source. Where a page has taken the place of the feed, it names the feeds that the page links.',
  },
  schema: {
    states: FAILURE,
    text: 'not in the expected form',
    advice: 'Run rollcall preview for the source. Its address may be that of another interface or another list.',
    feedAdvice: 'Run rollcall preview for the source: most items of the feed have neither title, summary nor link.',
  },
  size: {
    states: FAILURE,
    text: 'response too large',
    advice: 'If the response is meant to be so large, raise its max-body.',
  },
  redirect: {
    states: FAILURE,
    text: 'redirect not allowed',
    advice: 'Register the address to which the source has moved, if it has.',
    feedAdvice: 'Register the address to which the feed has moved, if it has.',
  },
  loop: {
    states: ['failed', 'suspended', 'stale', 'excluded'],
    text: 'leads back to this gateway',
    advice:
      'The source asks this gateway in turn. Register its sources directly, or remove the registration on one side.',
  },
  /** The source answered at another access level than it was asked at (decisions 8.3). */
  access: {
    states: FAILURE,
    text: 'answered at another access level',
    advice: 'Check the members credential of the source: it does not give the access that it should.',
  },
  internal: {
    states: FAILURE,
    text: 'internal error of this gateway',
    advice: 'This is an error of this gateway. Report it, with the line of the log.',
  },
  suspended: {
    states: ['stale'],
    text: 'suspended after repeated failures',
    advice: 'It is requested again by itself after the cooldown. See the cause of the last failure.',
  },
  shrunk: {
    states: ['failed', 'stale'],
    text: 'far fewer records than before',
    advice:
      'Ask the operator of the source whether the smaller number is right. If so, confirm it, or wait until it is accepted.',
    feedAdvice:
      'Look at the feed: it has far fewer items than before. If that is right, confirm it, or wait until it is accepted.',
    shared: true,
  },
  private: {
    states: ['failed', 'stale'],
    text: 'would have to receive the private query',
    advice: 'Nothing is wrong: a private query was answered without this source.',
  },
  'too-large': {
    states: PARTIAL,
    text: 'too many records to read them all',
    advice: 'Declare its capabilities (rollcall probe finds them), or raise cache.memory.',
    shared: true,
  },
  offset: {
    states: PARTIAL,
    text: 'ignores offset',
    advice:
      'The source sends the same page again. If it is a document, correct its setting page as the cause below says. Otherwise tell its operator that it ignores the parameter offset; a larger page-size may help.',
  },
  /** More pages than were read, or more entries counted, as the Link field or the body of a page says. */
  paging: {
    states: PARTIAL,
    text: 'has pages that are not read',
    advice:
      'Register how its pages are read, as the cause below says. If nothing is missing, because the property means something else, add paging to its tolerates.',
  },
  drift: {
    states: ['partial', 'inconsistent', 'stale'],
    text: 'changed while it was read',
    advice:
      'The source changes while it is read, or its pages overlap. If it only changes, and always does, add drift to its tolerates; records of overlapping pages would be shown twice.',
  },
  total: {
    states: ['partial', 'inconsistent', 'stale'],
    text: 'returned fewer records than its total',
    advice: 'Tell the operator of the source that its total is wrong. Once that is known, add total to its tolerates.',
  },
  /** The source has a news window and does not support `before`, so older items cannot be reached. */
  window: {
    states: PARTIAL,
    text: 'returns only its newest news',
    advice: 'The source gives its newest news only. Nothing can be done here.',
  },
  unreadable: {
    states: PARTIAL,
    text: 'returned entries or values that cannot be read',
    advice: 'Tell the operator of the source which entries are not records: rollcall preview shows them.',
  },
  keys: {
    states: PARTIAL,
    text: 'did not return its PGP keys',
    advice: 'See the list of its PGP keys in the details: it is requested separately.',
  },
  feed: {
    states: PARTIAL,
    text: 'some of its feeds could not be read',
    advice: 'Look at its feeds: at least one of them fails, and no earlier copy of it is left.',
  },
  filter: {
    states: PARTIAL,
    text: 'ignores the filter',
    advice: 'Tell the operator of the source: it ignores the parameter channel.',
  },
  /** The search of the source found nothing, and the source could not be drained to confirm that. */
  search: {
    states: PARTIAL,
    text: 'its search found nothing, which could not be confirmed',
    advice: 'Remove search from its supports, if its search misses what its list has.',
  },
  /** Integer ids whose public id would exceed 2^53 - 1 (decisions 4.17). */
  'id-range': {
    states: PARTIAL,
    text: 'returned ids that are too large',
    advice: 'Tell the operator of the source: its ids are too large to be made unique.',
  },
  index: {
    states: PARTIAL,
    text: 'its present records are not indexed for a search',
    advice: 'It is being indexed, or its index does not fit into cache.memory: look at the log.',
  },
  upstream: {
    states: PARTIAL,
    text: 'reports an incomplete source of its own',
    advice: 'The source is itself a gateway, and one of its sources fails. Look at its own status.',
  },
  resource: { states: ['excluded'], text: 'has no such records' },
  'source-name': { states: ['excluded'], text: 'another source is selected' },
  coverage: { states: ['excluded'], text: 'has no teams of the selected country' },
} as const satisfies Readonly<Record<string, Reason>>;

export type ReasonName = keyof typeof reasons;

export type ReasonOf<State extends SourceState> = {
  [Name in ReasonName]: State extends (typeof reasons)[Name]['states'][number] ? Name : never;
}[ReasonName];

/** Why a queried source returned nothing usable. */
export type FailureReason = ReasonOf<'suspended'>;

/** Why the data of a source is incomplete, or may be. */
export type PartialReason = ReasonOf<'partial'>;

/** Why a source was not queried (decisions 5.2, 6.3). */
export type ExclusionReason = ReasonOf<'excluded'>;

/** Of a source that was queried. Each can be the reason why its last snapshot is served. */
export type IncompleteReason = ReasonOf<'stale'>;

const table: Readonly<Record<ReasonName, Reason>> = reasons;
const byName: ReadonlyMap<string, Reason> = new Map(Object.entries(table));

export function getReason(name: ReasonName): Reason {
  return table[name];
}

/** What an operator can do about an incomplete list, or a feed. */
export function adviseOn(name: IncompleteReason, isFeed: boolean): string {
  const { advice, feedAdvice = advice } = table[name];
  return (isFeed ? feedAdvice : advice) ?? '';
}

export function isReasonOf<State extends SourceState>(state: State, text: string): text is ReasonOf<State> {
  return byName.get(text)?.states.includes(state) === true;
}

export const incompleteReasons: readonly IncompleteReason[] = [...byName.keys()].filter((name) =>
  isReasonOf('stale', name),
);

/** Only values and names of this gateway: no text of a source reaches a client (decisions 6.16). */
export interface FailureDetail {
  readonly status?: number;
  readonly missing?: MissingProperty;
}

/** A property that records need and most received records lack (reason `schema`). */
export interface MissingProperty {
  readonly property: string;
  readonly recordsWithout: number;
  readonly recordsReceived: number;
}

interface DescribedReason {
  readonly reason: ReasonName;
  readonly detail?: FailureDetail;
}

/** Says why a source contributed less than all of its current records, or was not queried: "timed out". It contains no text of a source. */
export function describeReason({ reason, detail: { status, missing } = {} }: DescribedReason): string {
  if (missing !== undefined) return describeMissingProperty(missing);
  return status === undefined ? table[reason].text : describeHttpStatus(status);
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
