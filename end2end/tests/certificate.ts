// A certificate of its own for each server that speaks TLS.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export class Certificate {
  private readonly certificate: string;
  private readonly key: string;

  /** Made by OpenSSL in this folder, for this machine and this day. */
  constructor(folder: string) {
    this.certificate = join(folder, 'certificate.pem');
    this.key = join(folder, 'key.pem');
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
    const subject = ['-subj', '/CN=Vidence', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const files = ['-keyout', this.key, '-out', this.certificate];
    execFileSync('openssl', ['req', ...kind, ...subject, ...files], { stdio: 'ignore' });
    // Node.js 20 trusts no further certificate once it runs. Only workers that test TLS come here.
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  }

  /** For the server. */
  get flags(): string[] {
    return ['--tls-cert', this.certificate, '--tls-key', this.key];
  }
}
