import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ConfigIssue, ConfigNode, ConfigPath } from './config-node.js';

/** As `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The problem never contains the content. */
type IncludedText = { readonly content: string } | { readonly problem: string };

/** For `${file:PATH}` (operation 2.1.2). */
export type IncludedFileReader = (path: string) => IncludedText;

interface VariableSources {
  readonly environment: Environment;
  readonly readFile: IncludedFileReader;
}

/**
 * Replaces each `${NAME}` by the environment variable, and each `${file:PATH}` by the content of the file. The content
 * is text: it is not parsed as YAML and not searched for further variables. A value with an invalid or missing variable
 * or file becomes unusable.
 */
export function expandVariables(
  root: ConfigNode,
  sources: VariableSources,
): { readonly root: ConfigNode; readonly issues: readonly ConfigIssue[] } {
  const issues: ConfigIssue[] = [];
  const expandNode = (node: ConfigNode, path: ConfigPath): ConfigNode => {
    if (node.kind === 'map') {
      const entries = Array.from(node.entries, ([key, { keyOffset, value }]) => {
        return [key, { keyOffset, value: expandNode(value, [...path, key]) }] as const;
      });
      return { ...node, entries: new Map(entries) };
    }
    if (node.kind === 'list')
      return { ...node, items: node.items.map((item, index) => expandNode(item, [...path, index])) };
    if (node.kind === 'unusable' || node.value === null) return node;
    const { value, problems } = expandText(node.value, sources);
    if (problems.length === 0) return { ...node, value };
    issues.push({ path, offset: node.offset, message: problems.join('; ') });
    return { kind: 'unusable', offset: node.offset };
  };
  return { root: expandNode(root, []), issues };
}

/** `${` alone is an error. */
const VARIABLE = /\$\{(?:([A-Za-z_]\w*)\}|file:([^{}\p{Cc}]+)\})?/gu;

function expandText(text: string, { environment, readFile }: VariableSources): { value: string; problems: string[] } {
  const problems: string[] = [];
  const value = text.replace(VARIABLE, (_, name: string | undefined, path: string | undefined) => {
    const found = path === undefined ? readVariable(name, environment) : readFile(path);
    if ('content' in found) return found.content;
    problems.push(found.problem);
    return '';
  });
  return { value, problems };
}

function readVariable(name: string | undefined, environment: Environment): IncludedText {
  if (name === undefined)
    return { problem: 'a variable must have the form ${NAME}, with letters, digits and _, or ${file:PATH}' };
  const content = Object.hasOwn(environment, name) ? environment[name] : undefined;
  return content === undefined ? { problem: `the environment variable ${name} is not set` } : { content };
}

/** Keys and tokens are much shorter. */
const MAX_BYTES = 64 * 1024;

/**
 * A relative path is relative to `folder` (operation 2.1.2). A file has at most 64 KiB in UTF-8. One line break at its
 * end is not part of the content, because editors and `echo` add it. Reading is synchronous: it happens while the
 * configuration is parsed.
 */
export function createIncludedFileReader(folder: string): IncludedFileReader {
  return (path) => {
    try {
      const bytes = withFile(resolve(folder, path), constants.O_RDONLY, readStart);
      if (bytes.length > MAX_BYTES) return { problem: `the file ${path} has more than 64 KiB` };
      return { content: decodeUtf8(bytes).replace(/\r?\n$/, '') };
    } catch (error) {
      return { problem: `the file ${path} ${describeFailure(error)}` };
    }
  };
}

/** Returns why the file cannot be read as a document (operation 2.8.16); undefined if it can. */
export type DocumentFileCheck = (path: string) => string | undefined;

export function createDocumentFileCheck(folder: string): DocumentFileCheck {
  return (path) => {
    try {
      // Without `O_NONBLOCK`, opening a pipe would wait for its writer.
      const flags = constants.O_RDONLY | constants.O_NONBLOCK;
      const isFile = withFile(resolve(folder, path), flags, (file) => fstatSync(file).isFile());
      return isFile ? undefined : `the file ${path} is not a regular file`;
    } catch (error) {
      return `the file ${path} ${describeFailure(error)}`;
    }
  };
}

function withFile<T>(path: string, flags: number, use: (file: number) => T): T {
  const file = openSync(path, flags);
  try {
    return use(file);
  } finally {
    closeSync(file);
  }
}

/** At most a byte more than is allowed: the file may be a pipe or a device without end. */
function readStart(file: number): Buffer {
  const bytes = Buffer.alloc(MAX_BYTES + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read)
    read = readSync(file, bytes, length, bytes.length - length, null);
  return bytes.subarray(0, length);
}

/** Throws for bytes that are not UTF-8. A byte order mark is no part of the text. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/** By code alone: texts of errors may quote what was read. */
function describeFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
  return code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'is not UTF-8 text' : `cannot be read: ${code}`;
}
