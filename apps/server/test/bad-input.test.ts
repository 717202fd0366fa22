import { createCorporation } from '@zhugong/contract/organisation/corporations'
import { createProjectFast, listProjects } from '@zhugong/contract/organisation/projects'
import { dictsByCode } from '@zhugong/contract/settings/endpoints'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from './city.ts'
import type { Caller, World } from './world.ts'

let world: World
let settled: CityWorld
let admin: Caller
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  admin = await settled.as('admin')
})
afterAll(() => world.close())

const rowsOf = async (table: string) => Number((await world.database.pool.query(`select count(*) from ${table}`)).rows[0].count)
const company = {
  corpCode: '91420200MA4TERT13Y',
  corpName: '样例建筑公司',
  corpType: '159',
  corpKind: ['6'],
  areaCode: '420202',
  address: '样例路 1 号',
  legalMan: '张三',
  legalManIdCardType: '01',
  legalManIdCardNumber: '42020219900101001X',
  regCapital: 1000,
  registerDate: '2020-01-01',
  linkMan: '李四',
  linkPhone: '13800138000',
}

describe('bad input is refused at its field, with a clear message, and nothing is stored', () => {
  test.each([
    ['a wrong check character of the credit code', { corpCode: '91420200MA4TERT13A' }, 'corpCode', /信用代码/],
    ['a wrong check digit of an ID card', { legalManIdCardNumber: '420202199001010010' }, 'legalManIdCardNumber', /校验/],
    ['an impossible birthday in an ID card', { legalManIdCardNumber: '420202199002300019' }, 'legalManIdCardNumber', /日期|出生/],
    ['an overlong name', { corpName: '名'.repeat(201) }, 'corpName', /最多 200 个字/],
    ['a control character', { corpName: '样例\u0007公司' }, 'corpName', /控制字符/],
    ['a zero byte', { address: 'a\u0000b' }, 'address', /控制字符/],
    ['a direction mark', { corpName: '样例\u202e公司' }, 'corpName', /控制字符/],
    ['an unknown dictionary code', { corpKind: ['77'] }, 'corpKind.0', /字典/],
    ['an unknown area', { areaCode: '999999' }, 'areaCode', /不存在/],
    ['a telephone number that is none', { linkPhone: '12345678901' }, 'linkPhone', /手机/],
    ['a date that does not exist', { registerDate: '2026-02-30' }, 'registerDate', /日期/],
    ['a date in the future', { registerDate: '2999-01-01' }, 'registerDate', /晚于今天/],
    ['a builder without a safety licence', { corpKind: ['4'] }, 'safetyLicenseNo', /安全生产许可证/],
    ['a negative amount', { regCapital: -1 }, 'regCapital', /负/],
    ['text for a number', { regCapital: 'many' }, 'regCapital', /数字/],
  ])('%s', async (_name, change, field, message) => {
    const before = await rowsOf('corporation')
    const answer = await admin.ask(createCorporation, { body: { ...company, ...change } as never })
    expect([answer.http, answer.status]).toEqual([400, 2])
    expect((answer.data as unknown as { fields: { field: string; message: string }[] }).fields).toContainEqual({
      field,
      message: expect.stringMatching(message),
    })
    expect(await rowsOf('corporation')).toBe(before)
  })

  test('the same company twice', async () => {
    expect((await admin.ask(createCorporation, { body: company })).status).toBe(0)
    const again = await admin.ask(createCorporation, { body: company })
    expect([again.status, again.message]).toEqual([4, '该统一社会信用代码的企业已在库中'])
  })

  test('a project of a company that is not in the library', async () => {
    const before = await rowsOf('project')
    const body = {
      name: '新项目',
      areaCode: '420202',
      address: '某路',
      category: '01',
      contractorCorpCode: '91420200000000019X',
      buildCorpCode: company.corpCode,
      linkMan: '王五',
      linkPhone: '13800138000',
    }
    const answer = await admin.ask(createProjectFast, { body })
    expect(answer.message).toMatch(/不在企业库/)
    expect(await rowsOf('project')).toBe(before)
  })
})

describe('bad requests', () => {
  const post = (payload: string, headers: Record<string, string> = {}) =>
    world.api.app.inject({
      method: 'POST',
      url: '/api/v1/sys/dict/code',
      payload,
      headers: { 'content-type': 'application/json', token: admin.token, ...headers },
    })

  test.each([
    ['malformed JSON', '{"featCodes":', 400, /JSON/],
    ['a JSON bomb of another type', '[]'.repeat(10), 400, /JSON/],
    ['JSON that is no object', '"text"', 400, /./],
    ['a prototype', '{"__proto__":{"admin":true},"featCodes":"gender"}', 400, /JSON/],
  ])('%s', async (_name, payload, http, message) => {
    const answer = await post(payload)
    expect(answer.statusCode).toBe(http)
    expect(answer.json().message).toMatch(message)
  })

  test('a body of two megabytes', async () => {
    const answer = await post(JSON.stringify({ featCodes: 'x'.repeat(2 * 1024 * 1024) }))
    expect([answer.statusCode, answer.json().message]).toEqual([413, '请求内容过大'])
  })

  test('another content type', async () => {
    expect((await post('featCodes=gender', { 'content-type': 'application/x-www-form-urlencoded' })).statusCode).toBe(400)
  })

  test.each([
    ['none', ''],
    ['forged', 'x'.repeat(43)],
    ['overlong', 'x'.repeat(5000)],
    ['with an injection', "' or 1=1 --"],
  ])('a token that is %s', async (_name, token) => {
    const answer = await world.caller(token).ask(dictsByCode, { body: { featCodes: 'gender' } })
    expect([answer.http, answer.status, answer.message]).toEqual([403, 105, '会话过期，请重新登录！'])
  })

  test.each(["'; drop table project; --", '420202990101010001', '*,420202250827010001', '../../etc/passwd', 'x'.repeat(300)])(
    'a group header %s',
    async (group) => {
      const answer = await world.caller((await settled.as('hospital-pm')).token, group).ask(listProjects, { query: {} })
      expect(answer.http).toBe(403)
    },
  )

  test.each([
    { sort: 'name; drop table project' },
    { sort: 'password' },
    { page: -1 },
    { page: 1.5 },
    { size: 0 },
    { invest: 'a,b' },
    { startDate: '2026-13-45,' },
    { prjStatus: 'x'.repeat(500) },
  ])('a list query %j', async (query) => {
    const answer = await admin.ask(listProjects, { query: query as never })
    expect([answer.http, answer.status]).toEqual([400, 2])
  })

  test('quotes and wildcards in a filter are text', async () => {
    for (const name of ["'", '%', '_', '\\', "%' or '1'='1"]) {
      const answer = await admin.call(listProjects, { query: { name } })
      expect([name, answer.total]).toEqual([name, 0])
    }
  })

  test('an unknown path is told in the same envelope', async () => {
    const answer = await world.api.app.inject({ url: '/api/v1/no/such' })
    expect([answer.statusCode, answer.json().message]).toEqual([404, '接口不存在'])
  })

  test('strict headers stand on every answer', async () => {
    const { headers } = await world.api.app.inject({ url: '/healthz' })
    expect(headers['content-security-policy']).toContain("script-src 'self'")
    expect(headers['content-security-policy']).not.toMatch(/script-src[^;]*unsafe/)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': expect.any(String),
      'referrer-policy': 'same-origin',
    })
  })
})

test('no personal data stands in clear in the database', async () => {
  const planted = settled.city.workers
    .slice(0, 300)
    .flatMap((w) => [w.idCardNumber, w.cellPhone])
    .concat(settled.city.corporations.map((c) => c.legalManIdCardNumber))
  const { rows } = await world.database.pool.query<{ name: string }>("select tablename as name from pg_tables where schemaname = 'public'")
  for (const { name } of rows) {
    const { rows: found } = await world.database.pool.query<{ text: string }>(`select t::text as text from "${name}" t`)
    const text = found.map((r) => r.text).join('\n')
    expect([name, planted.filter((value) => text.includes(value))]).toEqual([name, []])
  }
})
