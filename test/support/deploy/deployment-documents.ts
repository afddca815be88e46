import { CORE_SCHEMA, load, loadAll, mergeTag } from 'js-yaml';
import { parseConfig } from '../gateway/program.js';
import type { Config } from '../gateway/program.js';
import { readShippedFile } from './shipped-file.js';

/** The value at a path of keys and indexes of a parsed document; undefined where there is none. */
export function valueAt(document: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce((value: unknown, key) => {
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    return entries.find(([name]) => name === String(key))?.[1] as unknown;
  }, document);
}

/** The entries of a mapping at a path of a parsed document. */
export function entriesAt(document: unknown, ...path: readonly (string | number)[]): [key: string, value: unknown][] {
  const value = valueAt(document, ...path);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** Reads `deploy/compose.yaml`, with its merge keys resolved. */
export function readComposeFile(): unknown {
  return load(readShippedFile('deploy/compose.yaml'), { schema: CORE_SCHEMA.withTags(mergeTag) });
}

/** Reads all documents of `deploy/kubernetes.yaml`. */
export function readManifests(): readonly unknown[] {
  return [...loadAll(readShippedFile('deploy/kubernetes.yaml'))];
}

/** The manifest of a kind and a name. Throws if there is none. */
export function findManifest(kind: string, name: string): unknown {
  const found = readManifests().find(
    (manifest) => valueAt(manifest, 'kind') === kind && valueAt(manifest, 'metadata', 'name') === name,
  );
  if (found === undefined) throw new Error(`deploy/kubernetes.yaml has no ${kind} ${name}`);
  return found;
}

/** A configuration of `deploy/`, and the files with secrets that it reads. */
export interface ShippedConfig {
  readonly config: Config;
  readonly secrets: readonly string[];
}

/** Parses a configuration. Every file that it reads contains the same 64 characters. Throws an error that has all its errors. */
export function parseShippedConfig(text: string): ShippedConfig {
  const secrets: string[] = [];
  const parsed = parseConfig(text, {}, undefined, {
    folder: '.',
    readFile: (path) => {
      secrets.push(path);
      return { content: '0123456789abcdef'.repeat(4) };
    },
  });
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  return { config: parsed.config, secrets };
}
