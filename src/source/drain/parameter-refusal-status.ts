import { SourceFailure } from '../client/source-failure.js';

/**
 * Statuses that refuse the value of a parameter (decisions 5.5). Other statuses (401, 429, …) do not concern it; the
 * drain fails.
 */
const PARAMETER_REFUSALS: ReadonlySet<number | undefined> = new Set([400, 403, 404, 416, 422]);

/**
 * Statuses that report no records at an offset. The other refusals may mean that the offset is too large for the
 * source.
 */
const BEYOND_END_STATUSES: ReadonlySet<number | undefined> = new Set([404, 416]);

/** Whether a source refused a request because of a parameter. */
export function isParameterRefusal(error: unknown): boolean {
  return error instanceof SourceFailure && PARAMETER_REFUSALS.has(error.status);
}

/** Whether a source reported that there are no records at an offset, independent of its total. */
export function isOffsetBeyondEnd(error: unknown): boolean {
  return error instanceof SourceFailure && BEYOND_END_STATUSES.has(error.status);
}
