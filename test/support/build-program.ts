import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { compileSources } from '../../tools/compiled-sources.js';

const ROOT = join(import.meta.dirname, '../..');

/**
 * Once for each test run. Tests run the compiled sources; threads, and the program in a process of its own, run `dist`.
 */
export default async function buildProgram(): Promise<void> {
  const args = ['--disable-warning=ExperimentalWarning', 'tools/build.js', '--if-changed'];
  execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  await compileSources();
}
