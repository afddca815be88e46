import { afterEach, beforeEach } from "vitest"; let t: any;
import { appendFileSync } from 'node:fs';
beforeEach(() => { t = process.cpuUsage(); });
afterEach((x) => { const d = process.cpuUsage(t); appendFileSync('/tmp/contract49/cpu.txt', `${((d.user + d.system) / 1000).toFixed(0)}\tT ${x.task.file.name.replace('test/','')} ${x.task.name}\n`); });
