import type { CliOutput } from '../cli-environment.js';

const CLEAR = '\r\u001b[2K';

/**
 * Shows for how long there has been no answer, while `work` is at it. On a terminal only: elsewhere it would be noise.
 */
export async function whileWaiting<T>(output: CliOutput, work: Promise<T>): Promise<T> {
  if (output.isTTY !== true) return work;
  const start = Date.now();
  const show = () => output.write(`${CLEAR}waiting ${((Date.now() - start) / 1000).toFixed(1)} s`);
  const timer = setInterval(show, 250);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    output.write(CLEAR);
  }
}
