// A self-signed certificate for each server that speaks TLS.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

export class Certificate {
  private readonly certificate: string;
  private readonly key: string;

  /** Creates it in this folder with OpenSSL, for 127.0.0.1 and one day. */
  constructor(folder: string) {
    this.certificate = join(folder, 'certificate.pem');
    this.key = join(folder, 'key.pem');
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1'];
    const subject = ['-subj', '/CN=Vidence', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const files = ['-keyout', this.key, '-out', this.certificate];
    execFileSync('openssl', ['req', ...kind, ...subject, ...files], { stdio: 'ignore' });
    // Node.js 20 can’t trust another certificate once it runs. Only workers that test TLS get here.
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  }

  /** Flags of the server that name certificate and key. */
  get flags(): string[] {
    return ['--tls-cert', this.certificate, '--tls-key', this.key];
  }
}
