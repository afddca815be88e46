import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type ConfigError } from './yaml/config-error.js';
import { type Environment } from './yaml/expand-variables.js';
import { createIncludedFileReader } from './yaml/included-file.js';
import { type ParsedConfig, parseConfig } from './parse-config.js';

/**
 * Reads and parses a configuration file in UTF-8 (see `parseConfig`). A file that cannot be read is an error at line
 * 1, column 1 (operation 1.4).
 */
export async function loadConfig(
  file: string,
  environment: Environment,
  samples?: readonly string[],
): Promise<ParsedConfig> {
  const bytes = await readFile(file).catch(errorMessageOf);
  if (typeof bytes === 'string') return fileError(`the file cannot be read: ${bytes}`);
  const text = decodeUtf8(bytes);
  if (text === undefined) return fileError('the file is not UTF-8 text');
  const folder = dirname(file);
  return parseConfig(text, environment, samples, { folder, readFile: createIncludedFileReader(folder) });
}

/**
 * Formats an error as one line, such as `config/demo.yaml:12:5: sources.first.number: is required` (operation 2.1.3).
 */
export function formatConfigError(file: string, { path, line, column, message }: ConfigError): string {
  return `${file}:${String(line)}:${String(column)}: ${path === '' ? '' : `${path}: `}${message}`;
}

function fileError(message: string): ParsedConfig {
  return { errors: [{ path: '', line: 1, column: 1, message }] };
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function errorMessageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
