import type { Path, YamlNode } from './node.js';
import type { Finding } from './positions.js';

/** Variables of the process, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Puts environment variables in the place of each `${NAME}` in a value (operation.md, Configuration). What a variable
 * holds is text: it is not read as YAML, nor for further variables. A value that lacks one becomes unusable.
 */
export function fillVariables(
  root: YamlNode,
  environment: Environment,
): { readonly root: YamlNode; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const fill = (node: YamlNode, path: Path): YamlNode => {
    if (node.kind === 'map') {
      const entries = Array.from(node.entries, ([key, { keyAt, value }]) => {
        return [key, { keyAt, value: fill(value, [...path, key]) }] as const;
      });
      return { ...node, entries: new Map(entries) };
    }
    if (node.kind === 'list') return { ...node, items: node.items.map((item, index) => fill(item, [...path, index])) };
    if (node.kind === 'unusable' || node.value === null) return node;
    const { value, problems } = fillText(node.value, environment);
    if (problems.length === 0) return { ...node, value };
    findings.push({ path, at: node.at, message: problems.join('; ') });
    return { kind: 'unusable', at: node.at };
  };
  return { root: fill(root, []), findings };
}

function fillText(text: string, environment: Environment): { value: string; problems: string[] } {
  const problems: string[] = [];
  const value = text.replace(/\$\{(?:([A-Za-z_]\w*)\})?/g, (_, name: string | undefined) => {
    const filling = name !== undefined && Object.hasOwn(environment, name) ? environment[name] : undefined;
    if (filling === undefined) problems.push(problemOf(name));
    return filling ?? '';
  });
  return { value, problems };
}

function problemOf(name: string | undefined): string {
  if (name === undefined) return 'a variable is written ${NAME}, with letters, digits and _';
  return `the environment variable ${name} is not set`;
}
