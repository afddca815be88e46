import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Once for each test run: threads, and the program in a process of its own, run the built code. */
export default function buildProgram(): void {
  const args = ['--disable-warning=ExperimentalWarning', 'tools/build.js', '--if-changed'];
  execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
}
