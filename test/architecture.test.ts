import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { channels } from '../src/model/resources/channels.js';
import { dataTeams } from '../src/model/resources/data-teams.js';
import { directoryTeams } from '../src/model/resources/directory-teams.js';
import { news, newsItem } from '../src/model/resources/news.js';
import {
  crowdedFolders,
  importCycles,
  layerViolations,
  misplacedFiles,
  nameComparisons,
  packageUsers,
  privateImports,
  readImports,
  readSources,
  repeatedExports,
  type Layering,
} from './support/architecture-rules.js';

const layering: Layering = {
  layers: [
    ['program'],
    ['text', 'region', 'merge', 'headers', 'identifiers', 'workers', 'event-loop'],
    ['model', 'html'],
    ['model/resources', 'events', 'cache', 'config/yaml', 'config/schema', 'search/text'],
    ['config', 'query', 'plan', 'records', 'projection', 'render'],
    ['access', 'source/client', 'gateway/links', 'countries'],
    ['source/record', 'source/client/transport', 'search/index'],
    ['source/format', 'search/ranking'],
    ['source/dialect'],
    ['source/body'],
    ['source/request', 'source/keys'],
    ['source'],
    ['lists'],
    ['search'],
    ['gateway', 'probe', 'preview'],
    ['http/request'],
    ['http/log'],
    ['http/source-report'],
    ['http/representation', 'http/render-input'],
    ['http/server'],
    ['http/cache'],
    ['http/operations'],
    ['http', 'runtime', 'demo', 'tracing'],
    ['openapi'],
    ['explorer', 'explanation'],
    ['composition', 'admin'],
    ['cli'],
  ],
  topFiles: { 'rollcall.ts': 'cli', 'app.ts': 'cli' },
  exceptions: ['text -> region', 'identifiers -> text'],
};

/** Maximum number of files in one folder. A larger folder is split into sub-modules. */
const MAX_FILES_PER_FOLDER = 15;

/** Libraries that only commands and configuration files name. */
const TOOLS = ['@eslint/js', 'eslint', 'prettier', 'typescript-eslint'];

/** The names of the resources of sources. That of the countries is the name of a predicate, too. */
const RESOURCE_NAMES = [directoryTeams, dataTeams, news, newsItem, channels].map(({ name }) => name);

/** Allowed comparison: a configuration key is the path of a resource. */
const OTHER_COMPARISONS = ["src/config/rules/property-rules.ts: === 'news'"];

/** Documented entry points inside packages, which may be imported. */
const entryPoints = [
  // A package of JSON files without a main module.
  'cldr-core/supplemental/territoryContainment.json',
  'cldr-core/supplemental/primaryZones.json',
  'cldr-core/supplemental/codeMappings.json',
  'cldr-core/supplemental/territoryInfo.json',
  // A package of JSON files without a main module.
  'world-atlas/countries-50m.json',
  // Hooks are a module of their own.
  'preact/hooks',
  // The synchronous interface.
  'csv-stringify/sync',
  'csv-parse/sync',
];

/** The libraries of the package. The build bundles those of the program with it, so that the package needs none. */
function listLibraries(kind: 'dependencies' | 'devDependencies'): string[] {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return Object.keys((manifest as Partial<Record<typeof kind, object>>)[kind] ?? {});
}

/** Describes each library that more than one file imports. */
function sharedLibraries(users: ReadonlyMap<string, readonly string[]>): string[] {
  return [...users].filter(([, files]) => files.length > 1).map(([name, files]) => `${name}: ${files.join(', ')}`);
}

describe('the architecture', () => {
  const sources = readSources(fileURLToPath(new URL('../src', import.meta.url)));
  const imports = readImports(sources);
  const users = packageUsers(imports);

  it('has every file in a module of the layering', () => {
    expect(imports.size).toBeGreaterThan(0);
    expect(misplacedFiles(imports, layering)).toEqual([]);
  });

  it('imports from lower layers only', () => {
    expect(layerViolations(imports, layering)).toEqual([]);
  });

  it('has no import cycle', () => {
    expect(importCycles(imports)).toEqual([]);
  });

  it('imports each library in only one file', () => {
    expect(sharedLibraries(users)).toEqual([]);
  });

  it('imports libraries only through their public entry points', () => {
    expect(privateImports(imports, entryPoints)).toEqual([]);
  });

  it('lists no entry point that is not imported', () => {
    const imported = new Set([...imports.values()].flat());
    expect(entryPoints.filter((path) => !imported.has(path))).toEqual([]);
  });

  it('imports no library in model/', () => {
    const inModel = [...users].filter(([, files]) => files.some((file) => file.startsWith('src/model/')));
    expect(inModel).toEqual([]);
  });

  it('compares resource names only in model/, with listed exceptions', () => {
    const outside = new Map([...sources].filter(([path]) => !path.startsWith('model/')));
    expect(nameComparisons(outside, RESOURCE_NAMES)).toEqual(OTHER_COMPARISONS);
  });

  it('has at most 15 files in each folder', () => {
    expect(crowdedFolders(sources.keys(), MAX_FILES_PER_FOLDER)).toEqual([]);
  });

  it('exports each name from only one file', () => {
    expect(repeatedExports(sources)).toEqual([]);
  });

  it('imports only libraries that package.json lists, and needs none beside its bundles', () => {
    expect([...users.keys()].filter((name) => !listLibraries('devDependencies').includes(name))).toEqual([]);
    expect(listLibraries('dependencies')).toEqual([]);
  });

  it('lists no library that nothing imports', () => {
    const read = (folder: string): string =>
      [...readSources(fileURLToPath(new URL(`../${folder}`, import.meta.url))).values()].join('\n');
    const text = ['test', 'bench', 'config/demo'].map(read).join('\n');
    const used = (name: string): boolean =>
      users.has(name) ||
      text.includes(`from '${name}'`) ||
      text.includes(`from '${name}/`) ||
      text.includes(`resolve('${name}/`);
    expect(listLibraries('devDependencies').filter((name) => !name.startsWith('@types/') && !used(name))).toEqual(
      TOOLS,
    );
  });
});

/** A small layering for the tests of the checks. */
const example: Layering = {
  layers: [['model', 'text', 'headers'], ['plan', 'records'], ['source/snapshot'], ['source'], ['cli']],
  topFiles: { 'rollcall.ts': 'cli', 'app.ts': 'cli' },
  exceptions: ['model -> text'],
};

describe('the architecture checks', () => {
  const check = (files: Record<string, string>): ReturnType<typeof readImports> =>
    readImports(new Map(Object.entries(files)));

  it('report a file that belongs to no module, in a folder or at the top level', () => {
    const imports = check({ 'attic/box.ts': '', 'main.ts': '', 'app.ts': '', 'model/resources/news.ts': '' });
    expect(misplacedFiles(imports, example)).toEqual([
      'src/attic/box.ts: no module of the layering',
      'src/main.ts: no module of the layering',
    ]);
  });

  it('report each import of a higher or equal layer or of a missing file, including types, re-exports and import()', () => {
    const imports = check({
      'model/record.ts': "import { fold } from '../text/fold.js'; import type { Plan } from '../plan/plan.js';",
      'text/fold.ts': "export * from '../model/record.js';",
      'plan/plan.ts': "import '../model/record.js'; const records = await import('../records/records.js');",
      'records/records.ts': "import { gone } from './gone.js'; // import '../app.js'",
      'app.ts': "import './cli/serve.js'; import './plan/plan.js';",
      'cli/serve.ts': '',
    });
    expect(layerViolations(imports, example)).toEqual([
      'src/model/record.ts imports src/plan/plan.ts: model is in layer 0, plan in layer 1',
      'src/text/fold.ts imports src/model/record.ts: text is in layer 0, model in layer 0',
      'src/plan/plan.ts imports src/records/records.ts: plan is in layer 1, records in layer 1',
      'src/records/records.ts imports src/records/gone.ts: there is no such file',
    ]);
  });

  it('report an import of a higher layer from a sub-module', () => {
    const imports = check({
      'source/snapshot/store.ts': "import '../request.js'; import './history.js'; import '../../model/outcome.js';",
      'source/snapshot/history.ts': '',
      'source/request.ts': "import './snapshot/store.js';",
      'model/outcome.ts': '',
    });
    expect(layerViolations(imports, example)).toEqual([
      'src/source/snapshot/store.ts imports src/source/request.ts: source/snapshot is in layer 2, source in layer 3',
    ]);
  });

  it('report import cycles, including a file that imports itself', () => {
    const imports = check({
      'model/a.ts': "import './b.js';",
      'model/b.ts': "import type { C } from './c.js';",
      'model/c.ts': "import './a.js'; import './d.js';",
      'model/d.ts': "import './d.js';",
      'model/e.ts': "import './a.js'; import './d.js';",
    });
    expect(importCycles(imports)).toEqual([
      'model/a.ts -> model/b.ts -> model/c.ts -> model/a.ts',
      'model/d.ts -> model/d.ts',
    ]);
  });

  it('report each comparison with a resource name', () => {
    const text = "if (name === 'news' || 'news' !== name || path === 'newsletter') { case 'news': }";
    const found = nameComparisons(new Map([['a.ts', text]]), ['news', 'channels']);
    expect(found).toEqual(["src/a.ts: === 'news'", "src/a.ts: 'news' !==", "src/a.ts: case 'news':"]);
  });

  it('report a library that two files import, and ignore built-in modules', () => {
    const imports = check({
      'headers/a.ts': "import 'node:fs'; import { Agent } from 'undici'; import type { x } from 'undici/types/x.js';",
      'headers/b.ts': "import 'node:fs'; const require = createRequire(import.meta.url); require('undici');",
      'headers/c.ts': "import '@scope/name/deep.js';",
    });
    expect(sharedLibraries(packageUsers(imports))).toEqual(['undici: src/headers/a.ts, src/headers/b.ts']);
    expect([...packageUsers(imports).keys()]).toEqual(['undici', '@scope/name']);
  });

  it('report each import of a path inside a package that is not an entry point, including types, import() and require()', () => {
    const imports = check({
      'source/transport.ts': "import Agent from 'undici/lib/dispatcher/agent.js'; import { request } from 'undici';",
      'headers/a.ts': "import type { x } from 'undici/types/x.js'; import '@scope/name'; import './b.js';",
      'headers/b.ts':
        "await import('@scope/name/deep.js'); import { write } from 'csv-stringify/sync'; import 'node:fs/promises';",
      'headers/c.ts': "const require = createRequire(import.meta.url); require('undici/lib/core/symbols');",
    });
    expect(privateImports(imports, ['csv-stringify/sync'])).toEqual([
      'src/source/transport.ts imports undici/lib/dispatcher/agent.js',
      'src/headers/a.ts imports undici/types/x.js',
      'src/headers/b.ts imports @scope/name/deep.js',
      'src/headers/c.ts imports undici/lib/core/symbols',
    ]);
  });

  it('report a folder with too many files', () => {
    expect(crowdedFolders(['a/1.ts', 'a/2.ts', 'a/b/3.ts', 'app.ts'], 1)).toEqual(['src/a: 2 files']);
  });

  it('report a name that two files export, and ignore overloads and re-exports', () => {
    const sources = new Map([
      [
        'a.ts',
        'export interface Page {} export function read(): void; export function read(x?: 1): void {} const own = 1;',
      ],
      ['b.ts', "export { read } from './a.js'; export class Page {} export const own = 1, other = 2;"],
    ]);
    expect(repeatedExports(sources)).toEqual(['Page: src/a.ts, src/b.ts']);
  });
});
