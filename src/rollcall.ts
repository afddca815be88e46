#!/usr/bin/env node
// Without a listener, SIGHUP would end a server that starts. It reads the configuration again when it has started.
if (process.argv.includes('serve')) process.on('SIGHUP', () => undefined);
const { main } = await import('./cli/main.js');
const { exitAfterOutput, ignoreOutputErrors } = await import('./runtime/standard-output.js');
ignoreOutputErrors();
const code = await main(process.argv.slice(2));
// Ends the process also where one listener is open and the next one could not be opened.
if (code !== undefined) exitAfterOutput(code);
