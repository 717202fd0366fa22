import { expect, test } from 'vitest'
import { type Body, branches, gapsOf, insideOf } from './government-chart.ts'

const body = (govCode: string, parentGovCode: string | null, more: Partial<Body> = {}): Body => ({
  govCode,
  name: govCode,
  type: '1',
  level: '4',
  areaCode: '420202',
  parentGovCode,
  disciplines: ['1'],
  projectCount: 0,
  enable: '1',
  ...more,
})
const city = body('city', null, { level: '3', areaCode: '420200' })

test('bodies stand under their superior; one whose superior is not seen stands at the top', () => {
  const tree = branches([body('b', 'city'), city, body('a', 'city'), body('c', 'a'), body('far', 'province')])
  expect(tree.map((one) => one.body.govCode)).toEqual(['city', 'far'])
  expect(tree[0]?.children.map((one) => [one.body.govCode, one.children.length])).toEqual([
    ['a', 1],
    ['b', 0],
  ])
  expect([...insideOf(tree, 'a')]).toEqual(['a', 'c'])
  expect([...insideOf(tree, 'nobody')]).toEqual([])
})

test.each([
  ['nothing where all fits', [city, body('a', 'city')], []],
  ['a superior that is closed', [{ ...city, enable: '0' }, body('a', 'city')], [['a', '上级停用']]],
  ['an area outside the superior’s', [city, body('a', 'city', { areaCode: '420303' })], [['a', '区划越界']]],
  ['two for one discipline in one area', [city, body('a', 'city'), body('b', 'city')], [['b', '两个主管']]],
  ['not two of different disciplines', [city, body('a', 'city'), body('b', 'city', { disciplines: ['2'] })], []],
  ['not one that is closed itself', [city, body('a', 'city'), body('b', 'city', { enable: '0' })], []],
  ['no discipline', [city, body('a', 'city', { disciplines: [] })], [['a', '未定专业']]],
])('gaps: %s', (_, bodies, expected) => {
  expect(gapsOf(bodies).map((gap) => [gap.govCode, gap.kind])).toEqual(expected)
})
