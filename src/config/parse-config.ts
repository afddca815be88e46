import { buildConfig } from './build-config.js';
import type { Config } from './config.js';
import { entryPathsAt, offsetOf, toPlainValue } from './yaml/config-node.js';
import { type ConfigError, type ConfigIssue, toConfigErrors } from './yaml/config-error.js';
import { checkEnvironmentProxies, readEnvironmentProxies } from './connection/proxies.js';
import { readTlsFiles } from './connection/tls-files.js';
import type { TlsFiles } from './connection/tls-files.js';
import { checkDocumentFiles } from './document/document-address-rules.js';
import { checkCrossFieldRules, checkSamples } from './cross-field-rules.js';
import { checkAccessRules } from './access-rules.js';
import { documentSchema } from './schema/config-file-schema.js';
import { validate } from './schema/schema-builders.js';
import { findUnknownKeys } from './unknown-keys.js';
import { type Environment, type IncludedFileReader, expandVariables } from './yaml/expand-variables.js';
import type { DocumentFileCheck } from './yaml/included-file.js';
import { type ParsedYaml, parseYaml } from './yaml/parse-yaml.js';

/** Errors are in the order of the file. */
export type ParsedConfig = { readonly config: Config } | { readonly errors: readonly ConfigError[] };

export interface ConfigFiles {
  /** Paths in the configuration file are relative to it. */
  readonly folder: string;
  /** Reads the files that values name (operation 2.1.2). */
  readonly readFile: IncludedFileReader;
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
  { folder, readFile, findFileProblem }: ConfigFiles = { folder: '.', readFile: refuseFile },
): ParsedConfig {
  const content = text.replace(/^\uFEFF/, '');
  const yaml = parseYaml(content);
  const { root, issues: findings } = yaml;
  if (root?.kind !== 'map') return { errors: toConfigErrors([...findings, ...rootIssues(yaml)], content) };
  const expanded = expandVariables(root, { environment, readFile });
  const validation = validate(documentSchema, toPlainValue(expanded.root));
  const allIssues = [...findings, ...expanded.issues, ...findUnknownKeys(root, documentSchema)];
  if ('issues' in validation)
    allIssues.push(...validation.issues.map((issue) => ({ ...issue, offset: offsetOf(root, issue.path) })));
  allIssues.push(...checkCrossFieldRules(expanded.root), ...checkAccessRules(expanded.root));
  allIssues.push(...checkSamples(expanded.root, samples));
  const tlsFiles = new Map<string, TlsFiles['contents']>();
  for (const source of entryPathsAt(expanded.root, ['sources'])) {
    const { contents, issues } = readTlsFiles(expanded.root, source, readFile);
    tlsFiles.set(String(source.at(-1)), contents);
    allIssues.push(...issues, ...checkEnvironmentProxies(expanded.root, source, environment));
    if (findFileProblem !== undefined) allIssues.push(...checkDocumentFiles(expanded.root, source, findFileProblem));
  }
  return 'document' in validation && allIssues.length === 0
    ? { config: buildConfig(validation.document, { folder, tlsFiles, proxies: readEnvironmentProxies(environment) }) }
    : { errors: toConfigErrors(allIssues, content) };
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
