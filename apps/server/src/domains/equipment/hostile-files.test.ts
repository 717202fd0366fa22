import { randomBytes } from 'node:crypto'
import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Answer, Caller, World } from '../../../test/world.ts'
import { archive, type Part } from '../../kit/archive-for-test.ts'

let world: World
let city: CityWorld
let pm: Caller

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  pm = await city.as('hospital-pm')
})
afterAll(() => world.close())

async function send(who: Caller, url: string, file: Buffer): Promise<Answer> {
  const head = (name: string) => `--xx\r\ncontent-disposition: form-data; name="${name}"`
  const payload = Buffer.concat([
    Buffer.from(`${head('mode')}\r\n\r\nsave\r\n${head('file')}; filename="a.xlsx"\r\ncontent-type: application/octet-stream\r\n\r\n`),
    file,
    Buffer.from('\r\n--xx--\r\n'),
  ])
  const headers = { token: who.token, group: '*', 'content-type': 'multipart/form-data; boundary=xx' }
  const answer = await world.api.app.inject({ method: 'POST', url, headers, payload })
  return { ...(answer.json() as Answer), http: answer.statusCode }
}
const importSheet = (file: Buffer, who = pm) => send(who, '/api/v1/iot/device/import', file)
const attach = (file: Buffer, who = pm) => send(who, '/api/v1/tool/upload', file)

const heading = ['设备名称*', '序列号*', '设备类别*']
async function sheet(rows: unknown[][]): Promise<Buffer> {
  return Buffer.from((await writeXlsx({ sheets: [{ name: '设备导入', rows }] } as never)) as Uint8Array)
}
const cells = (count: number) => `<row r="1">${'<c r="A1" t="inlineStr"><is><t>x</t></is></c>'.repeat(count)}</row>`
const worksheet = (inner: string) => `<?xml version="1.0"?><worksheet><sheetData>${inner}</sheetData></worksheet>`
const workbookParts = (extra: Part[] = [], first = worksheet('')): Part[] => [
  { name: '[Content_Types].xml', data: '<Types/>' },
  { name: 'xl/workbook.xml', data: '<workbook/>' },
  { name: 'xl/worksheets/sheet1.xml', data: first },
  ...extra,
]
const megabytes = 1024 * 1024

const corpus: [string, () => Buffer, string, 'both' | 'import'][] = [
  ['a bomb', () => archive(workbookParts([{ name: 'xl/media/a.bin', data: Buffer.alloc(30 * megabytes) }])), '解开后过大', 'both'],
  [
    'a bomb that calls itself small',
    () => archive(workbookParts([{ name: 'xl/media/a.bin', data: Buffer.alloc(60 * megabytes), bytes: 1000 }])),
    '解开后过大',
    'import',
  ],
  [
    '200 MB of nothing',
    () => archive(workbookParts([{ name: 'xl/sharedStrings.xml', data: Buffer.alloc(200 * megabytes) }])),
    '解开后过大',
    'both',
  ],
  ['emptiness below the limit', () => archive(workbookParts([], worksheet(' '.repeat(5 * megabytes)))), '解开后过大', 'import'],
  [
    'an archive in an archive',
    () => archive(workbookParts([{ name: 'xl/embeddings/b.zip', data: archive(workbookParts()) }])),
    '还有压缩包',
    'both',
  ],
  [
    'a checksum that is wrong',
    () => archive(workbookParts([{ name: 'xl/styles.xml', data: '<styleSheet/>', crc: 1 }])),
    '已损坏',
    'import',
  ],
  ['a file cut short', () => archive(workbookParts()).subarray(0, 200), '已损坏', 'both'],
  [
    'entities that expand',
    () => archive(workbookParts([], `<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${worksheet('&b;')}`)),
    '实体定义',
    'import',
  ],
  ['macros', () => archive(workbookParts([{ name: 'xl/vbaProject.bin', data: 'x' }])), '含有宏', 'both'],
  ['a part with a password', () => archive(workbookParts([{ name: 'xl/a.xml', data: 'x', encrypted: true }])), '有密码', 'both'],
  [
    'a workbook with a password',
    () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), randomBytes(4096)]),
    '有密码或是旧版',
    'import',
  ],
  ['a text called .xlsx', () => Buffer.from('设备名称,序列号,设备类别\n水表,W-1,水表\n'), '不是有效的 Excel', 'import'],
  ['another kind of archive', () => archive([{ name: 'a.txt', data: 'x' }]), '不是有效的 Excel', 'import'],
  ['an archive without parts', () => archive([]), '不是有效的 Excel', 'import'],
  ['a thousand parts', () => archive(Array.from({ length: 1000 }, (_, i) => ({ name: `xl/${i}.xml`, data: '' }))), '部件过多', 'import'],
  ['one part twice', () => archive(workbookParts([{ name: 'xl/workbook.xml', data: '<workbook/>' }])), '已损坏', 'import'],
  [
    'more texts than a sheet has cells',
    () =>
      archive(
        workbookParts([
          { name: 'xl/sharedStrings.xml', data: Array.from({ length: 50_000 }, () => `<si><t>${Math.random()}</t></si>`).join('') },
        ]),
      ),
    '文字过多',
    'import',
  ],
  ['a sheet of one endless row', () => archive(workbookParts([], worksheet(cells(20_000)))), '', 'import'],
  ['nothing', () => Buffer.alloc(0), '不是有效的 Excel', 'import'],
]

test.each(corpus)('refused in words that help, and nothing is left of it: %s', async (_name, make, words, where) => {
  const file = make()
  const { pool } = world.database
  const count = async () =>
    (await pool.query('select (select count(*) from device)::int as devices, (select count(*) from stored_file)::int as files')).rows[0]
  const before = await count()
  const answer = await importSheet(file)
  expect(answer).toMatchObject({ status: 2, message: expect.stringContaining(words) })
  expect(answer.message).toMatch(/上传|模板|删除|最多/)
  if (where === 'both') expect((await attach(file)).status).toBe(2)
  expect(await count()).toEqual(before)
})

test('a bomb is stopped at the byte, not when it is whole', async () => {
  const file = archive(workbookParts([{ name: 'xl/media/a.bin', data: Buffer.alloc(400 * megabytes), bytes: 1000 }]))
  expect(file.length).toBeLessThan(megabytes)
  const before = process.memoryUsage().rss
  for (let i = 0; i < 4; i++) expect(await importSheet(file)).toMatchObject({ status: 2 })
  expect(process.memoryUsage().rss - before).toBeLessThan(300 * megabytes)
})

test('a long sheet is read and told that it is too long; as long as it may be it is taken', async () => {
  const rows = (count: number) => [heading, ...Array.from({ length: count }, (_, i) => [`水表 ${i}`, `LONG-${i}`, '水表'])]
  expect(await importSheet(await sheet(rows(1_001)))).toMatchObject({ status: 2, message: '一次最多导入 1000 行' })
  expect(await importSheet(await sheet(rows(1_000)))).toMatchObject({ status: 0, data: { saved: 1_000 } })
})

test('rows are called by their number in the sheet, and one below what is read is told', async () => {
  const gaps = [[], [], heading, ['', '', ''], ['水表', '!', '水表'], [], ['水表', 'GAP-2', '飞船']]
  const result = (await importSheet(await sheet(gaps))).data as { rows: { row: number; ok: boolean }[] }
  expect(result.rows.map((one) => [one.row, one.ok])).toEqual([
    [5, false],
    [7, false],
  ])
  const far = [heading, ['水表', 'FAR-1', '水表'], ...Array.from({ length: 1_497 }, () => []), ['水表', 'FAR-2', '水表']]
  expect(await importSheet(await sheet(far))).toMatchObject({ status: 2, message: expect.stringContaining('第 1500 行超出了读取范围') })
  const { rows } = await world.database.pool.query(`select 1 from device where device_sn like 'FAR-%'`)
  expect(rows).toEqual([])
})

test('an account sends so much within an hour and a group within a day; what was refused counts as well', async () => {
  const { pool } = world.database
  await importSheet(Buffer.from('keine Tabelle'))
  const { rows } = await pool.query<{ group_id: string; user_id: string; files: number }>('select * from upload_use')
  const [used] = rows
  if (!used) throw new Error('counted')
  expect(used.files).toBeGreaterThan(5)
  await pool.query('update upload_use set bytes = 1100 * 1024 * 1024')
  expect(await attach(Buffer.from('x'))).toMatchObject({ http: 429, message: '每个账号一小时最多上传 1 GB，请稍后再试' })
  await pool.query(`update upload_use set hour = hour - interval '2 hours'`)
  expect((await importSheet(await sheet([heading]))).message).toBe('文件里没有数据行')
  await pool.query(`insert into upload_use values ($1, 'somebody else', date_trunc('hour', now()), 100::bigint * 1024 * 1024 * 1024, 1)`, [
    used.group_id,
  ])
  expect(await importSheet(await sheet([heading]))).toMatchObject({
    http: 429,
    message: expect.stringMatching(/^本机构今天的上传总量已满（\d+ GB），每人仍可上传 300 MB，您的已用完，请明天再试$/),
  })
  // Who has sent little goes on, however much others sent.
  await pool.query(`update upload_use set bytes = 1024 where user_id <> 'somebody else'`)
  expect((await importSheet(await sheet([heading]))).message).toBe('文件里没有数据行')
  const other = await city.as('dongwan-officer')
  expect((await attach(Buffer.from('89504e470d0a1a0a00000000', 'hex'), other)).status).toBe(0)
})
