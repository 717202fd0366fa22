import { readdirSync, readFileSync } from 'node:fs'

/** The process ids of a database server and its children; the server first, so that it is suspended before it can start others. */
export function databaseProcesses(postmaster: number): number[] {
  const children = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === postmaster ? [Number(name)] : []
    } catch {
      return [] // The process has ended meanwhile.
    }
  })
  return [postmaster, ...children]
}
