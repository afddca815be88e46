import type { ConfigPath, ConfigNode } from './config-node.js';
import type { ConfigIssue } from './config-error.js';

/** As `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The problem never contains the content. */
type IncludedText = { readonly content: string } | { readonly problem: string };

/** For `${file:PATH}` (operation 2.1.2). */
export type IncludedFileReader = (path: string) => IncludedText;

export interface VariableSources {
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
      const entries = Array.from(node.entries, ([key, { keyOffset: keyAt, value }]) => {
        return [key, { keyOffset: keyAt, value: expandNode(value, [...path, key]) }] as const;
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
