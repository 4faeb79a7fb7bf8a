/** Milliseconds that this process has worked, which others on the machine do not lengthen as they do those of a clock. */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
