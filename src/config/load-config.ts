import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from './config.js';
import { type ConfigError } from './yaml/config-node.js';
import { type Environment, createDocumentFileCheck, createIncludedFileReader } from './yaml/expand-variables.js';
import { parseConfig } from './parse-config.js';
import { getErrorMessage } from '../text/get-error-message.js';

export interface LoadedConfig {
  readonly config: Config;
  readonly text: string;
}

export interface LoadOptions {
  /** Reports document files that cannot be read. Default: no; the source then fails until they can. */
  readonly checksDocumentFiles?: boolean;
}

/** In UTF-8. A file that cannot be read is an error at line 1, column 1 (operation 1.4). */
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
  const findFileProblem = checksDocumentFiles ? createDocumentFileCheck(folder) : undefined;
  const files = { folder, readFile: createIncludedFileReader(folder), findFileProblem };
  const parsed = parseConfig(text, environment, samples, files);
  return 'config' in parsed ? { ...parsed, text } : parsed;
}

/** As one line, such as `config/demo.yaml:12:5: sources.first.number: is required` (operation 2.1.3). */
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
