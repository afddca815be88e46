import { assemble } from './assemble.js';
import type { Config } from './config.js';
import { offsetOf, toPlain } from './node.js';
import { type Fault, type Finding, toFaults } from './positions.js';
import { checkRules, checkSamples } from './rules.js';
import { documentSchema, readDocument } from './schema.js';
import { findUnknownKeys } from './unknown-keys.js';
import { type Environment, fillVariables } from './variables.js';
import { type YamlText, readYaml } from './yaml.js';

export type { Fault } from './positions.js';
export type { Environment } from './variables.js';

/** A configuration, or everything that is wrong with it in the order of its place. */
export type Parsed = { readonly config: Config } | { readonly faults: readonly Fault[] };

/**
 * Reads a configuration in YAML (operation.md, Configuration). It never throws, and tells all faults at once; only a text
 * that is not YAML or not a mapping has nothing further to tell. No fault repeats a value, which may be secret. `samples` are the names of
 * the sample repositories that can be started; absent: any name will do.
 */
export function parseConfig(text: string, environment: Environment, samples?: readonly string[]): Parsed {
  const written = text.replace(/^\uFEFF/, '');
  const yaml = readYaml(written);
  const { root, findings } = yaml;
  if (root?.kind !== 'map') return { faults: toFaults([...findings, ...refuseRoot(yaml)], written) };
  const filled = fillVariables(root, environment);
  const reading = readDocument(toPlain(filled.root));
  const all = [...findings, ...filled.findings, ...findUnknownKeys(root, documentSchema)];
  if ('issues' in reading) all.push(...reading.issues.map((issue) => ({ ...issue, at: offsetOf(root, issue.path) })));
  all.push(...checkRules(filled.root), ...checkSamples(filled.root, samples));
  return 'document' in reading && all.length === 0
    ? { config: assemble(reading.document) }
    : { faults: toFaults(all, written) };
}

/** What is not YAML has its finding already. */
function refuseRoot({ root, findings }: YamlText): Finding[] {
  if (root === undefined && findings.length > 0) return [];
  const message = 'a configuration must be a mapping of keys to values';
  return [{ path: [], at: root?.at ?? 0, message: root ? message : `there is nothing here; ${message}` }];
}
