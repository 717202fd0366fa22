import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Postmaster {
  pid: number
  socketFolder: string
  status: string
}

/** Reads `postmaster.pid`, one value per line: pid, data directory, start time, port, socket folder, address, shared memory, status. */
export function readPostmaster(cluster: string): Postmaster | undefined {
  let lines: string[]
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
  } catch {
    return undefined
  }
  // In single-user mode the pid is negative.
  const pid = Math.abs(Number.parseInt(lines[0] ?? '', 10))
  if (!(pid > 0)) return undefined
  return { pid, socketFolder: lines[4] ?? '', status: (lines[7] ?? '').trim() }
}
