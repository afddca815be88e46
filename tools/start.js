import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { URL, fileURLToPath, pathToFileURL } from 'node:url';

// npm start: builds the program where its sources have changed, and serves the demo.

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  process.stderr.write(`rollcall: ${message}\n`);
  process.exit(1);
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19))
  fail(`Node.js 20.19 or later is needed; this is ${process.versions.node}`);
if (process.argv.length > 2)
  fail('npm start serves the demo; node dist/rollcall.js serve --config FILE serves another configuration');
if (!existsSync(join(ROOT, 'node_modules/vite'))) fail('the packages are not installed; npm ci installs them');
const { isBuilt } = await import('./built-folder.js');
if (!isBuilt(ROOT, join(ROOT, 'dist'))) {
  process.stderr.write('Building Rollcall; this takes some seconds …\n');
  const build = ['--disable-warning=ExperimentalWarning', join(ROOT, 'tools/build.js')];
  if (spawnSync(process.execPath, build, { stdio: 'inherit' }).status !== 0) process.exit(1);
}
process.stderr.write('Starting the demo …\n');
process.argv.splice(1, Infinity, 'rollcall', 'serve', '--config', join(ROOT, 'config/demo.yaml'));
await import(pathToFileURL(join(ROOT, 'dist/rollcall.js')).href);
