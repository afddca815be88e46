import { spawn } from 'node:child_process';
import process from 'node:process';

// npm run test:busy [-- ARGUMENTS]: runs npm test beside four busy loops. Tests must be green on a busy machine, only slower.

const LOOPS = 4;

const loops = Array.from({ length: LOOPS }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
const tests = spawn('npm', ['test', '--', ...process.argv.slice(2)], { stdio: 'inherit' });
const end = () => {
  for (const loop of loops) loop.kill('SIGKILL');
};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    end();
    tests.kill();
  });
/** @type {number | null} */
const code = await new Promise((resolve) => tests.once('exit', resolve));
end();
process.exitCode = code ?? 1;
