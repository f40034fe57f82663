/** Memory that goes back to the system: glibc keeps large pieces that were freed, a heap for each thread, and with many slow readers a service would hold half as much again. */

/** Large pieces are had each alone, so that each can be given back alone. */
export const steadyMemory = { MALLOC_MMAP_THRESHOLD_: String(128 << 10) }

/** Only a process that begins can be told so: this one begins again, in its place, unless it was told. */
export function restartWithMmapThreshold(): void {
  const { platform, env, execPath, execArgv, argv } = process
  if (platform !== 'linux' || env.MALLOC_MMAP_THRESHOLD_ !== undefined) return
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, ...steadyMemory })
}
