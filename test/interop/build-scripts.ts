import { execFileSync } from 'node:child_process';

/** Once for each test run, for the programs that tests start (`tools/build.js`). */
export default function buildScripts(): void {
  execFileSync('npm', ['run', '--silent', 'scripts'], { stdio: 'inherit' });
}
