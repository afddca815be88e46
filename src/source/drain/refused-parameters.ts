import { SourceFailure } from '../client/source-failure.js';

/** Statuses that say of a parameter that it is not possible. Others (401, 429, …) say nothing about it, and the drain fails. */
const PARAMETER_REFUSALS: ReadonlySet<number | undefined> = new Set([400, 403, 404, 416, 422]);

/** Those of them that say of an offset that nothing is there; the others may say that it is larger than the source likes. */
const BEYOND_END_STATUSES: ReadonlySet<number | undefined> = new Set([404, 416]);

/** Whether a source says of a parameter that it is not possible. */
export function isParameterRefusal(error: unknown): boolean {
  return error instanceof SourceFailure && PARAMETER_REFUSALS.has(error.status);
}

/** Whether a source says of an offset that it has nothing there: all the same how much it has before. */
export function isOffsetBeyondEnd(error: unknown): boolean {
  return error instanceof SourceFailure && BEYOND_END_STATUSES.has(error.status);
}
