import { expect, test } from 'vitest'
import { checkPlan } from './plan-check.ts'
import { looksLikeXml, readProjectXml } from './project-xml.ts'

const known = {
  units: [
    { id: 'u1', name: '1#楼' },
    { id: 'u2', name: '2#楼' },
  ],
  corps: [{ code: 'c1', name: '云泽建设' }],
}
const line = (row: number, cells: object) => ({ row, cells: { planStart: '2026-03-01', planEnd: '2026-03-10', ...cells } })
const faults = (lines: ReturnType<typeof line>[]) =>
  checkPlan(lines, known).flatMap((one) => one.errors.map(({ column, text }) => `${one.row} ${column} ${text}`))

test('a sound plan becomes a tree; units and weights follow where they are not given', () => {
  const items = checkPlan(
    [
      line(2, { wbs: '1', name: '1# 楼' }),
      line(3, { wbs: '1.1', name: '基础' }),
      line(4, { wbs: '1.2', name: '主体', planStart: '2026/3/11', planEnd: '2026年4月9日', critical: '是' }),
      line(5, { wbs: '2', name: '室外', unit: '', corp: '云泽建设', milestone: '√' }),
    ],
    known,
  ).map((one) => one.item)
  expect(items.map((one) => [one?.unitId, one?.parent, one?.weight])).toEqual([
    ['u1', null, 90.9],
    ['u1', '1', 25],
    ['u1', '1', 75],
    [null, null, 9.1],
  ])
  expect(items[2]).toMatchObject({ planStart: '2026-03-11', planEnd: '2026-04-09', critical: true })
  expect(items[3]).toMatchObject({ planStart: '2026-03-10', milestone: true, corpCode: 'c1' })
})

test('every mistake is named at its cell', () => {
  expect(
    faults([
      line(2, { wbs: 'A1', name: '甲' }),
      line(3, { wbs: '1', name: '' }),
      line(4, { wbs: '2.1', name: '无上级' }),
      line(5, { wbs: '3', name: '倒置', planStart: '2026-03-11' }),
      line(6, { wbs: '4', name: '坏日期', planStart: '2026-02-30', planEnd: '三月' }),
      line(7, { wbs: '5', name: '权重', weight: '120', milestone: '也许', corp: '别家', unit: '9#楼' }),
      line(8, { wbs: '5', name: '重复' }),
      line(9, { wbs: '6', name: '太久', planEnd: '2046-01-01' }),
    ]),
  ).toMatchInlineSnapshot(`
    [
      "2 wbs 编号格式应为 1、1.2、1.2.3，最多 8 级",
      "3 name 请填写任务名称",
      "4 wbs 没有上级任务 2",
      "5 planEnd 计划结束不能早于计划开始",
      "6 planStart 日期格式应为 2026-03-01",
      "6 planEnd 日期格式应为 2026-03-01",
      "7 unit 项目中没有这个单体，请先在项目设置中登记",
      "7 corp 不是本项目的在场参建单位",
      "7 weight 权重应为 0 到 100 的数，最多两位小数",
      "7 milestone 请填“是”或留空",
      "8 wbs 与第 7 行编号相同",
      "9 planEnd 工期超过 10 年，请检查年份",
    ]
  `)
})

test('weights of one level that are left out share what is left, to the hundredth', () => {
  for (let n = 1; n < 40; n++) {
    const lines = Array.from({ length: n }, (_, i) => line(i + 2, { wbs: String(i + 1), name: `任务${i}` }))
    const sum = checkPlan(lines, known).reduce((total, one) => total + Math.round((one.item?.weight ?? 0) * 100), 0)
    expect(sum).toBe(10_000)
  }
  const warned = checkPlan([line(2, { wbs: '1', name: '甲', weight: '30' }), line(3, { wbs: '2', name: '乙', weight: '30' })], known)
  expect(warned[0]?.warnings[0]?.text).toBe('同级权重合计 60，应为 100，按比例折算')
})

const head = '<?xml version="1.0" encoding="UTF-8"?><Project xmlns="http://schemas.microsoft.com/project">'
const project = (tasks: string) => Buffer.from(`${head}<Tasks>${tasks}</Tasks></Project>`)
const xmlTask = (id: number, outline: string, name: string, more = '') =>
  `<Task><UID>${id}</UID><ID>${id}</ID><Name>${name}</Name><OutlineNumber>${outline}</OutlineNumber><Start>2026-03-01T08:00:00</Start>` +
  `<Finish>2026-03-10T17:00:00</Finish>${more}<PredecessorLink><PredecessorUID>1</PredecessorUID></PredecessorLink></Task>`

test('XML of Microsoft Project: summary, empty and inactive tasks are left out', () => {
  const body = project(
    xmlTask(0, '0', '全项目') +
      xmlTask(1, '1', '1#楼 &amp; 地下室') +
      xmlTask(2, '1.1', '封顶', '<Milestone>1</Milestone><Critical>1</Critical>') +
      xmlTask(3, '1.2', '空', '<IsNull>1</IsNull>') +
      xmlTask(4, '1.3', '停用', '<Active>0</Active>'),
  )
  expect(looksLikeXml(body)).toBe(true)
  expect(readProjectXml(body)).toEqual([
    { row: 1, cells: { wbs: '1', name: '1#楼 & 地下室', planStart: '2026-03-01', planEnd: '2026-03-10' } },
    { row: 2, cells: { wbs: '1.1', name: '封顶', planStart: '2026-03-01', planEnd: '2026-03-10', milestone: '是', critical: '是' } },
  ])
})

test.each([
  ['another XML', Buffer.from('<a><b/></a>'), '不是 Microsoft Project'],
  ['cut off', Buffer.from(`${head}<Tasks><Task>`), '不是 Microsoft Project'],
  ['entities', Buffer.from(`<!DOCTYPE x [<!ENTITY a "b">]>${head}</Project>`), '实体定义'],
  ['another encoding', Buffer.from([...Buffer.from(head), 0xc3, 0x28]), 'UTF-8'],
  ['too many tasks', project(Array.from({ length: 501 }, (_, i) => xmlTask(i + 1, String(i + 1), '任务')).join('')), '最多 500 项'],
])('%s is refused', (_, body, words) => expect(() => readProjectXml(body)).toThrow(words))

test('a workbook is no XML', () => expect(looksLikeXml(Buffer.from('PK\u0003\u0004'))).toBe(false))
