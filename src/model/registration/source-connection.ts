/** How the servers of a source are reached (operation 2.8.14, 2.8.15). */
export interface SourceConnection {
  /** Absent: the defaults of Node.js. */
  readonly tls?: TlsSettings | undefined;
  /** Absent: every server is reached directly. */
  readonly proxies?: ProxySettings | undefined;
}

/** `ca`, `cert` and `key` are texts in PEM. */
export interface TlsSettings {
  /** The only authorities that are trusted. Absent: those of Node.js. */
  readonly ca?: string | undefined;
  /** Certificate of this gateway, the leaf first. Present together with `key`. */
  readonly cert?: string | undefined;
  /** Private key of `cert`; secret. */
  readonly key?: string | undefined;
}

export interface ProxySettings {
  /** Proxy for `http` addresses; undefined: none. User and password in it are secret. */
  readonly http: string | undefined;
  /** Undefined: that of `http` addresses. */
  readonly https: string | undefined;
  /** Hosts that are reached directly, in the form of the environment variable NO_PROXY. */
  readonly noProxy: string;
}
