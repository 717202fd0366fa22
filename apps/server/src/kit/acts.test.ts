import type { Acts } from '@zhugong/contract/kit/endpoint'
import { expect, test } from 'vitest'
import { actingScope } from './acts.ts'
import type { Scope } from './db.ts'

const scope: Scope = {
  all: false,
  projects: ['led', 'watched', 'worked'],
  limited: ['worked'],
  supervised: ['watched'],
  corps: ['C1'],
  governments: [],
  groupId: 'G',
  groupType: 2,
  userId: 'U',
}

test.each<[Acts, string[], string[]]>([
  ['site', ['led'], []],
  ['parties', ['led'], []],
  ['review', ['led', 'watched'], []],
  ['own', ['led', 'watched', 'worked'], ['worked', 'watched']],
  ['machine', ['led', 'watched', 'worked'], ['worked', 'watched']],
  ['aside', ['led', 'watched', 'worked'], ['worked']],
])('a call of kind %s', (acts, projects, limited) => {
  const acting = actingScope(scope, acts)
  expect([acting.projects, acting.limited]).toEqual([projects, limited])
})

test('whoever sees all may change all, as far as its codes go', () => {
  const all = { ...scope, all: true, projects: [], limited: [], supervised: [] }
  for (const acts of ['site', 'own', 'machine', 'review', 'parties', 'aside'] as const) expect(actingScope(all, acts)).toBe(all)
})
