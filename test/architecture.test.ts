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
    ['text', 'region', 'merge', 'cache', 'headers', 'workers', 'event-loop'],
    ['model'],
    ['model/resources'],
    ['config', 'query', 'plan', 'records', 'projection', 'render'],
    ['source/client'],
    ['source/record'],
    ['source/snapshot'],
    ['source/dialect'],
    ['source/body'],
    ['source/request', 'source/keys'],
    ['source/drain'],
    ['source/top-n'],
    ['source'],
    ['gateway', 'probe/findings', 'probe/client'],
    ['probe/resource'],
    ['probe/checks'],
    ['probe'],
    ['http/request'],
    ['http/log'],
    ['http/source-report'],
    ['http/representation'],
    ['http/server'],
    ['http/cache'],
    ['http', 'admin', 'runtime', 'state', 'demo'],
    ['cli'],
  ],
  topFiles: { 'rollcall.ts': 'cli', 'app.ts': 'cli' },
  exceptions: [],
};

/** Files of one folder at most; a larger folder is split into sub-modules. */
const FILES_PER_FOLDER = 15;

/** Libraries that another one loads by its name, which stands in our source as a string. */
const loadedByName = ['pino-pretty'];

const RESOURCE_NAMES = [directoryTeams, dataTeams, news, newsItem, channels].map(({ name }) => name);

/** A report of `rollcall explain` names a resource; a key of the configuration is the path of one. */
const OTHER_COMPARISONS = [
  "src/cli/format-explain-report.ts: === 'news-item'",
  "src/cli/format-explain-report.ts: === 'directory-teams'",
  "src/config/supports-rules.ts: !== 'news'",
];

/** The paths inside packages that are documented as ways in, and may be imported. */
const entryPoints = [
  // A package of JSON files, which has no module of its own.
  'cldr-core/supplemental/territoryContainment.json',
  // The package exports nothing but one path for each kind of program.
  'write-excel-file/node',
  // The synchronous half of the interface.
  'csv-stringify/sync',
];

function dependencies(): string[] {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  if (typeof manifest !== 'object' || manifest === null || !('dependencies' in manifest)) return [];
  return Object.keys(manifest.dependencies ?? {});
}

/** One line for each library that more than one file imports. */
function shared(users: ReadonlyMap<string, readonly string[]>): string[] {
  return [...users].filter(([, files]) => files.length > 1).map(([name, files]) => `${name}: ${files.join(', ')}`);
}

describe('the architecture', () => {
  const sources = readSources(fileURLToPath(new URL('../src', import.meta.url)));
  const imports = readImports(sources);
  const users = packageUsers(imports);

  it('places every file in a module of the layering', () => {
    expect(imports.size).toBeGreaterThan(0);
    expect(misplacedFiles(imports, layering)).toEqual([]);
  });

  it('imports from lower layers only', () => {
    expect(layerViolations(imports, layering)).toEqual([]);
  });

  it('has no import cycle', () => {
    expect(importCycles(imports)).toEqual([]);
  });

  it('imports each library in one file only', () => {
    expect(shared(users)).toEqual([]);
  });

  it('imports libraries by their public interface only', () => {
    expect(privateImports(imports, entryPoints)).toEqual([]);
  });

  it('allows no path inside a package that nothing imports', () => {
    const imported = new Set([...imports.values()].flat());
    expect(entryPoints.filter((path) => !imported.has(path))).toEqual([]);
  });

  it('imports no library in its model', () => {
    const known = [...users].filter(([, files]) => files.some((file) => file.startsWith('src/model/')));
    expect(known).toEqual([]);
  });

  it('compares the name of a resource in its model only', () => {
    const outside = new Map([...sources].filter(([path]) => !path.startsWith('model/')));
    expect(nameComparisons(outside, RESOURCE_NAMES)).toEqual(OTHER_COMPARISONS);
  });

  it('has no folder with more files than a reader can survey', () => {
    expect(crowdedFolders(sources.keys(), FILES_PER_FOLDER)).toEqual([]);
  });

  it('exports each name from one file only', () => {
    expect(repeatedExports(sources)).toEqual([]);
  });

  it('imports each library that it depends on, and depends on each that it imports', () => {
    const texts = [...sources.values()];
    const named = loadedByName.filter((name) => texts.some((text) => text.includes(`'${name}'`)));
    expect([...new Set([...users.keys(), ...named])].sort()).toEqual(dependencies().sort());
  });
});

/** A small layering to try the checks on. */
const example: Layering = {
  layers: [['model', 'text', 'headers'], ['plan', 'records'], ['source/snapshot'], ['source'], ['cli']],
  topFiles: { 'rollcall.ts': 'cli', 'app.ts': 'cli' },
  exceptions: ['model -> text'],
};

describe('the checks of the architecture', () => {
  const check = (files: Record<string, string>): ReturnType<typeof readImports> =>
    readImports(new Map(Object.entries(files)));

  it('finds a file in a folder or at the top that belongs to no module', () => {
    const imports = check({ 'attic/box.ts': '', 'main.ts': '', 'app.ts': '', 'model/resources/news.ts': '' });
    expect(misplacedFiles(imports, example)).toEqual([
      'src/attic/box.ts: no module of the layering',
      'src/main.ts: no module of the layering',
    ]);
  });

  it('finds each import of a higher or equal layer or of a missing file, types, re-exports and import() included', () => {
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

  it('finds an import of a higher layer from a module inside another module', () => {
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

  it('finds import cycles, long ones and a file that imports itself', () => {
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

  it('finds each comparison with a name', () => {
    const text = "if (name === 'news' || 'news' !== name || path === 'newsletter') { case 'news': }";
    const found = nameComparisons(new Map([['a.ts', text]]), ['news', 'channels']);
    expect(found).toEqual(["src/a.ts: === 'news'", "src/a.ts: 'news' !==", "src/a.ts: case 'news':"]);
  });

  it('finds a library that two files import, and ignores built-ins', () => {
    const imports = check({
      'headers/a.ts': "import 'node:fs'; import { Agent } from 'undici'; import type { x } from 'undici/types/x.js';",
      'headers/b.ts': "import 'node:fs'; const require = createRequire(import.meta.url); require('undici');",
      'headers/c.ts': "import '@scope/name/deep.js';",
    });
    expect(shared(packageUsers(imports))).toEqual(['undici: src/headers/a.ts, src/headers/b.ts']);
    expect([...packageUsers(imports).keys()]).toEqual(['undici', '@scope/name']);
  });

  it('finds each import of a path inside a package, types, import() and require() too, but of those that are entry points', () => {
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

  it('finds a folder with too many files', () => {
    expect(crowdedFolders(['a/1.ts', 'a/2.ts', 'a/b/3.ts', 'app.ts'], 1)).toEqual(['src/a: 2 files']);
  });

  it('finds a name that two files export, and counts overloads and re-exports as one', () => {
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
