import { readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import ts from 'typescript';

/** Source texts by path below `src`, with `/` between folders. */
export type Sources = ReadonlyMap<string, string>;

/** What each file imports, as it is written there: types, re-exports, `import()` and `require()` included. */
export type Imports = ReadonlyMap<string, readonly string[]>;

export interface Plan {
  /** Rooms by floor, the lowest first: folders, and folders in them that are rooms of their own. */
  readonly floors: readonly (readonly string[])[];
  /** Files that lie in no folder, and the room that each belongs to. */
  readonly topFiles: Readonly<Record<string, string>>;
  /** The only pairs of rooms on one floor of which the first may import the second, as `a -> b`. */
  readonly neighbours: readonly string[];
}

export function readSources(root: string): Sources {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const paths = files.map((file) => file.replaceAll('\\', '/')).sort();
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

export function readImports(sources: Sources): Imports {
  const specifiers = (text: string): string[] =>
    ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  return new Map([...sources].map(([path, text]) => [path, specifiers(text)]));
}

function targets(imports: Imports, path: string): string[] {
  const relative = (imports.get(path) ?? []).filter((specifier) => specifier.startsWith('.'));
  return relative.map((specifier) => posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts'));
}

/** The innermost folder of a path that is a room, else its first folder. */
function roomOf(path: string, plan: Plan): string {
  if (!path.includes('/')) return plan.topFiles[path] ?? path;
  const rooms = plan.floors.flat().filter((room) => path.startsWith(`${room}/`));
  return rooms.reduce(
    (longest, room) => (room.length > longest.length ? room : longest),
    path.slice(0, path.indexOf('/')),
  );
}

function floorOf(room: string, plan: Plan): number {
  return plan.floors.findIndex((rooms) => rooms.includes(room));
}

/** Files that lie in no room of the plan. */
export function strangers(imports: Imports, plan: Plan): string[] {
  const unknown = [...imports.keys()].filter((path) => floorOf(roomOf(path, plan), plan) < 0);
  return unknown.map((path) => `src/${path}: no room of the plan`);
}

function fault(from: string, to: string, plan: Plan): string | undefined {
  const [room, other] = [roomOf(from, plan), roomOf(to, plan)];
  const [floor, otherFloor] = [floorOf(room, plan), floorOf(other, plan)];
  if (room === other || otherFloor < floor || plan.neighbours.includes(`${room} -> ${other}`)) return undefined;
  return `${room} is on floor ${floor}, ${other} on floor ${otherFloor}`;
}

/** Imports that go up, sideways, or to what is no file of the house. */
export function climbs(imports: Imports, plan: Plan): string[] {
  return [...imports.keys()].flatMap((from) =>
    targets(imports, from).flatMap((to) => {
      const why = imports.has(to) ? fault(from, to, plan) : 'there is no such file';
      return why === undefined ? [] : [`src/${from} imports src/${to}: ${why}`];
    }),
  );
}

/** Circles of imports, each once, as `a.ts -> b.ts -> a.ts`. */
export function cycles(imports: Imports): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push([...trail.slice(start), path].join(' -> '));
    if (start >= 0 || done.has(path)) return;
    for (const next of targets(imports, path)) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of imports.keys()) visit(path, []);
  return found;
}

/** Comparisons with one of the names, as `src/file.ts: === 'name'`. */
export function comparisons(sources: Sources, names: readonly string[]): string[] {
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

/** The packages imported anywhere, each with the files that import it. Built-ins count as packages unless written `node:`. */
export function libraries(imports: Imports): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const [path, specifiers] of imports) {
    const packages = new Set(specifiers.map(packageOf).filter((name) => name !== undefined));
    for (const name of packages) users.set(name, [...(users.get(name) ?? []), `src/${path}`]);
  }
  return users;
}

/** Imports of a path inside a package that is not one of the `entryPoints`, types included: such a path may change with any version. */
export function privateImports(imports: Imports, entryPoints: readonly string[]): string[] {
  const isPrivate = (specifier: string): boolean => {
    const name = packageOf(specifier);
    return name !== undefined && name !== specifier && !entryPoints.includes(specifier);
  };
  return [...imports].flatMap(([path, specifiers]) =>
    specifiers.filter(isPrivate).map((specifier) => `src/${path} imports ${specifier}`),
  );
}
