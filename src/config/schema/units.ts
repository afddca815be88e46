const durations: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 24 * 3_600_000],
]);

const sizes: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['KiB', 2 ** 10],
  ['MiB', 2 ** 20],
  ['GiB', 2 ** 30],
]);

/** 24 days in milliseconds. Timers of Node.js take at most 2^31 - 1 ms (24.8 days) and fire at once when given more. */
const MAX_TIMER = 24 * 24 * 3_600_000;

/**
 * Milliseconds of a duration such as `500ms`, `1.5s`, `10m`, `24h` or `7d` (operation 2.2.1).
 *
 * @returns undefined for any other text, zero, fractions of a millisecond, and more than 24 days
 */
export function parseDuration(text: string): number | undefined {
  const milliseconds = parseQuantity(text, durations);
  return milliseconds === undefined || milliseconds > MAX_TIMER ? undefined : milliseconds;
}

/** As `parseDuration`, but a zero with or without a unit is 0. */
export function parseDurationOrNone(text: string): number | undefined {
  return /^0(?:ms|[smhd])?$/.test(text) ? 0 : parseDuration(text);
}

/** Bytes of `4096`, `512KiB`, `32MiB` or `1.5GiB`. Undefined for any other text, zero, and fractions of a byte. */
export function parseSize(text: string): number | undefined {
  return parseQuantity(text, sizes);
}

/** In whole numbers, because 1.005 × 1,000 is not 1,005 in floating point. */
function parseQuantity(text: string, units: ReadonlyMap<string, number>): number | undefined {
  const [, whole = '', fraction = '', unit = ''] = /^(\d+)(?:\.(\d+))?([A-Za-z]*)$/.exec(text) ?? [];
  const factor = units.get(unit);
  const digits = Number(whole + fraction);
  if (factor === undefined || !Number.isSafeInteger(digits * factor)) return undefined;
  const amount = (digits * factor) / 10 ** fraction.length;
  return Number.isInteger(amount) && amount > 0 ? amount : undefined;
}

/**
 * Reads `600/1m`, with the period in milliseconds. Undefined for any other text, zero requests or more than
 * 999,999,999, and a period that is not a duration.
 */
export function parseRate(text: string): { readonly requests: number; readonly period: number } | undefined {
  const [, count = '', unit = ''] = /^([1-9]\d{0,8})\/(.*)$/.exec(text) ?? [];
  const period = parseDuration(unit);
  return period === undefined ? undefined : { requests: Number(count), period };
}
