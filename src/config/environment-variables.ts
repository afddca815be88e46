import type { ConfigPath, ConfigNode } from './config-node.js';
import type { ConfigIssue } from './config-error.js';

/** Environment variables, in the form of `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Replaces each `${NAME}` in a value by the environment variable (operation 2.1.2). The content of a variable is text:
 * it is not parsed as YAML and not searched for further variables. A value with an invalid or missing variable becomes
 * unusable.
 */
export function expandVariables(
  root: ConfigNode,
  environment: Environment,
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
    const { value, problems } = expandText(node.value, environment);
    if (problems.length === 0) return { ...node, value };
    issues.push({ path, offset: node.offset, message: problems.join('; ') });
    return { kind: 'unusable', offset: node.offset };
  };
  return { root: expandNode(root, []), issues };
}

function expandText(text: string, environment: Environment): { value: string; problems: string[] } {
  const problems: string[] = [];
  const value = text.replace(/\$\{(?:([A-Za-z_]\w*)\})?/g, (_, name: string | undefined) => {
    const content = name !== undefined && Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (content === undefined) problems.push(variableProblem(name));
    return content ?? '';
  });
  return { value, problems };
}

function variableProblem(name: string | undefined): string {
  if (name === undefined) return 'a variable must have the form ${NAME}, with letters, digits and _';
  return `the environment variable ${name} is not set`;
}
