import { type Place, reach } from '@zhugong/contract/kit/project-rights'
import { describe, expect, test } from 'vitest'
import { actingScope, mayAct, rightsIn } from './acts.ts'
import type { Scope } from './db.ts'

const company: Scope = {
  all: false,
  projects: ['runs', 'supervised', 'limited'],
  supervised: ['supervised'],
  limited: ['limited'],
  corps: ['own', 'below'],
  governments: [],
  groupId: 'g',
  groupType: 2,
  userId: 'u',
}
const kinds = [...(Object.keys(reach) as (keyof typeof reach)[]), 'aside'] as const
const opens = (scope: Scope, acts: (typeof kinds)[number], place: Place) => mayAct({ principal: { scope } as never }, acts, place)

describe('what is offered is what the call then allows', () => {
  test.each(kinds)('%s', (acts) => {
    const acting = actingScope(company, acts)
    for (const projectCode of company.projects) {
      const [all, own] = [acting.projects.includes(projectCode), acting.limited.includes(projectCode)]
      expect([projectCode, opens(company, acts, { projectCode })]).toEqual([projectCode, all])
      expect([projectCode, opens(company, acts, { projectCode, corpCode: 'below' })]).toEqual([projectCode, all])
      const others = acts === 'aside' || (all && !own)
      expect([projectCode, opens(company, acts, { projectCode, corpCode: 'other' })]).toEqual([projectCode, others])
      expect([projectCode, opens(company, acts, { projectCode, corpCode: null })]).toEqual([projectCode, others])
    }
  })
})

test('without a project in mind a call is open where any project opens it', () => {
  const only = (part: 'supervised' | 'limited'): Scope => ({ ...company, projects: [part], supervised: [], limited: [], [part]: [part] })
  expect(kinds.filter((acts) => opens(only('limited'), acts, {}))).toEqual(['answer', 'own', 'machine', 'aside'])
  expect(kinds.filter((acts) => opens(only('supervised'), acts, {}))).toEqual(['review', 'supervisor', 'answer', 'own', 'machine', 'aside'])
  expect(kinds.filter((acts) => opens(company, acts, {}))).toEqual(kinds)
  // Not even the owner or the general contractor does what is left to the supervisor.
  const runner: Scope = { ...company, projects: ['runs'], supervised: [], limited: [] }
  expect(kinds.filter((acts) => !opens(runner, acts, {}))).toEqual(['supervisor'])
})

test('bodies, sites, the platform and a company that takes part nowhere are held back by no part', () => {
  const free: Scope = { ...company, projects: ['P'], supervised: [], limited: [], corps: [] }
  for (const scope of [free, { ...free, all: true, projects: [] }, { ...free, projects: [] }]) {
    expect(kinds.filter((acts) => opens(scope, acts, {}))).toEqual(kinds)
    expect(rightsIn(scope)).toMatchObject({ supervised: [], limited: [] })
  }
})
