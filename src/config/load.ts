import { readFile } from 'node:fs/promises';
import { type Environment, type Fault, type Parsed, parseConfig } from './parse.js';

/**
 * Reads a configuration file in UTF-8, as `parseConfig` reads its text. A file that cannot be read is a fault too, told
 * at its first line.
 */
export async function loadConfig(file: string, environment: Environment, samples?: readonly string[]): Promise<Parsed> {
  const bytes = await readFile(file).catch(reasonOf);
  if (typeof bytes === 'string') return refuse(`the file cannot be read: ${bytes}`);
  const text = decode(bytes);
  return text === undefined ? refuse('the file is not UTF-8 text') : parseConfig(text, environment, samples);
}

/** A fault as one line: `config/demo.yaml:12:5: sources.first.number: is required` (operation.md, `rollcall check`). */
export function describeFault(file: string, { path, line, column, message }: Fault): string {
  return `${file}:${String(line)}:${String(column)}: ${path === '' ? '' : `${path}: `}${message}`;
}

function refuse(message: string): Parsed {
  return { faults: [{ path: '', line: 1, column: 1, message }] };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
