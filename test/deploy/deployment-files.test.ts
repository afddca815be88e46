import { load, loadAll } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.js';
import type { Config } from '../../src/config/config.js';
import { readShippedFile } from '../support/deploy/shipped-file.js';

const DEPLOYMENT = 1;

const unit = readShippedFile('deploy/rollcall.service');
const dockerfile = readShippedFile('Dockerfile');
const composeFile = load(readShippedFile('deploy/compose.yaml'));
const manifests = [...loadAll(readShippedFile('deploy/kubernetes.yaml'))];

/** The value at a path of keys and indexes of a parsed document. */
function at(document: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce((value: unknown, key) => {
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
    return entries.find(([name]) => name === String(key))?.[1] as unknown;
  }, document);
}

const pod = (...path: readonly (string | number)[]): unknown =>
  at(manifests[DEPLOYMENT], 'spec', 'template', 'spec', ...path);
const container = (...path: readonly (string | number)[]): unknown => pod('containers', 0, ...path);
const service = (...path: readonly (string | number)[]): unknown => at(composeFile, 'services', 'rollcall', ...path);

/** Value of a setting of the unit. */
function setting(name: string): string {
  return new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? '';
}

/** Parses a configuration, and lists the files with secrets that it reads. */
function configOf(text: string): { config: Config; secrets: string[] } {
  const secrets: string[] = [];
  const parsed = parseConfig(text, {}, undefined, {
    folder: '.',
    readFile: (path) => {
      secrets.push(path);
      return { content: 'secret' };
    },
  });
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  return { config: parsed.config, secrets };
}

const onHost = configOf(readShippedFile('deploy/rollcall.yaml'));
const inCompose = configOf(readShippedFile('deploy/container/rollcall.yaml'));
const inKubernetes = configOf(String(at(manifests[0], 'data', 'rollcall.yaml')));
const { config: defaults } = configOf('sources: { one: { number: 1, directory: "https://irt.example.org/v1" } }');

/** Seconds in which a process stops, or exits with 1 (operation 6.3). */
const STOP_SECONDS = defaults.server.deadline / 1_000 + 5;

describe('the configurations in deploy/', () => {
  it.each([
    ['rollcall.yaml', onHost.config, '127.0.0.1'],
    ['container/rollcall.yaml', inCompose.config, '0.0.0.0'],
    ['kubernetes.yaml', inKubernetes.config, '0.0.0.0'],
  ])(
    '%s is valid, has the default ports, deadline and memory, and trusts only its proxy',
    (_, { server, admin, cache }, host) => {
      expect([server.host, server.port, server.deadline]).toEqual([
        host,
        defaults.server.port,
        defaults.server.deadline,
      ]);
      expect([admin.host, admin.port, cache.memory]).toEqual([host, defaults.admin.port, defaults.cache.memory]);
      expect(server.trustProxy.length).toBe(1);
    },
  );

  it('keep their state in the folder that the service can write to', () => {
    expect([setting('StateDirectory'), setting('WorkingDirectory')]).toEqual(['rollcall', '/var/lib/rollcall']);
    expect(onHost.config.cache).toMatchObject({ state: 'state.json', disk: 'snapshots' });
    expect(dockerfile).toContain('\nVOLUME /var/lib/rollcall\n');
    expect(service('volumes')).toContain('state:/var/lib/rollcall');
    expect(container('volumeMounts')).toContainEqual({ name: 'state', mountPath: '/var/lib/rollcall' });
    const inVolume = { state: '/var/lib/rollcall/state.json', disk: '/var/lib/rollcall/snapshots' };
    for (const { config } of [inCompose, inKubernetes]) expect(config.cache).toMatchObject(inVolume);
  });

  it('read their secrets where the services mount them', () => {
    expect(onHost.secrets).toEqual(['secrets/harbour-token']);
    expect([inCompose.secrets, service('secrets')]).toEqual([['/run/secrets/harbour-token'], ['harbour-token']]);
    expect(inKubernetes.secrets).toEqual(['/run/secrets/rollcall/harbour-token']);
    expect(container('volumeMounts')).toContainEqual({
      name: 'secrets',
      mountPath: '/run/secrets/rollcall',
      readOnly: true,
    });
  });
});

describe('the services in deploy/', () => {
  it('give a process the time to stop', () => {
    expect(Number(setting('TimeoutStopSec').replace('s', ''))).toBeGreaterThan(STOP_SECONDS);
    expect(Number(String(service('stop_grace_period')).replace('s', ''))).toBeGreaterThan(STOP_SECONDS);
    const pause = Number(at(container('lifecycle', 'preStop', 'exec', 'command'), 1));
    expect(Number(pod('terminationGracePeriodSeconds'))).toBeGreaterThan(STOP_SECONDS + pause);
  });

  it('have one limit of memory, from which the alert about memory is computed', () => {
    expect([setting('MemoryMax'), service('mem_limit'), container('resources', 'limits', 'memory')]).toEqual([
      '1G',
      '1g',
      '1Gi',
    ]);
    expect(readShippedFile('deploy/prometheus/rollcall.rules.yaml')).toContain('> 0.85 * 1024 * 1024 * 1024\n');
  });

  it('have more file descriptors than Rollcall accepts connections', () => {
    expect(Number(setting('LimitNOFILE'))).toBeGreaterThan(defaults.server.limits.connections + 1_000);
    expect(service('ulimits', 'nofile')).toBe(Number(setting('LimitNOFILE')));
  });

  it('run without privileges, on a file system that they cannot change', () => {
    expect(dockerfile).toMatch(/\nUSER node\n[^]*\nSTOPSIGNAL SIGTERM\n/);
    expect([service('read_only'), service('cap_drop')]).toEqual([true, ['ALL']]);
    expect(pod('securityContext')).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(container('securityContext')).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  });

  it('start the program with the configuration that they mount', () => {
    const command = ['serve', '--config', '/etc/rollcall/rollcall.yaml'];
    expect(setting('ExecStart')).toBe(`/usr/bin/node /opt/rollcall/dist/rollcall.js ${command.join(' ')}`);
    expect([service('command'), container('args')]).toEqual([command, command]);
    expect(dockerfile).toContain('ENTRYPOINT ["node", "dist/rollcall.js"]');
    expect(service('volumes')).toContain('./container:/etc/rollcall:ro');
    expect(container('volumeMounts')).toContainEqual({
      name: 'configuration',
      mountPath: '/etc/rollcall',
      readOnly: true,
    });
  });

  it('check the health at the admin port, and publish the public port only', () => {
    const [port, adminPort] = [defaults.server.port, defaults.admin.port];
    expect(dockerfile).toContain(`\nEXPOSE ${port} ${adminPort}\n`);
    expect(dockerfile).toContain(`http://127.0.0.1:${adminPort}/healthz`);
    expect(service('ports')).toEqual([`127.0.0.1:${port}:${port}`]);
    expect(container('ports')).toEqual([
      { name: 'http', containerPort: port },
      { name: 'admin', containerPort: adminPort },
    ]);
    expect(container('readinessProbe', 'httpGet')).toEqual({ path: '/readyz', port: 'admin' });
    expect(container('livenessProbe', 'httpGet')).toEqual({ path: '/healthz', port: 'admin' });
    const published = manifests
      .filter((manifest) => at(manifest, 'kind') === 'Service')
      .map((manifest) => at(manifest, 'spec', 'ports'));
    expect(published).toEqual([[{ name: 'http', port: 80, targetPort: 'http' }]]);
  });

  it.each(['deploy/nginx/rollcall.conf', 'deploy/caddy/Caddyfile'])('%s forwards to the public port', (file) => {
    const addresses = readShippedFile(file).match(/127\.0\.0\.1:\d+/g);
    expect(addresses).toEqual([`127.0.0.1:${defaults.server.port}`]);
  });
});
