import { readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

/** Source texts by path below `src`, with `/` between folders. */
export type Sources = ReadonlyMap<string, string>;

/** Import specifiers of each file as written, including types, re-exports, `import()` and `require()`. */
export type Imports = ReadonlyMap<string, readonly string[]>;

export interface Layering {
  /** Modules by layer, lowest first: folders, and sub-folders that are separate modules. */
  readonly layers: readonly (readonly string[])[];
  /** Files outside every folder, with the module that each belongs to. */
  readonly topFiles: Readonly<Record<string, string>>;
  /** Permitted imports between modules of one layer, as `a -> b`. */
  readonly exceptions: readonly string[];
}

export function readSources(root: string): Sources {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const paths = files.map((file) => file.replaceAll('\\', '/')).sort();
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

export function readImports(sources: Sources): Imports {
  const specifiers = (text: string): string[] =>
    ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  return new Map([...sources].map(([path, text]) => [path, specifiers(text)]));
}

function importedFiles(imports: Imports, path: string): string[] {
  const relative = (imports.get(path) ?? []).filter((specifier) => specifier.startsWith('.'));
  return relative.map((specifier) => {
    const file = posix.join(posix.dirname(path), specifier);
    const withJsx = file.replace(/\.js$/, '.tsx');
    return imports.has(withJsx) ? withJsx : file.replace(/\.js$/, '.ts');
  });
}

/** The innermost folder of a path that is a module, or else its first folder. */
function moduleOf(path: string, { layers, topFiles }: Layering): string {
  if (!path.includes('/')) return topFiles[path] ?? path;
  const modules = layers.flat().filter((module) => path.startsWith(`${module}/`));
  return modules.reduce(
    (longest, module) => (module.length > longest.length ? module : longest),
    path.slice(0, path.indexOf('/')),
  );
}

function layerOf(module: string, { layers }: Layering): number {
  return layers.findIndex((modules) => modules.includes(module));
}

/** Files that belong to no module of the layering. */
export function misplacedFiles(imports: Imports, layering: Layering): string[] {
  const unknown = [...imports.keys()].filter((path) => layerOf(moduleOf(path, layering), layering) < 0);
  return unknown.map((path) => `src/${path}: no module of the layering`);
}

function violation(from: string, to: string, layering: Layering): string | undefined {
  const [module, other] = [moduleOf(from, layering), moduleOf(to, layering)];
  const [layer, otherLayer] = [layerOf(module, layering), layerOf(other, layering)];
  if (module === other || otherLayer < layer || layering.exceptions.includes(`${module} -> ${other}`)) return undefined;
  return `${module} is in layer ${layer}, ${other} in layer ${otherLayer}`;
}

/** Imports of a higher layer, of another module of the same layer, or of a file that does not exist. */
export function layerViolations(imports: Imports, layering: Layering): string[] {
  return [...imports.keys()].flatMap((from) =>
    importedFiles(imports, from).flatMap((to) => {
      const why = imports.has(to) ? violation(from, to, layering) : 'there is no such file';
      return why === undefined ? [] : [`src/${from} imports src/${to}: ${why}`];
    }),
  );
}

/** Import cycles, each once, as `a.ts -> b.ts -> a.ts`. */
export function importCycles(imports: Imports): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), path].join(' -> '));
    if (start >= 0 || done.has(path)) return;
    for (const next of importedFiles(imports, path)) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return found;
}

/** Comparisons with one of the names, as `src/file.ts: === 'name'`. */
export function nameComparisons(sources: Sources, names: readonly string[]): string[] {
  const name = `'(?:${names.join('|')})'`;
  const pattern = new RegExp(`[!=]==? ${name}|${name} [!=]==?|case ${name}:`, 'g');
  return [...sources].flatMap(([path, text]) => [...text.matchAll(pattern)].map(([found]) => `src/${path}: ${found}`));
}

function packageOf(specifier: string): string | undefined {
  if (/^(\.|node:)/.test(specifier)) return undefined;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** The imported packages, each with the files that import it. Built-in modules count as packages unless written with `node:`. */
export function packageUsers(imports: Imports): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const [path, specifiers] of imports) {
    const packages = new Set(specifiers.map(packageOf).filter((name) => name !== undefined));
    for (const name of packages) users.set(name, [...(users.get(name) ?? []), `src/${path}`]);
  }
  return users;
}

/** Imports, including types, of a path inside a package that is not one of the `entryPoints`. Such a path may change with any version. */
export function privateImports(imports: Imports, entryPoints: readonly string[]): string[] {
  const isPrivate = (specifier: string): boolean => {
    const name = packageOf(specifier);
    return name !== undefined && name !== specifier && !entryPoints.includes(specifier);
  };
  return [...imports].flatMap(([path, specifiers]) =>
    specifiers.filter(isPrivate).map((specifier) => `src/${path} imports ${specifier}`),
  );
}

/** Folders that directly contain more than `most` files, as `src/folder: 16 files`. */
export function crowdedFolders(paths: Iterable<string>, most: number): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(posix.dirname(path), (counts.get(posix.dirname(path)) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > most).map(([folder, count]) => `src/${folder}: ${count} files`);
}

function exportedNames(path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return file.statements.flatMap((statement) => {
    const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
    if (modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) !== true) return [];
    if (ts.isVariableStatement(statement)) {
      const names = statement.declarationList.declarations.map(({ name }) => name).filter(ts.isIdentifier);
      return names.map((name) => name.text);
    }
    const isNamed =
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isEnumDeclaration(statement);
    return isNamed && statement.name !== undefined ? [statement.name.text] : [];
  });
}

/** Names that more than one file declares and exports, as `name: src/a.ts, src/b.ts`; overloads count once. */
export function repeatedExports(sources: Sources): string[] {
  const files = new Map<string, string[]>();
  for (const [path, text] of sources) {
    for (const name of new Set(exportedNames(path, text))) files.set(name, [...(files.get(name) ?? []), `src/${path}`]);
  }
  return [...files].filter(([, paths]) => paths.length > 1).map(([name, paths]) => `${name}: ${paths.join(', ')}`);
}
