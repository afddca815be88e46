/** Microseconds that this process computes in `work`, whatever else the machine does. */
export function measureCpuTime(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
