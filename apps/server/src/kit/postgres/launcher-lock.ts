import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { PostgresLaunchError } from './launch-error.ts'
import { isAlive, startMarkOf } from './processes.ts'

interface Holder {
  pid: number
  /** Pids are reused over time and after each restart of a container; this shows whether it is still the same process. */
  startMark: string
}

/**
 * Acquires the lock of DATA_DIR, so that only one launcher uses it. The lock file is created by hard link, so that no process reads a
 * partial file. The file of a dead holder is moved aside before the next attempt, so that only one of several processes gets the lock.
 * @returns a function that releases the lock
 * @throws PostgresLaunchError when another process holds the lock
 */
export async function lockForLauncher(file: string): Promise<() => void> {
  const mine = JSON.stringify({ pid: process.pid, startMark: startMarkOf(process.pid), token: randomBytes(8).toString('hex') })
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(draft, mine, { mode: 0o600 })
  try {
    for (;;) {
      if (tryLink(draft, file)) {
        // Another process may have moved our file aside, taking it for the dead holder's; it restores it at once.
        await sleep(5)
        if (readIfThere(file) === mine) return () => readIfThere(file) === mine && rmSync(file, { force: true })
        continue
      }
      const seen = readIfThere(file)
      if (seen === undefined) continue
      const holder = parse(seen)
      if (holder && isAlive(holder.pid) && startMarkOf(holder.pid) === holder.startMark) throw refusal(holder.pid, file)
      moveAside(file, seen)
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

function moveAside(file: string, expected: string): void {
  const grave = `${file}.stale.${randomBytes(4).toString('hex')}`
  try {
    renameSync(file, grave)
  } catch {
    return // another process was faster
  }
  if (readIfThere(grave) !== expected) tryLink(grave, file)
  rmSync(grave, { force: true })
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    // Some shared and removable file systems have no hard links; use exclusive creation there.
    try {
      writeFileSync(to, readFileSync(from), { flag: 'wx', mode: 0o600 })
      return true
    } catch (second) {
      if ((second as NodeJS.ErrnoException).code === 'EEXIST') return false
      throw second
    }
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function parse(text: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return undefined
    const { pid, startMark } = value as Partial<Holder>
    return typeof pid === 'number' && typeof startMark === 'string' ? { pid, startMark } : undefined
  } catch {
    return undefined
  }
}

function refusal(pid: number, file: string) {
  return new PostgresLaunchError(
    `数据目录正被另一个筑工进程使用（进程号 ${pid}），请先停止它，或用 DATA_DIR 指定另一个目录。` +
      ` The data directory is in use by another process (pid ${pid}, lock file ${file}); stop it first or choose another DATA_DIR.`,
  )
}
