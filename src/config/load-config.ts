import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from './config.js';
import { type ConfigError } from './yaml/config-error.js';
import type { Environment, IncludedFileReader, IncludedText } from './yaml/expand-variables.js';
import { createDocumentFileCheck, createIncludedFileReader } from './yaml/included-file.js';
import { type ParsedConfig, parseConfig } from './parse-config.js';
import { getErrorMessage } from '../text/get-error-message.js';

/** All files of a configuration as they were read. Another process gets the same configuration from them. */
export interface ConfigTexts {
  readonly text: string;
  /** The files that the configuration names, by their paths as it writes them. */
  readonly included: ReadonlyMap<string, IncludedText>;
}

/** A valid configuration, and the files that it was read from. */
export interface LoadedConfig {
  readonly config: Config;
  readonly texts: ConfigTexts;
}

/** Options of {@link loadConfig}. */
export interface LoadOptions {
  /** Whether a file of a document that cannot be read is an error. Default: no; the source then fails until it can. */
  readonly checksDocumentFiles?: boolean;
}

/**
 * Reads and parses a configuration file in UTF-8 (see `parseConfig`). A file that cannot be read is an error at line
 * 1, column 1 (operation 1.4).
 */
export async function loadConfig(
  file: string,
  environment: Environment,
  samples?: readonly string[],
  { checksDocumentFiles = false }: LoadOptions = {},
): Promise<LoadedConfig | { readonly errors: readonly ConfigError[] }> {
  const bytes = await readFile(file).catch(getErrorMessage);
  if (typeof bytes === 'string') return fileError(`the file cannot be read: ${bytes}`);
  const text = decodeUtf8(bytes);
  if (text === undefined) return fileError('the file is not UTF-8 text');
  const folder = dirname(file);
  const readIncluded = createIncludedFileReader(folder);
  const included = new Map<string, IncludedText>();
  const readOnce: IncludedFileReader = (path) => {
    const content = included.get(path) ?? readIncluded(path);
    included.set(path, content);
    return content;
  };
  const findFileProblem = checksDocumentFiles ? createDocumentFileCheck(folder) : undefined;
  const parsed = parseConfig(text, environment, samples, { folder, readFile: readOnce, findFileProblem });
  return 'config' in parsed ? { ...parsed, texts: { text, included } } : parsed;
}

/** Parses a configuration from files that were read before, in place of those that `file` has and names now. */
export function parseConfigTexts(
  file: string,
  { text, included }: ConfigTexts,
  environment: Environment,
  samples?: readonly string[],
): ParsedConfig {
  const readFile: IncludedFileReader = (path) => included.get(path) ?? { problem: `the file ${path} was not read` };
  return parseConfig(text, environment, samples, { folder: dirname(file), readFile });
}

/**
 * Formats an error as one line, such as `config/demo.yaml:12:5: sources.first.number: is required` (operation 2.1.3).
 */
export function formatConfigError(file: string, { path, line, column, message }: ConfigError): string {
  return `${file}:${String(line)}:${String(column)}: ${path === '' ? '' : `${path}: `}${message}`;
}

function fileError(message: string): { readonly errors: readonly ConfigError[] } {
  return { errors: [{ path: '', line: 1, column: 1, message }] };
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
