import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLS } from '../../card/tls.js';
import { freePort } from '../../support/free-port.js';

export const SUFFIX = 'dc=example,dc=org';
export const ADMIN = { bindDn: `cn=admin,${SUFFIX}`, bindPassword: 'admin-secret' };

const SLAPD = ['/usr/sbin/slapd', '/usr/local/sbin/slapd', '/usr/libexec/slapd'].find((path) =>
  existsSync(path),
);
const SLAPADD = SLAPD?.replace(/slapd$/, 'slapadd');

/** Whether these tests run: where there is no slapd they are skipped, but for CI, which has to install it. */
export const hasSlapd = SLAPD !== undefined;
if (!hasSlapd) {
  const what = 'slapd is not installed (on Debian: apt-get install slapd)';
  if (process.env.CI) throw new Error(`${what}, and CI needs it`);
  console.log(`Skipping the tests against a directory: ${what}`);
}

/** A directory of its own for a test, in a folder of its own and on a free port of 127.0.0.1. */
export class Slapd {
  #process: ChildProcess | undefined;

  private constructor(
    readonly folder: string,
    readonly port: number,
    readonly securePort: number,
  ) {}

  /** @param entries Entries below the suffix, in LDIF. */
  static async start(entries: string): Promise<Slapd> {
    const slapd = new Slapd(await mkdtemp(join(tmpdir(), 'slapd-')), await freePort(), await freePort());
    await slapd.#configure(entries);
    await slapd.run();
    return slapd;
  }

  get url(): string {
    return `ldap://127.0.0.1:${this.port}`;
  }

  /** Also after {@link stop}. */
  async run(): Promise<void> {
    const { folder } = this;
    const urls = `${this.url} ldaps://127.0.0.1:${this.securePort}`;
    const child = spawn(SLAPD!, ['-d', '0', '-f', join(folder, 'slapd.conf'), '-h', urls], {
      stdio: 'ignore',
    });
    this.#process = child;
    while (!(await this.#listens())) {
      if (child.exitCode !== null) throw new Error(`slapd ended with ${child.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async stop(): Promise<void> {
    const child = this.#process;
    if (child?.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill();
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true });
  }

  async #configure(entries: string): Promise<void> {
    const { folder } = this;
    await mkdir(join(folder, 'data'));
    await writeFile(join(folder, 'key.pem'), TLS.key);
    await writeFile(join(folder, 'cert.pem'), TLS.cert);
    await writeFile(join(folder, 'slapd.conf'), configuration(folder));
    const base = `dn: ${SUFFIX}\nobjectClass: dcObject\nobjectClass: organization\ndc: example\no: example\n`;
    await writeFile(join(folder, 'data.ldif'), `${base}\n${entries}`);
    const { status, stderr } = spawnSync(SLAPADD!, ['-f', 'slapd.conf', '-l', 'data.ldif'], { cwd: folder });
    if (status !== 0) throw new Error(`slapadd failed: ${String(stderr)}`);
  }

  #listens(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });
  }
}

/** Takes binds with an empty password for anonymous ones, as some directories do: nothing here may count on them. */
function configuration(folder: string): string {
  return `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile ${folder}/slapd.pid
TLSCertificateFile ${folder}/cert.pem
TLSCertificateKeyFile ${folder}/key.pem
allow bind_anon_cred
access to attrs=userPassword by anonymous auth by * none
access to dn.subtree="ou=hidden,${SUFFIX}" by dn.exact="${ADMIN.bindDn}" read by anonymous auth by * none
access to * by * read
database mdb
suffix "${SUFFIX}"
rootdn "${ADMIN.bindDn}"
rootpw ${ADMIN.bindPassword}
directory ${folder}/data
`;
}
