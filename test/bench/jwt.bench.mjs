// Time of checking a bearer token whose key is cached, beside the signature check alone and beside jose.
// Run after `npm run build`: node test/bench/jwt.bench.mjs
import { createServer } from 'node:http';
import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { createVerifier } from '../../dist/auth/create-verifier.js';

const RUNS = 200;
const ROUNDS = 150;
const audience = 'agent';
const issuer = 'https://issuer.example';
const ALGORITHMS = {
  RS256: { name: 'RSASSA-PKCS1-v1_5' },
  ES256: { name: 'ECDSA', hash: 'SHA-256' },
};

/** Microseconds per call, one after another: the fastest round of each, since others may use the machine too. */
async function measure(subjects) {
  const rounds = subjects.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, subject] of subjects.entries()) {
      const start = process.hrtime.bigint();
      for (let run = 0; run < RUNS; run++) await subject();
      rounds[index].push(Number(process.hrtime.bigint() - start) / RUNS / 1_000);
    }
  }
  return rounds.map((times) => Math.min(...times));
}

for (const [alg, algorithm] of Object.entries(ALGORITHMS)) {
  const { publicKey, privateKey } = await generateKeyPair(alg);
  const jwk = { ...(await exportJWK(publicKey)), kid: 'key-1', use: 'sig' };
  const claims = { iss: issuer, aud: audience, sub: 'user-a', scope: 'a2a:invoke other' };
  const token = await new SignJWT({ ...claims, exp: Math.floor(Date.now() / 1_000) + 3_600 })
    .setProtectedHeader({ alg, kid: 'key-1' })
    .sign(privateKey);

  const server = createServer((_, response) => response.end(JSON.stringify({ keys: [jwk] })));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const jwksUrl = `http://127.0.0.1:${server.address().port}/`;
  const { verifier } = createVerifier({ jwt: { issuer, audience, jwksUrl } }, 'auth[0]');

  const [header, payload, last] = token.split('.');
  const signed = Buffer.from(`${header}.${payload}`);
  const signature = Buffer.from(last, 'base64url');
  const local = createLocalJWKSet({ keys: [jwk] });
  const [alone, jose, ours] = await measure([
    () => crypto.subtle.verify(algorithm, publicKey, signature, signed),
    () => jwtVerify(token, local, { issuer, audience, algorithms: [alg] }),
    () => verifier.verify(token),
  ]);
  console.log(
    `${alg}: signature ${alone.toFixed(1)} µs, jose ${jose.toFixed(1)} µs, verifier ${ours.toFixed(1)} µs: ` +
      `${(ours - alone).toFixed(1)} µs over the signature check`,
  );
  await verifier.close();
  server.close();
}
