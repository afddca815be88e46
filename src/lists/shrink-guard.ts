/** With no more, a source may lose most of its records without being suspect (decisions 6.11). */
const MIN_GUARDED_RECORDS = 20;

/** Less than half of more than 20 records. */
export function hasShrunk(now: number, before = 0): boolean {
  return before > MIN_GUARDED_RECORDS && now * 2 < before;
}

/** The number of records of a list that is trusted, and one that is not yet. Times are in milliseconds since 1970. */
export interface TrustedSize {
  readonly records: number;
  readonly trustedAt: number;
  readonly doubt?: SizeDoubt | undefined;
}

export interface SizeDoubt {
  readonly records: number;
  readonly since: number;
}

/** As the operator sees it. Times are in milliseconds since 1970. */
export interface ShrinkDoubt extends SizeDoubt {
  readonly trustedRecords: number;
  /** The number is trusted if it is returned from then on; undefined: never. */
  readonly acceptedFrom: number | undefined;
}

/** In milliseconds. */
export interface ShrinkPolicy {
  /** A smaller number must be returned for this long. */
  readonly confirmShrink: number;
  /** So long after the last trusted number a snapshot may be served; then any number but zero is accepted. */
  readonly ttl: number;
  readonly staleIfError: number;
}

/**
 * Of a list that returned `records`. Less than half of more than 20 records is not trusted until the source still
 * returns that few `confirmShrink` later. A fall to zero is never confirmed by repetition, and confirms no other number.
 */
export function judgeSize(
  known: TrustedSize | undefined,
  records: number,
  now: number,
  policy: ShrinkPolicy,
): TrustedSize {
  if (known === undefined || !hasShrunk(records, known.records)) return { records, trustedAt: now };
  const { doubt } = known;
  const isNothing = records === 0;
  // From before the clock was set back.
  const since = doubt !== undefined && (doubt.records === 0) === isNothing ? Math.min(doubt.since, now) : now;
  if (!isNothing && now >= acceptanceTime({ ...known, doubt: { records, since } }, policy))
    return { records, trustedAt: now };
  return { ...known, doubt: { records, since } };
}

/** Since the first instance doubted the number. Unchanged if this instance has trusted it, or a later one. */
export function adoptDoubt(own: TrustedSize | undefined, other: TrustedSize): TrustedSize | undefined {
  const trusted = own !== undefined && own.trustedAt >= other.trustedAt ? own : other;
  const { doubt } = other;
  if (doubt === undefined || doubt.since < trusted.trustedAt || !hasShrunk(doubt.records, trusted.records)) return own;
  const { doubt: known } = own ?? {};
  const isSame = known !== undefined && (known.records === 0) === (doubt.records === 0);
  const since = isSame ? Math.min(known.since, doubt.since) : doubt.since;
  return { records: trusted.records, trustedAt: trusted.trustedAt, doubt: { ...doubt, since } };
}

/** Undefined if no number is doubted. */
export function describeDoubt(size: TrustedSize | undefined, policy: ShrinkPolicy): ShrinkDoubt | undefined {
  if (size?.doubt === undefined) return undefined;
  const { records, since } = size.doubt;
  const acceptedFrom = records === 0 ? undefined : acceptanceTime({ ...size, doubt: size.doubt }, policy);
  return { records, trustedRecords: size.records, since, acceptedFrom };
}

function acceptanceTime(
  { trustedAt, doubt }: TrustedSize & { readonly doubt: SizeDoubt },
  { confirmShrink, ttl, staleIfError }: ShrinkPolicy,
): number {
  return Math.min(doubt.since + confirmShrink, trustedAt + ttl + staleIfError);
}
