import { createCheckItem, listCheckItems, listCheckSheets, mostOwnItems } from '@zhugong/contract/scoring/library'
import * as contract from '@zhugong/contract/scoring/library-import'
import { sheetMarks } from '@zhugong/contract/scoring/score'
import { readXlsx, writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Answer, Caller, World } from '../../../test/world.ts'
import { checkItems, type KnownItem } from './item-check.ts'

describe('a sheet of check items', () => {
  const right = { takenFrom: '060004', name: '定型化临边防护', maxScore: '2' }
  const known: KnownItem[] = [
    { itemCode: '060004-01', takenFrom: '060004', name: '防护门', maxScore: 1, clause: null, rule: null, phrases: ['缺门'], enable: true },
  ]
  const faults = (cells: Record<string, string>) => checkItems([{ row: 2, cells: { ...right, ...cells } }], known)[0]?.errors
  test.each([
    [{ takenFrom: '' }, 'takenFrom', '请填写划出分值的标准项'],
    [{ takenFrom: '0601' }, 'takenFrom', '没有这个标准项'],
    [{ name: '' }, 'name', '请填写检查项'],
    [{ name: '项'.repeat(61) }, 'name', '最多 60 个字'],
    [{ maxScore: '两分' }, 'maxScore', '满分应为 1 到 20 的整数'],
    [{ maxScore: '1.5' }, 'maxScore', '满分应为 1 到 20 的整数'],
    [{ maxScore: '4' }, 'maxScore', '自有项合计至多划出 4 分'],
    [{ itemCode: '060004-09' }, 'itemCode', '没有这个自有检查项'],
    [{ itemCode: '060004' }, 'itemCode', '标准项不能导入修改'],
    [{ itemCode: '060004-01', takenFrom: '060005' }, 'takenFrom', '不能更换'],
    [{ name: '防护门' }, 'name', '已有同名检查项 060004-01'],
    [{ phrases: Array.from({ length: 21 }, (_, i) => `问题 ${i}`).join('；') }, 'phrases', '最多 20 条'],
    [{ phrases: '长'.repeat(101) }, 'phrases', '最多 100 个字'],
  ])('%j is wrong at %s', (cells, column, text) => {
    expect(faults(cells)).toEqual([{ column, text: expect.stringContaining(text) }])
  })
  test('marks are counted over the library as it would be after the file', () => {
    const lines = checkItems(
      [
        { row: 2, cells: { itemCode: '060004-01', name: '防护门', maxScore: '2' } },
        { row: 3, cells: right },
        { row: 4, cells: { ...right, name: '警示灯', maxScore: '1' } },
      ],
      known,
    )
    expect(lines.map((one) => one.errors.map((error) => error.column))).toEqual([[], [], ['maxScore']])
    expect(lines[0]).toMatchObject({ before: { itemCode: '060004-01' }, unchanged: false })
  })
  test('what is the same already is left alone, with its code or without', () => {
    const same = { name: '防护门', maxScore: '1', phrases: '缺门' }
    for (const cells of [
      { ...same, itemCode: '060004-01' },
      { ...same, takenFrom: '60004 临边防护' },
    ]) {
      const [line] = checkItems([{ row: 2, cells }], known)
      expect(line).toMatchObject({ errors: [], unchanged: true, before: { itemCode: '060004-01' } })
    }
  })
  test('one item twice is told, by name and by code', () => {
    const twice = checkItems(
      [
        { row: 2, cells: { ...right, maxScore: '1' } },
        { row: 3, cells: { ...right, maxScore: '1' } },
      ],
      known,
    )
    expect(twice[1]?.errors).toEqual([{ column: 'name', text: '与第 2 行的检查项同名' }])
    const coded = { itemCode: '060004-01', maxScore: '1' }
    const again = checkItems(
      [
        { row: 2, cells: { ...coded, name: '甲' } },
        { row: 3, cells: { ...coded, name: '乙' } },
      ],
      known,
    )
    expect(again[1]?.errors[0]).toEqual({ column: 'itemCode', text: '与第 2 行是同一个检查项' })
  })
  test('a library does not grow beyond its limit', () => {
    const full = Array.from({ length: mostOwnItems }, (_, i) => ({
      ...(known[0] as KnownItem),
      itemCode: `x-${i}`,
      name: `${i}`,
      enable: false,
    }))
    expect(checkItems([{ row: 2, cells: right }], full)[0]?.errors[0]?.text).toContain(`最多 ${mostOwnItems} 项`)
  })
})

describe('the import', () => {
  let world: World
  let settled: CityWorld
  let company: Caller
  let other: Caller
  beforeAll(async () => {
    world = await openCity(inject('postgresUrl'))
    settled = await settleCity(world)
    company = await settled.as('yunze-lu')
    other = await settled.as('chuyuan-li')
  })
  afterAll(() => world.close())

  const query = { projectCode: '*' }
  const head = contract.itemColumns.map((one) => one.title)
  type Out = NonNullable<(typeof contract.importCheckItems)['types']>['out']
  const post = async (who: Caller, file: Buffer, mode: 'check' | 'save'): Promise<Answer<Out>> => {
    const payload = Buffer.concat([
      Buffer.from(`--xx\r\ncontent-disposition: form-data; name="mode"\r\n\r\n${mode}\r\n`),
      Buffer.from(
        '--xx\r\ncontent-disposition: form-data; name="file"; filename="items.xlsx"\r\ncontent-type: application/octet-stream\r\n\r\n',
      ),
      file,
      Buffer.from('\r\n--xx--\r\n'),
    ])
    const headers = { token: who.token, group: '*', 'content-type': 'multipart/form-data; boundary=xx' }
    return (await world.api.app.inject({ method: 'POST', url: `${contract.importCheckItems.path}?projectCode=*`, headers, payload })).json()
  }
  const send = async (who: Caller, lines: readonly (readonly unknown[])[], mode: 'check' | 'save' = 'check') =>
    post(who, Buffer.from(await writeXlsx({ sheets: [{ name: '检查项', rows: [[...head, '备注栏'], ...lines] as never }] })), mode)
  const own = async (who: Caller) =>
    (await who.call(listCheckItems, { query: { ...query, library: 'safety', size: 1000 } })).list.filter((one) => one.owner !== 'standard')
  const template = async (who: Caller) => {
    const url = `${contract.itemTemplate.path}?projectCode=*`
    return world.api.app.inject({ method: 'GET', url, headers: { token: who.token, group: '*' } })
  }

  test('is checked cell by cell, then stored completely or not at all', async () => {
    const sound = [
      ['', '060004', '定型化临边防护', 2, 'Q/YZ 3.2', '每处扣 1 分', '未封闭；未涂警示色'],
      ['', '060005', '洞口盖板编号', 1, '', '', ''],
    ]
    const wrong = [...sound, ['', '0601', '', 'x', '', '', '']]
    const looked = await send(company, wrong)
    expect(looked.data.counts).toEqual({ rows: 3, faulty: 1, fresh: 2, revised: 0, unchanged: 0 })
    expect(looked.data.rows[2]?.errors.map((one) => one.column).toSorted()).toEqual(['maxScore', 'name', 'takenFrom'])
    expect(looked.data.unknownColumns).toEqual(['备注栏'])
    expect(await send(company, wrong, 'save')).toMatchObject({ status: 4, message: expect.stringContaining('整个文件都没有写入') })
    expect(await own(company)).toEqual([])
    expect((await send(company, sound)).status).toBe(0)
    expect(await own(company)).toEqual([])
    expect(await send(company, sound, 'save')).toMatchObject({ status: 0, data: { counts: { fresh: 2 } } })
    expect(await own(company)).toMatchObject([
      { itemCode: '060004-01', name: '定型化临边防护', maxScore: 2, clause: 'Q/YZ 3.2', phrases: ['未封闭', '未涂警示色'], revision: 1 },
      { itemCode: '060005-01', name: '洞口盖板编号', maxScore: 1, clause: null },
    ])
    const { categories } = await company.call(listCheckSheets, { query: { ...query, library: 'safety' } })
    expect(categories.flatMap((one) => one.sheets).every((one) => one.marks === sheetMarks)).toBe(true)
    expect(await send(company, sound, 'save')).toMatchObject({ status: 4, message: expect.stringContaining('都与现有内容相同') })
  })

  test('a changed line is a new revision; the one before stays for the inspections that used it', async () => {
    const lines = [['060004-01', '', '定型化临边防护', 1, 'Q/YZ 3.2', '每处扣 1 分', '未封闭']]
    expect(await send(company, lines, 'save')).toMatchObject({ data: { counts: { revised: 1, fresh: 0 } } })
    expect((await own(company))[0]).toMatchObject({ itemCode: '060004-01', maxScore: 1, revision: 2, phrases: ['未封闭'] })
    const { rows } = await world.database.pool.query(
      `select revision, max_score, superseded_at is null as current from check_item where item_code = '060004-01' order by 1`,
    )
    expect(rows).toEqual([
      { revision: 1, max_score: 2, current: false },
      { revision: 2, max_score: 1, current: true },
    ])
  })

  test('the template holds the own items as they are, and comes back as no change', async () => {
    const { rawPayload } = await template(company)
    const { sheets } = await readXlsx(rawPayload)
    expect(sheets.map((one) => one.name)).toEqual(['检查项', '标准项编码', '填写说明'])
    expect(sheets[0]?.rows[1]?.slice(0, 4)).toEqual(['060004-01', '060004', '定型化临边防护', '1'])
    expect(sheets[1]?.rows.find((row) => row[0] === '060004')).toEqual(['060004', '临边防护', expect.anything(), '10', '3'])
    expect((await post(company, rawPayload, 'check')).data.counts).toMatchObject({ faulty: 0, fresh: 0, revised: 0, unchanged: 2 })
  })

  test('another group neither sees nor changes it; who may not edit the library may not import', async () => {
    const lines = [['060004-01', '', '别人的项', 1, '', '', '']]
    expect((await send(other, lines)).data.rows[0]?.errors[0]).toMatchObject({ column: 'itemCode' })
    expect(await send(other, lines, 'save')).toMatchObject({ status: 4 })
    const { sheets } = await readXlsx((await template(other)).rawPayload)
    expect(sheets[0]?.rows).toHaveLength(1)
    const labour = await settled.as('hospital-labour')
    expect((await send(labour, lines)).status).toBe(403)
    expect((await template(labour)).statusCode).toBe(403)
    expect((await own(company))[0]).toMatchObject({ name: '定型化临边防护' })
  })

  test('what is no workbook, has no heading or no line is refused in words', async () => {
    expect((await post(company, Buffer.from('no workbook at all, but long enough'), 'check')).message).toContain('不是有效的 Excel')
    const noHeading = Buffer.from(await writeXlsx({ sheets: [{ name: 'x', rows: [['甲', '乙']] as never }] }))
    expect((await post(company, noHeading, 'check')).message).toContain('没有找到表头')
    expect((await send(company, [])).message).toContain('没有检查项')
  })

  test('a change of the page between check and save is seen: the same name is told', async () => {
    const line = [['', '060005', '移动护栏', 1, '', '', '']]
    expect((await send(company, line)).data.counts).toMatchObject({ fresh: 1, faulty: 0 })
    await company.call(createCheckItem, { query, body: { library: 'safety', takenFrom: '060005', name: '移动护栏', maxScore: 2 } })
    expect(await send(company, line, 'save')).toMatchObject({ status: 4, message: expect.stringContaining('1 行需要修改') })
  })
})
