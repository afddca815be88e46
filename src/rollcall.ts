#!/usr/bin/env node
import { stderr, versions } from 'node:process';

const MISSING_FILE: ReadonlySet<string> = new Set(['ENOENT', 'ERR_MODULE_NOT_FOUND']);

// Nothing else is loaded before: an older Node.js could not parse it.
const [major = 0, minor = 0] = versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  stderr.write(`rollcall: Node.js 20.19 or later is needed; this is ${versions.node}\n`);
  process.exit(1);
}
// Without a listener, SIGHUP would end a server that starts. It reads the configuration again when it has started.
if (process.argv.includes('serve')) process.on('SIGHUP', () => undefined);
try {
  const { mapStackTraces } = await import('./runtime/source-maps.js');
  mapStackTraces();
  const { main } = await import('./cli/main.js');
  const { exitAfterOutput, ignoreOutputErrors } = await import('./runtime/standard-output.js');
  ignoreOutputErrors();
  const code = await main(process.argv.slice(2));
  // Ends the process also where one listener is open and the next one could not be opened.
  if (code !== undefined) exitAfterOutput(code);
} catch (error) {
  // The operating system names the file; a fault of the program shows where it is.
  const isMissingFile = error instanceof Error && 'code' in error && MISSING_FILE.has(String(error.code));
  if (!isMissingFile) throw error;
  stderr.write(`rollcall: the installation is incomplete: ${error.message}\n`);
  process.exit(1);
}
