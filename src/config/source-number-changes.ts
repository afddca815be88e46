import type { Config } from './config.js';

/** Numbers of all sources that a process has had, by their codes. */
export type KnownNumbers = ReadonlyMap<string, number>;

/**
 * Returns why a configuration may not replace the one in force (operation 6.2), one message for each setting; empty if it
 * may. The number of a source is permanent, because ids of records contain it (decisions 4.17).
 */
export function findReplacementErrors({ sources }: Config, knownNumbers: KnownNumbers): readonly string[] {
  return sources.flatMap(({ code, number }) => {
    const before = knownNumbers.get(code);
    return before === undefined || before === number
      ? []
      : [`sources.${code}.number: is ${number}, but was ${before}, and the number of a source is permanent`];
  });
}
