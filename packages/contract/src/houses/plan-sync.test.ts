import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type KnownHouse, labelOf, planSync, type SourceRow } from './plan-sync.ts'

const row = (no: number, more: Partial<SourceRow> = {}): SourceRow => ({
  externalNo: `H${no}`,
  building: '5# 楼',
  unit: '',
  floor: '3层',
  name: `30${no}`,
  houseType: 'A',
  businessType: '住宅',
  buildArea: '98.5',
  ...more,
})
const house = (no: number, more: Partial<KnownHouse> = {}): KnownHouse => ({
  id: `id${no}`,
  ...row(no),
  houseType: 'A',
  businessType: '住宅',
  buildArea: 98.5,
  accepted: false,
  gone: false,
  ...more,
})

test('added, changed and missing, by the external number', () => {
  const plan = planSync([house(1), house(2), house(3)], [row(1), row(2, { buildArea: '99' }), row(4)])
  expect(plan.added.map((one) => one.externalNo)).toEqual(['H4'])
  expect(plan.changed.map((one) => [one.id, one.what])).toEqual([['id2', ['面积 98.5 → 99']]])
  expect(plan.missing).toEqual([{ id: 'id3', externalNo: 'H3', label: '5# 楼 / 3层 / 303', kept: false }])
  expect(plan.unchanged).toBe(1)
})

test('a house with acceptance data is kept, and stays where it is', () => {
  const plan = planSync([house(1, { accepted: true }), house(2, { accepted: true })], [row(2, { name: '309' })])
  expect(plan.missing[0]?.kept).toBe(true)
  expect(plan.failures).toEqual([{ row: 1, externalNo: 'H2', reason: '5# 楼 / 3层 / 302 已有验收数据，不能改为 5# 楼 / 3层 / 309' }])
  expect(planSync([house(1, { accepted: true })], [row(1, { buildArea: '100' })]).changed).toHaveLength(1)
})

test('each bad row has its reason, the others go through', () => {
  const plan = planSync(
    [],
    [row(1), row(1), row(2, { name: '301' }), row(3, { floor: '' }), row(4, { buildArea: '很大' }), row(5, { building: '5#/6#' })],
  )
  expect(plan.added.map((one) => one.externalNo)).toEqual(['H1'])
  expect(plan.failures.map((one) => `${one.row} ${one.reason}`)).toEqual([
    '2 外部编号与第 1 行重复',
    '3 5# 楼 / 3层 / 301 与外部编号 H1 是同一户',
    '4 缺少楼层',
    '5 建筑面积“很大”不是面积',
    '6 “5#/6#”含有 /',
  ])
})

test('a source of one building says nothing of the others; a refused row is not missing; what is gone comes back', () => {
  expect(planSync([house(1, { building: '6# 楼' })], [row(2)]).missing).toEqual([])
  expect(planSync([house(1)], [row(1, { buildArea: '-1' }), row(2)]).missing).toEqual([])
  expect(planSync([house(1, { gone: true })], [row(1)]).changed[0]?.what).toEqual(['来源恢复'])
})

test('every row is counted once, and applying a plan leaves nothing to do', () => {
  const rows = fc.array(
    fc.record({
      no: fc.integer({ min: 1, max: 9 }),
      area: fc.constantFrom('98.5', '100', '', 'x'),
      name: fc.constantFrom('301', '302', '303', ''),
    }),
    { maxLength: 12 },
  )
  fc.assert(
    fc.property(rows, rows, (first, second) => {
      const sourceOf = (all: typeof first) => all.map(({ no, area, name }) => row(no, { buildArea: area, name }))
      const made = planSync([], sourceOf(first)).added.map(
        (one, i): KnownHouse => ({ id: `id${i}`, ...one, accepted: i % 2 === 0, gone: false }),
      )
      const source = sourceOf(second)
      const plan = planSync(made, source)
      expect(plan.added.length + plan.changed.length + plan.unchanged + plan.failures.length).toBe(source.length)
      expect(plan.missing.every((one) => !source.some(({ externalNo }) => externalNo === one.externalNo))).toBe(true)
      const changes = new Map(plan.changed.map((one) => [one.id, one.row]))
      const gone = new Set(plan.missing.map((one) => one.id))
      const after: KnownHouse[] = [
        ...made
          .filter((one) => one.accepted || !gone.has(one.id))
          .map((one) => ({ ...one, ...changes.get(one.id), gone: gone.has(one.id) })),
        ...plan.added.map((one, i) => ({ id: `new${i}`, ...one, accepted: false, gone: false })),
      ]
      const again = planSync(after, source)
      const labels = after.map((one) => labelOf(one))
      expect(new Set(labels).size).toBe(labels.length)
      expect([again.added.length, again.changed.length, again.missing.length]).toEqual([0, 0, 0])
    }),
  )
})
