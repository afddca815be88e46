import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { channels } from '../src/model/resources/channels.js';
import { dataTeams } from '../src/model/resources/data-teams.js';
import { directoryTeams } from '../src/model/resources/directory-teams.js';
import { news, newsItem } from '../src/model/resources/news.js';
import {
  climbs,
  comparisons,
  cycles,
  libraries,
  privateImports,
  readImports,
  readSources,
  strangers,
  type Plan,
} from './support/house.js';

const plan: Plan = {
  floors: [
    ['model', 'text', 'region', 'merge', 'hold', 'wire', 'workers'],
    ['config', 'query', 'plan', 'records', 'access', 'result', 'render'],
    ['source/snapshot'],
    ['source'],
    ['gateway', 'probe'],
    ['http', 'operate', 'demo', 'explorer'],
    ['cli'],
  ],
  topFiles: { 'rollcall.ts': 'cli', 'app.ts': 'cli' },
  neighbours: ['model -> text'],
};

/** Libraries that another one loads by its name, which stands in our source as a string. */
const loadedByName = ['pino-pretty'];

const RESOURCE_NAMES = [directoryTeams, dataTeams, news, newsItem, channels].map(({ name }) => name);

/** A report of `rollcall explain` names a resource; a key of the configuration is the path of one. */
const OTHER_COMPARISONS = [
  "src/cli/explain-text.ts: === 'news-item'",
  "src/cli/explain-text.ts: === 'directory-teams'",
  "src/config/supports.ts: !== 'news'",
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

describe('the house', () => {
  const sources = readSources(fileURLToPath(new URL('../src', import.meta.url)));
  const imports = readImports(sources);
  const users = libraries(imports);

  it('has files, and each lies in a room of the plan', () => {
    expect(imports.size).toBeGreaterThan(0);
    expect(strangers(imports, plan)).toEqual([]);
  });

  it('imports from lower floors only', () => {
    expect(climbs(imports, plan)).toEqual([]);
  });

  it('has no circle of imports', () => {
    expect(cycles(imports)).toEqual([]);
  });

  it('knows each library in one file only', () => {
    expect(shared(users)).toEqual([]);
  });

  it('imports libraries by their public interface only', () => {
    expect(privateImports(imports, entryPoints)).toEqual([]);
  });

  it('allows no path inside a package that nothing imports', () => {
    const imported = new Set([...imports.values()].flat());
    expect(entryPoints.filter((path) => !imported.has(path))).toEqual([]);
  });

  it('knows no library in its model', () => {
    const known = [...users].filter(([, files]) => files.some((file) => file.startsWith('src/model/')));
    expect(known).toEqual([]);
  });

  it('compares the name of a resource in its model only', () => {
    const outside = new Map([...sources].filter(([path]) => !path.startsWith('model/')));
    expect(comparisons(outside, RESOURCE_NAMES)).toEqual(OTHER_COMPARISONS);
  });

  it('imports each library that it depends on, and depends on each that it imports', () => {
    const texts = [...sources.values()];
    const named = loadedByName.filter((name) => texts.some((text) => text.includes(`'${name}'`)));
    expect([...new Set([...users.keys(), ...named])].sort()).toEqual(dependencies().sort());
  });
});

describe('the proof of the house', () => {
  const check = (files: Record<string, string>): ReturnType<typeof readImports> =>
    readImports(new Map(Object.entries(files)));

  it('finds a file in a folder or at the top that the plan does not have', () => {
    const imports = check({ 'attic/box.ts': '', 'main.ts': '', 'app.ts': '', 'model/resources/news.ts': '' });
    expect(strangers(imports, plan)).toEqual([
      'src/attic/box.ts: no room of the plan',
      'src/main.ts: no room of the plan',
    ]);
  });

  it('finds each import that goes up, sideways or nowhere, types, re-exports and import() too', () => {
    const imports = check({
      'model/record.ts': "import { fold } from '../text/fold.js'; import type { Plan } from '../plan/plan.js';",
      'text/fold.ts': "export * from '../model/record.js';",
      'plan/plan.ts': "import '../model/record.js'; const records = await import('../records/records.js');",
      'records/records.ts': "import { gone } from './gone.js'; // import '../app.js'",
      'app.ts': "import './cli/serve.js'; import './plan/plan.js';",
      'cli/serve.ts': '',
    });
    expect(climbs(imports, plan)).toEqual([
      'src/model/record.ts imports src/plan/plan.ts: model is on floor 0, plan on floor 1',
      'src/text/fold.ts imports src/model/record.ts: text is on floor 0, model on floor 0',
      'src/plan/plan.ts imports src/records/records.ts: plan is on floor 1, records on floor 1',
      'src/records/records.ts imports src/records/gone.ts: there is no such file',
    ]);
  });

  it('finds an import that goes up from a room within a room', () => {
    const imports = check({
      'source/snapshot/store.ts': "import '../wish.js'; import './history.js'; import '../../model/outcome.js';",
      'source/snapshot/history.ts': '',
      'source/wish.ts': "import './snapshot/store.js';",
      'model/outcome.ts': '',
    });
    expect(climbs(imports, plan)).toEqual([
      'src/source/snapshot/store.ts imports src/source/wish.ts: source/snapshot is on floor 2, source on floor 3',
    ]);
  });

  it('finds circles, long ones and a file that imports itself', () => {
    const imports = check({
      'model/a.ts': "import './b.js';",
      'model/b.ts': "import type { C } from './c.js';",
      'model/c.ts': "import './a.js'; import './d.js';",
      'model/d.ts': "import './d.js';",
      'model/e.ts': "import './a.js'; import './d.js';",
    });
    expect(cycles(imports)).toEqual([
      'model/a.ts -> model/b.ts -> model/c.ts -> model/a.ts',
      'model/d.ts -> model/d.ts',
    ]);
  });

  it('finds each comparison with a name', () => {
    const text = "if (name === 'news' || 'news' !== name || path === 'newsletter') { case 'news': }";
    const found = comparisons(new Map([['a.ts', text]]), ['news', 'channels']);
    expect(found).toEqual(["src/a.ts: === 'news'", "src/a.ts: 'news' !==", "src/a.ts: case 'news':"]);
  });

  it('finds a library that two files know, and leaves built-ins free', () => {
    const imports = check({
      'wire/a.ts': "import 'node:fs'; import { Agent } from 'undici'; import type { x } from 'undici/types/x.js';",
      'wire/b.ts': "import 'node:fs'; const require = createRequire(import.meta.url); require('undici');",
      'wire/c.ts': "import '@scope/name/deep.js';",
    });
    expect(shared(libraries(imports))).toEqual(['undici: src/wire/a.ts, src/wire/b.ts']);
    expect([...libraries(imports).keys()]).toEqual(['undici', '@scope/name']);
  });

  it('finds each import of a path inside a package, types, import() and require() too, but of those that are entry points', () => {
    const imports = check({
      'source/transport.ts': "import Agent from 'undici/lib/dispatcher/agent.js'; import { request } from 'undici';",
      'wire/a.ts': "import type { x } from 'undici/types/x.js'; import '@scope/name'; import './b.js';",
      'wire/b.ts':
        "await import('@scope/name/deep.js'); import { write } from 'csv-stringify/sync'; import 'node:fs/promises';",
      'wire/c.ts': "const require = createRequire(import.meta.url); require('undici/lib/core/symbols');",
    });
    expect(privateImports(imports, ['csv-stringify/sync'])).toEqual([
      'src/source/transport.ts imports undici/lib/dispatcher/agent.js',
      'src/wire/a.ts imports undici/types/x.js',
      'src/wire/b.ts imports @scope/name/deep.js',
      'src/wire/c.ts imports undici/lib/core/symbols',
    ]);
  });
});
