/** The client's certificate, and whom it trusts (mutual TLS); each as `node:tls` takes it. */
export interface TlsOptions {
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** Replaces the authorities that Node trusts. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[];
  /** Certificate and key in one. */
  readonly pfx?: string | Buffer;
  /** Of the key or of `pfx`. */
  readonly passphrase?: string;
}
