/** The milliseconds of processor time that a piece of work takes, which a busy machine does not lengthen. */
export function processorTime(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
