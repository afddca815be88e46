import { readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from './config.js';
import type { ConfigError, ConfigPart, ConfigParts } from './yaml/config-parts.js';
import {
  type Environment,
  createDocumentFileCheck,
  createIncludedFileReader,
  decodeUtf8,
} from './yaml/expand-variables.js';
import { parseConfig } from './parse-config.js';
import { getErrorMessage } from '../text/get-error-message.js';

export interface LoadedConfig {
  readonly config: Config;
  readonly parts: ConfigParts;
}

export interface LoadOptions {
  /** Reports document files that cannot be read. Default: no; the source then fails until they can. */
  readonly checksDocumentFiles?: boolean;
}

/**
 * In UTF-8, with the files of `sources.d` beside it (operation 2.1.5). A file that cannot be read is an error at line 1,
 * column 1 (operation 1.4).
 */
export async function loadConfig(
  file: string,
  environment: Environment,
  samples?: readonly string[],
  { checksDocumentFiles = false }: LoadOptions = {},
): Promise<LoadedConfig | { readonly errors: readonly ConfigError[] }> {
  const folder = dirname(file);
  const main = await readPart(file, undefined);
  if ('message' in main) return { errors: [main] };
  const names = await listIncludedFiles(file).catch(getErrorMessage);
  if (typeof names === 'string') return { errors: [fileError(INCLUDED_FOLDER, `cannot be listed: ${names}`)] };
  const read = await Promise.all(names.map((name) => readPart(join(folder, name), name)));
  const unreadable = read.filter((part) => 'message' in part);
  if (unreadable.length > 0) return { errors: unreadable };
  const included = read.filter((part) => 'text' in part);
  const findFileProblem = checksDocumentFiles ? createDocumentFileCheck(folder) : undefined;
  const files = { folder, readFile: createIncludedFileReader(folder), included, findFileProblem };
  const parsed = parseConfig(main.text, environment, samples, files);
  return 'config' in parsed ? { ...parsed, parts: [main, ...included] } : parsed;
}

const INCLUDED_FOLDER = 'sources.d';

/** Relative to the folder of the configuration file, in the order of their names. Rejects where they cannot be listed. */
export async function listIncludedFiles(file: string): Promise<readonly string[]> {
  const names = await readdir(join(dirname(file), INCLUDED_FOLDER)).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return [];
    throw error;
  });
  return names
    .filter((name) => /^[^.].*\.ya?ml$/.test(name))
    .sort()
    .map((name) => join(INCLUDED_FOLDER, name));
}

/** Without a byte order mark. */
async function readPart(path: string, name: string | undefined): Promise<ConfigPart | ConfigError> {
  const bytes = await readFile(path).catch(getErrorMessage);
  if (typeof bytes === 'string') return fileError(name, `the file cannot be read: ${bytes}`);
  try {
    return { name, text: decodeUtf8(bytes) };
  } catch {
    return fileError(name, 'the file is not UTF-8 text');
  }
}

/** As one line, such as `config/demo.yaml:12:5: sources.first.number: is required` (operation 2.1.3). */
export function formatConfigError(file: string, { file: included, path, line, column, message }: ConfigError): string {
  const name = included === undefined ? file : join(dirname(file), included);
  return `${name}:${String(line)}:${String(column)}: ${path === '' ? '' : `${path}: `}${message}`;
}

function fileError(file: string | undefined, message: string): ConfigError {
  return { ...(file !== undefined && { file }), path: '', line: 1, column: 1, message };
}
