import type { ProxySettings } from '../../model/registration/source-connection.js';
import { PROXY_DESCRIPTION, readProxyUrl } from '../schema/connection-schema.js';
import type { ConfigIssue } from '../yaml/config-error.js';
import { keyOffsetOf, nodeAt } from '../yaml/config-node.js';
import type { ConfigNode, ConfigPath } from '../yaml/config-node.js';
import type { Environment } from '../yaml/expand-variables.js';
import { listAddresses } from './source-addresses.js';

/** The proxies of the environment are not used: a proxy would reach its own loopback (operation 2.8.15). */
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** Set and not empty. */
interface ProxyVariable {
  readonly name: string;
  readonly value: string;
}

/** In lower case, else in upper case. An empty variable in lower case counts. */
function readVariable(environment: Environment, lowerCase: string): ProxyVariable | undefined {
  const name = [lowerCase, lowerCase.toUpperCase()].find((one) => environment[one] !== undefined);
  const value = name === undefined ? undefined : environment[name]?.trim();
  return name === undefined || value === undefined || value === '' ? undefined : { name, value };
}

/** As in other programs, `HOST:PORT` is an `http` URL. */
function readProxy({ value }: ProxyVariable): string | undefined {
  return readProxyUrl(value.includes('://') ? value : `http://${value}`);
}

/**
 * HTTP_PROXY for `http` addresses, HTTPS_PROXY or else HTTP_PROXY for `https` addresses, NO_PROXY. Undefined if there
 * is none. A variable with another value is left out.
 */
export function readEnvironmentProxies(environment: Environment): ProxySettings | undefined {
  const [http, https] = ['http_proxy', 'https_proxy'].map((name) => {
    const variable = readVariable(environment, name);
    return variable && readProxy(variable);
  });
  const noProxy = readVariable(environment, 'no_proxy')?.value ?? '';
  if ((http === undefined && https === undefined) || noProxy === '*') return undefined;
  return { http, https, noProxy: [noProxy, ...LOOPBACK_HOSTS].join(',') };
}

/** By the setting, or else by the environment; undefined: none. */
export function chooseProxies(
  setting: string | undefined,
  fromEnvironment: ProxySettings | undefined,
): ProxySettings | undefined {
  if (setting === undefined) return fromEnvironment;
  return setting === 'none' ? undefined : { http: setting, https: setting, noProxy: '' };
}

/**
 * Reports a source that would be reached through a proxy of the environment whose variable is invalid. The value may
 * contain a password and is not shown.
 */
export function checkEnvironmentProxies(root: ConfigNode, source: ConfigPath, environment: Environment): ConfigIssue[] {
  if (nodeAt(root, [...source, 'proxy']) !== undefined) return [];
  const invalid = listAddresses(root, source).flatMap(({ protocol, hostname }) => {
    if (LOOPBACK_HOSTS.includes(hostname)) return [];
    const http = readVariable(environment, 'http_proxy');
    const variable = protocol === 'https:' ? (readVariable(environment, 'https_proxy') ?? http) : http;
    return variable === undefined || readProxy(variable) !== undefined ? [] : [variable.name];
  });
  return invalid.slice(0, 1).map((name) => ({
    path: source,
    offset: keyOffsetOf(root, source),
    message: `the environment variable ${name} must be ${PROXY_DESCRIPTION}; a source with the setting proxy ignores it`,
  }));
}
