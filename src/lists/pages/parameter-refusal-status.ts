import { SourceFailure } from '../../source/client/source-failure.js';

/**
 * The parameter's value is refused (decisions 5.5). Other statuses (401, 429, …) do not concern it: the drain fails.
 */
const PARAMETER_REFUSALS: ReadonlySet<number | undefined> = new Set([400, 403, 404, 416, 422]);

/** No records at an offset. Other refusals may mean that the offset is too large for the source. */
const BEYOND_END_STATUSES: ReadonlySet<number | undefined> = new Set([404, 416]);

/** Because of a parameter. */
export function isParameterRefusal(error: unknown): boolean {
  return error instanceof SourceFailure && PARAMETER_REFUSALS.has(error.status);
}

/** Whatever the total is. */
export function isOffsetBeyondEnd(error: unknown): boolean {
  return error instanceof SourceFailure && BEYOND_END_STATUSES.has(error.status);
}
