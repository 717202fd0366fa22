import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** dependency-cruiser finds circles of files; this test finds circles of domains, so that a domain can be read and moved alone. */

const domains = join(import.meta.dirname, '../src/domains')
const shipped = globSync('*/**/*.ts', { cwd: domains }).filter((path) => !/(\.test|\.fixtures|-for-test)\.ts$/.test(path))
const named = /(?:from|import\() ?'(?:(?:\.\.\/)+|#domains\/)([a-z0-9-]+)\//g

/** The domains that each domain imports from. */
function takes(): Map<string, Set<string>> {
  const rooms = new Set(shipped.map((path) => path.split('/')[0] ?? ''))
  const found = new Map([...rooms].map((room) => [room, new Set<string>()]))
  for (const path of shipped) {
    const own = path.split('/')[0] ?? ''
    for (const [, other = ''] of readFileSync(join(domains, path), 'utf8').matchAll(named))
      if (other !== own && rooms.has(other)) found.get(own)?.add(other)
  }
  return found
}

/** Removes domains without remaining imports until none is left: the rest are in a circle or depend on one. */
function inCircles(rooms: Map<string, Set<string>>): Record<string, string[]> {
  const left = new Map([...rooms].map(([room, others]) => [room, new Set(others)]))
  for (;;) {
    const free = [...left].filter(([, others]) => others.size === 0).map(([room]) => room)
    if (free.length === 0) return Object.fromEntries([...left].map(([room, others]) => [room, [...others]]))
    for (const room of free) left.delete(room)
    for (const others of left.values()) for (const room of free) others.delete(room)
  }
}

test('no room of the server takes from one that takes from it', () => {
  const rooms = takes()
  expect([...rooms.values()].reduce((sum, others) => sum + others.size, 0)).toBeGreaterThan(rooms.size)
  expect(inCircles(rooms)).toEqual({})
})

test('a circle is found, through however many rooms', () => {
  const of = (pairs: Record<string, string[]>) => new Map(Object.entries(pairs).map(([room, others]) => [room, new Set(others)]))
  expect(inCircles(of({ a: ['b'], b: ['c'], c: [] }))).toEqual({})
  expect(Object.keys(inCircles(of({ a: ['b'], b: ['c'], c: ['a'], d: [] })))).toEqual(['a', 'b', 'c'])
})
