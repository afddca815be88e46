import { type Config, completeConfig } from './config.js';
import { readEnvironmentProxies, readTlsFiles } from './rules/connection-rules.js';
import { checkRules } from './rules/config-rules.js';
import { type ConfigFile, configFile } from './schema/config-file.js';
import { validate } from './schema/setting-types.js';
import { Setting } from './setting.js';
import { findUnknownKeys } from './unknown-keys.js';
import {
  type ConfigError,
  type ConfigPart,
  type ConfigParts,
  parseParts,
  toConfigErrors,
} from './yaml/config-parts.js';
import { type ConfigIssue, offsetOf, toPlainValue } from './yaml/config-node.js';
import {
  type DocumentFileCheck,
  type Environment,
  type IncludedFileReader,
  expandVariables,
} from './yaml/expand-variables.js';
import { type ParsedYaml } from './yaml/parse-yaml.js';

/** Errors are in the order of the file. */
export type ParsedConfig = { readonly config: Config } | { readonly errors: readonly ConfigError[] };

export interface ConfigFiles {
  /** Paths in the configuration file are relative to it. */
  readonly folder: string;
  /** Reads the files that values name (operation 2.1.2). */
  readonly readFile: IncludedFileReader;
  /** Of `sources.d`, in the order of their names; absent: none. */
  readonly included?: readonly ConfigPart[] | undefined;
  /** Absent: files of documents are not checked. */
  readonly findFileProblem?: DocumentFileCheck | undefined;
}

/**
 * Never throws (operation 2.1). All errors are reported together; a text that is not YAML or not a mapping has only
 * that error. No message repeats a configured value, because it may be secret. `samples`: the available samples;
 * absent: any name is accepted. Without `files`, each file that a value names is an error, and the paths of documents
 * are relative to the working directory. `environment` also has the proxies of sources without a setting (operation
 * 2.8.15).
 */
export function parseConfig(
  text: string,
  environment: Environment,
  samples?: readonly string[],
  { folder, readFile, included = [], findFileProblem }: ConfigFiles = { folder: '.', readFile: refuseFile },
): ParsedConfig {
  const parts: ConfigParts = [{ name: undefined, text: text.replace(/^\uFEFF/, '') }, ...included];
  const yaml = parseParts(parts);
  const { root, issues: findings } = yaml;
  if (root?.kind !== 'map') return { errors: toConfigErrors([...findings, ...rootIssues(yaml)], parts) };
  const expanded = expandVariables(root, { environment, readFile });
  const { valid, partial, issues } = validate(configFile, toPlainValue(expanded.root));
  const file = new Setting<ConfigFile>(expanded.root, [], partial);
  const tlsFiles = file
    .at('sources')
    .entries()
    .map((source) => readTlsFiles(source, readFile));
  const allIssues = [
    ...findings,
    ...expanded.issues,
    ...findUnknownKeys(root, configFile),
    ...issues.map((issue) => ({ ...issue, offset: offsetOf(root, issue.path) })),
    ...checkRules(file, { environment, findFileProblem, samples }),
    ...tlsFiles.flatMap((files) => files.issues),
  ];
  if (valid === undefined || allIssues.length > 0) return { errors: toConfigErrors(allIssues, parts) };
  return { config: completeConfig(valid, { folder, tlsFiles, proxies: readEnvironmentProxies(environment) }) };
}

function refuseFile(path: string): { readonly problem: string } {
  return { problem: `the file ${path} cannot be read: files are not available here` };
}

/** A text that is not YAML already has an error. */
function rootIssues({ root, issues: findings }: ParsedYaml): ConfigIssue[] {
  if (root === undefined && findings.length > 0) return [];
  const message = 'a configuration must be a mapping of keys to values';
  return [{ path: [], offset: root?.offset ?? 0, message: root ? message : `the file is empty; ${message}` }];
}
