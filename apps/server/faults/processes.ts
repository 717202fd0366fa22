import { readdirSync, readFileSync } from 'node:fs'

/** A database server and all its processes; the server itself first, so that it starts no others meanwhile. */
export function databaseProcesses(postmaster: number): number[] {
  const children = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === postmaster ? [Number(name)] : []
    } catch {
      return [] // ended meanwhile
    }
  })
  return [postmaster, ...children]
}
