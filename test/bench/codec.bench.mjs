// Time of decoding one SendMessageRequest. Run after `npm run build`: node test/bench/codec.bench.mjs
import { decode, SendMessageRequestSchema } from '../../dist/protocol/codec/index.js';

const requestOf = (parts) => ({ message: { messageId: 'm-1', role: 'ROLE_USER', contextId: 'c-1', parts } });
const mixed = [
  { text: 'hello' },
  { data: { a: 1, b: [1, 2] }, metadata: { k: 1 } },
  { url: 'https://agent.example/f', mediaType: 'image/png', filename: 'f' },
  { raw: 'aGVsbG8gd29ybGQ=', mediaType: 'application/octet-stream' },
];

const CASES = [
  ['1 part', requestOf([{ text: 'hello' }]), 200_000],
  ['100 mixed parts', requestOf(Array.from({ length: 100 }, (_, index) => mixed[index % 4])), 10_000],
  ['64 KiB of bytes', requestOf([{ raw: Buffer.alloc(65_536, 7).toString('base64') }]), 2_000],
];

for (const from of ['wire', 'agent']) {
  for (const [name, request, runs] of CASES) {
    // Values of their own shapes and strings, as JSON.parse makes them for each request.
    const values = Array.from({ length: 50 }, () => JSON.parse(JSON.stringify(request)));
    const rounds = Array.from({ length: 5 }, () => {
      const start = process.hrtime.bigint();
      for (let run = 0; run < runs; run++)
        decode(SendMessageRequestSchema, values[run % values.length], { from });
      return Number(process.hrtime.bigint() - start) / runs / 1_000;
    });
    console.log(`${from}, ${name}: ${rounds.sort((a, b) => a - b)[2].toFixed(2)} µs`);
  }
}
