import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export function isAlive(pid: number): boolean {
  return isNumberTaken(pid) && !isZombie(pid)
}

/**
 * Whether a process with this pid exists. PostgreSQL uses the same check before it treats a lock file as stale. Also true for a zombie,
 * which init may reap late.
 */
export function isNumberTaken(pid: number): boolean {
  if (pid <= 0) return false // kill(2) treats these numbers as a process group
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether the process is a zombie: killed but not reaped by its parent. It still accepts signal 0. */
function isZombie(pid: number): boolean {
  const stat = readOrEmpty(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z')
}

/** Distinguishes processes with the same pid: start time and boot id. Empty when unknown. */
export function startMarkOf(pid: number): string {
  const stat = readOrEmpty(`/proc/${pid}/stat`)
  if (stat !== '') {
    // The process name in brackets may contain spaces and brackets; the start time is the 20th field after it.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return `${readOrEmpty('/proc/sys/kernel/random/boot_id').trim()}/${ticks}`
  }
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  } catch {
    return ''
  }
}

/** Whether `pid` is a running PostgreSQL process of this cluster, and not another process that got the pid later. */
export function isPostgresOn(pid: number, cluster: string): boolean {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') {
    try {
      const name = execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      return basename(name.trim()).startsWith('postgres')
    } catch {
      return false
    }
  }
  return readOrEmpty(`/proc/${pid}/comm`).trim() === 'postgres' && worksIn(pid, cluster)
}

/** Pids of server processes that still run on the cluster; they can outlive a killed postmaster for a while. Empty without /proc. */
export function postgresProcessesOn(cluster: string): number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isPostgresOn(pid, cluster))
}

function worksIn(pid: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder)
  } catch {
    return false
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Waits until the condition is true; returns false on timeout. */
export async function waitUntil(condition: () => boolean, timeoutMs: number, stepMs = 20): Promise<boolean> {
  const deadline = performance.now() + timeoutMs
  while (!condition()) {
    if (performance.now() > deadline) return false
    await sleep(stepMs)
  }
  return true
}

export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
