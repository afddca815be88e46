import type { Config } from './config.js';
import type { LoadedConfig } from './load-config.js';
import { type ConfigError, parseParts, toConfigErrors } from './yaml/config-parts.js';
import { offsetOf } from './yaml/config-node.js';

/** Of all sources that a gateway has had, by code. */
export type KnownNumbers = ReadonlyMap<string, number>;

export function listNumbers({ sources }: Config): KnownNumbers {
  return new Map(sources.map(({ code, number }) => [code, number]));
}

/**
 * Empty if the configuration may follow earlier ones (operation 1.3, 6.2). The number of a source is permanent, because
 * ids of records contain it (decisions 4.17).
 */
export function findNumberChanges({ config, parts }: LoadedConfig, knownNumbers: KnownNumbers): readonly ConfigError[] {
  const changes = [...listNumbers(config)].flatMap(([code, number]) => {
    const before = knownNumbers.get(code);
    return before === undefined || before === number ? [] : [{ code, number, before }];
  });
  if (changes.length === 0) return [];
  const { root } = parseParts(parts);
  const issues = changes.map(({ code, number, before }) => {
    const path = ['sources', code, 'number'];
    const message = `is ${number}, but was ${before}, and the number of a source is permanent, because ids contain it: set it back to ${before}, or give the source another code`;
    return { path, offset: root === undefined ? 0 : offsetOf(root, path), message };
  });
  return toConfigErrors(issues, parts);
}
