import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { checkFaults, faults } from './planted-faults.js';
import type { Fault } from './planted-faults.js';

const USAGE = 'npm run faults [-- [--all] PART-OF-A-NAME…]';

/** Copies what Git tracks, and what it does not know and does not ignore, as it is in the working tree. */
function copyTree(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const deleted = execFileSync('git', ['ls-files', '-z', '--deleted'], { encoding: 'utf8' }).split('\0');
  const files = new Set(listed.split('\0').filter((file) => file !== '' && !deleted.includes(file)));
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(file, join(folder, file));
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
}

/** What Vitest reports of a run, as far as it is read here. */
interface TestReport {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** The name of the first test that fails. Where none could be run, nothing is shown about the fault: an error. */
function findFailedTest(folder: string, options: readonly string[]): string | undefined {
  const vitest = resolve('node_modules/vitest/vitest.mjs');
  const run = spawnSync(process.execPath, [vitest, 'run', '--bail', '1', '--reporter', 'json', ...options], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  const text = /^\{"numTotalTestSuites".*$/m.exec(run.stdout)?.[0];
  if (text === undefined) throw new Error(`vitest ${options.join(' ')} gave no report:\n${run.stdout}\n${run.stderr}`);
  const { numPassedTests, testResults } = JSON.parse(text) as TestReport;
  const failed = testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter((one) => one.status === 'failed'),
  );
  if (failed[0] === undefined && (run.status !== 0 || numPassedTests === 0)) {
    const messages = testResults.map(({ name, message }) => `${name}: ${message}`).join('\n');
    throw new Error(`vitest ${options.join(' ')} could run no test:\n${messages}\n${run.stderr}`);
  }
  return failed[0]?.fullName;
}

/** The runs of the named tests: a case is one test of `test/cases.test.ts`. */
function listRuns({ tests }: Fault): string[][] {
  const cases = tests.filter((test) => test.endsWith('.http'));
  const files = tests.filter((test) => !test.endsWith('.http'));
  const names = cases.map((file) => file.slice('test/cases/'.length).replaceAll('.', String.raw`\.`));
  return [
    ...(cases.length > 0 ? [['test/cases.test.ts', '--testNamePattern', names.join('|')]] : []),
    ...(files.length > 0 ? [files] : []),
  ];
}

/** The name of a test that notices the fault. */
function findNoticingTest(folder: string, fault: Fault, runsAll: boolean): string | undefined {
  const file = join(folder, fault.file);
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(fault.find, () => fault.replace),
  );
  try {
    for (const run of [...listRuns(fault), ...(runsAll ? [[]] : [])]) {
      const test = findFailedTest(folder, run);
      if (test !== undefined) return test;
    }
    return undefined;
  } finally {
    writeFileSync(file, text);
  }
}

const [runsAll, parts] = [process.argv.includes('--all'), process.argv.slice(2).filter((part) => part !== '--all')];
const chosen = faults.filter(({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)));
const problems = checkFaults();
if (chosen.length === 0 || parts.some((part) => part.startsWith('-'))) problems.push(USAGE);
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}

// Of this process alone: several may run at the same time.
const folder = resolve('var', 'faults', String(process.pid));
copyTree(folder);
try {
  let missed = 0;
  for (const fault of chosen) {
    const test = findNoticingTest(folder, fault, runsAll);
    if (test === undefined) missed += 1;
    console.log(test === undefined ? `NOT CAUGHT  ${fault.name}` : `caught      ${fault.name} (${test})`);
  }
  console.log(`${chosen.length - missed} of ${chosen.length} faults are caught`);
  process.exitCode = missed === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
