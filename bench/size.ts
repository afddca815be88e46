import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import * as ts from 'typescript';

/** What a change of the program makes larger or smaller. `npm run size` prints it. */
interface Size {
  readonly nodes: number;
  readonly exports: number;
  readonly types: number;
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile());
}

function countLines(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0);
}

/** Syntax nodes, exported names and named types (interfaces, aliases, classes, enums) of one file. */
function measureSyntax(file: string): Size {
  const size = { nodes: 0, exports: 0, types: 0 };
  const visit = (node: ts.Node): void => {
    size.nodes += 1;
    if (
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isEnumDeclaration(node)
    )
      size.types += 1;
    ts.forEachChild(node, visit);
  };
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  visit(source);
  for (const statement of source.statements) size.exports += countExports(statement);
  return size;
}

function countExports(statement: ts.Statement): number {
  if (ts.isExportDeclaration(statement)) {
    const { exportClause } = statement;
    return exportClause !== undefined && ts.isNamedExports(exportClause) ? exportClause.elements.length : 1;
  }
  if (ts.isExportAssignment(statement)) return 1;
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
  if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return 0;
  return ts.isVariableStatement(statement) ? statement.declarationList.declarations.length : 1;
}

/** Libraries in the bundles of the program, and the size of `dist` in bytes. */
function measureProgram(): { readonly libraries: number; readonly bytes: number } {
  const libraries = readFileSync('dist/licenses.md', 'utf8').match(/^## /gm)?.length ?? 0;
  return { libraries, bytes: listFiles('dist').reduce((sum, file) => sum + statSync(file).size, 0) };
}

/** The settings that `docs/configuration.md` documents: a test compares it with the schema. */
function countSettings(): number {
  const [page = ''] = readFileSync('docs/configuration.md', 'utf8').split('\n## Removed settings\n');
  return page.match(/^\| `(server|admin|cache|access|samples|defaults|sources)\b/gm)?.length ?? 0;
}

const source = listFiles('src');
const sizes = source.filter((file) => ['.ts', '.tsx'].includes(extname(file))).map(measureSyntax);
const total = (key: keyof Size): number => sizes.reduce((sum, size) => sum + size[key], 0);
const program = measureProgram();
const figures: readonly (readonly [string, number | string])[] = [
  ['files in src', source.length],
  ['lines in src, with data files', countLines(source)],
  ['syntax nodes in src', total('nodes')],
  ['exports', total('exports')],
  ['named types', total('types')],
  ['settings', countSettings()],
  ['bundled libraries', program.libraries],
  ['megabytes of dist', (program.bytes / 1e6).toFixed(1)],
  ['lines in test', countLines(listFiles('test'))],
  ['lines in docs/specification', countLines(listFiles('docs/specification'))],
];
for (const [name, value] of figures) console.log(`${name.padEnd(32)}${value.toLocaleString('en').padStart(12)}`);
