import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Scope, seesNothing } from '#kit/db'
import { areaPrefix, corporationScope, isInArea, narrow } from './scope-rules.ts'

test.each([
  ['420000', '42'],
  ['420200', '4202'],
  ['420202', '420202'],
  ['100000', '10'],
  ['420002', '420002'],
  ['421000', '4210'],
  ['none', 'none'],
])('the area of %s begins with %s', (code, front) => {
  expect(areaPrefix(code)).toBe(front)
})

describe('a government', () => {
  const at = (projectCode: string, areaCode: string) => ({ projectCode, areaCode })
  const district = { areaCode: '420202', added: ['P9'], removed: ['P2'] }
  test.each([
    ['a project of its district', at('P1', '420202'), true],
    ['one of the district beside it', at('P1', '420203'), false],
    ['one of another city', at('P1', '420102'), false],
    ['one added by hand, wherever it is', at('P9', '110101'), true],
    ['one taken away by hand', at('P2', '420202'), false],
  ])('%s', (_name, project, seen) => {
    expect(isInArea(project, district)).toBe(seen)
  })
  test('sees its whole subtree, and what was taken away stays away though it was added', () => {
    const city = { areaCode: '420200', added: ['P2'], removed: ['P2'] }
    expect(['420200', '420202', '420300', '430202'].map((code) => isInArea(at('P1', code), city))).toEqual([true, true, false, false])
    expect(isInArea(at('P2', '420202'), city)).toBe(false)
  })
  test.each([null, undefined, ''])('without an area (%s) sees only what was added', (areaCode) => {
    expect(isInArea(at('P1', '420202'), { areaCode, added: [], removed: [] })).toBe(false)
    expect(isInArea(at('P1', '420202'), { areaCode, added: ['P1'], removed: [] })).toBe(true)
  })
})

describe('a corporation', () => {
  const group = { id: 'G1', type: 2, code: 'C1' } as const
  const part = (projectCode: string, corpType: string, superviseOrg: string | null = null) => ({ projectCode, corpType, superviseOrg })
  const scope = (parts: ReturnType<typeof part>[], below: string[] = []) => corporationScope(group, 'U1', parts, below)
  test.each([
    ['007', [], ['P1']],
    ['008', [], []],
    ['009', [], []],
    ['001', ['P1'], []],
    ['010', ['P1'], []],
    ['', ['P1'], []],
  ])('with part %s sees the whole project, watches it, or ends at its own people', (corpType, limited, supervised) => {
    expect(scope([part('P1', corpType)])).toEqual({
      all: false,
      projects: ['P1'],
      limited,
      supervised,
      corps: ['C1'],
      governments: [],
      groupId: 'G1',
      groupType: 2,
      userId: 'U1',
    })
  })
  test('one whole part is enough, in this project alone', () => {
    const found = scope([part('P1', '001', 'A'), part('P1', '009', 'A'), part('P2', '001', 'B'), part('P3', '001')])
    expect([found.projects, found.limited, found.governments]).toEqual([
      ['P1', 'P2', 'P3'],
      ['P2', 'P3'],
      ['A', 'B'],
    ])
  })
  test('its subcontractors are its people, each once; without a part there is nothing', () => {
    expect(scope([part('P1', '001')], ['C2', 'C1', 'C2']).corps).toEqual(['C1', 'C2'])
    expect(scope([])).toMatchObject({ projects: [], limited: [], corps: ['C1'], governments: [] })
  })
  test('never sees more than it takes part in, and the whole only where one of its parts says so', () => {
    const anyPart = fc.record({
      projectCode: fc.constantFrom('P1', 'P2', 'P3', 'P4'),
      corpType: fc.constantFrom('001', '002', '007', '008', '009'),
      superviseOrg: fc.constantFrom('A', null),
    })
    fc.assert(
      fc.property(fc.array(anyPart), (parts) => {
        const found = scope(parts)
        expect(new Set(found.projects)).toEqual(new Set(parts.map((p) => p.projectCode)))
        for (const code of found.projects) {
          const whole = parts.some((p) => p.projectCode === code && ['007', '008', '009'].includes(p.corpType))
          const runs = parts.some((p) => p.projectCode === code && ['008', '009'].includes(p.corpType))
          expect(found.limited.includes(code)).toBe(!whole)
          expect(found.supervised.includes(code)).toBe(whole && !runs)
        }
      }),
    )
  })
})

describe('narrowed to one project', () => {
  const scope: Scope = {
    all: false,
    projects: ['P1', 'P2'],
    limited: ['P2'],
    supervised: ['P1'],
    corps: ['C1'],
    governments: ['A'],
    groupId: 'G',
    groupType: 2,
    userId: 'U',
  }
  test('it is that project, limited as before', () => {
    expect(narrow(scope, 'P1')).toEqual({ ...scope, projects: ['P1'], limited: [] })
    expect(narrow(scope, 'P2')).toEqual({ ...scope, projects: ['P2'], limited: ['P2'], supervised: [] })
  })
  test('it never widens', () => {
    expect(narrow(scope, 'P3')).toBeUndefined()
    expect(narrow(scope, '')).toBeUndefined()
    expect(narrow(scope, '*')).toBe(scope)
  })
  test('whoever sees all sees one, and no longer all', () => {
    expect(narrow({ ...scope, all: true, projects: [], limited: [] }, 'P9')).toMatchObject({ all: false, projects: ['P9'], limited: [] })
  })
})

test('nothing is nothing', () => {
  expect(seesNothing({ id: 'G', type: 3 }, 'U')).toEqual({
    all: false,
    projects: [],
    limited: [],
    supervised: [],
    corps: [],
    governments: [],
    groupId: 'G',
    groupType: 3,
    userId: 'U',
  })
})
