import { findAlarms } from '@zhugong/contract/alarms/lists'
import { realtimeOverview } from '@zhugong/contract/attendance/presence'
import { getMainPage } from '@zhugong/contract/home/endpoints'
import * as brand from '@zhugong/contract/organisation/brand'
import { listWorkers } from '@zhugong/contract/personnel/people'
import { deliveredScreens } from '@zhugong/contract/screens/delivered'
import * as screens from '@zhugong/contract/screens/endpoints'
import { layoutFaults, type ScreenBody, screenSetting } from '@zhugong/contract/screens/model'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import type { Caller, World } from '../../../test/world.ts'

let world: World
let city: CityWorld
let site: Caller
let company: Caller
let stranger: Caller
let siteCode: string
beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  site = await city.as('hospital-pm')
  siteCode = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  const { rows } = await world.database.pool.query<{ contractor: string }>(
    'select contractor_corp_code as contractor from project where project_code = $1',
    [siteCode],
  )
  const boss = city.city.personas.find((p) => p.corpCode === rows[0]?.contractor)
  company = await city.as(boss?.account ?? '')
  stranger = await city.as('dingli-cheng')
})
afterAll(() => world.close())

const deliveredFor = (level: number) => {
  const one = deliveredScreens.find((screen) => screen.level === level)
  if (!one) throw new Error('nothing delivered')
  return one
}
const bodyFor = (level: number): ScreenBody => structuredClone(deliveredFor(level).body)
const wallOf = (token: string): Caller => world.caller(token)

async function issued(caller: Caller, more: object = {}) {
  return caller.call(screens.createScreenToken, {
    body: { purpose: 'screen', name: '门厅', templateId: deliveredFor(3).id, ...more },
  })
}

describe('compositions', () => {
  test('what is delivered fits its own catalogue and fills the canvas', () => {
    for (const { level, body } of deliveredScreens) {
      expect(layoutFaults(level, body)).toEqual([])
      for (const { panels } of body.pages) expect(panels.reduce((cells, { w, h }) => cells + w * h, 0)).toBe(48)
    }
  })

  const cases: [string, (body: ScreenBody) => void, RegExp][] = [
    ['one over another', (b) => Object.assign(b.pages[0]?.panels[1] ?? {}, { x: 0, y: 0 }), /重叠/],
    ['outside', (b) => Object.assign(b.pages[0]?.panels[10] ?? {}, { x: 7 }), /超出画布/],
    ['too small', (b) => Object.assign(b.pages[0]?.panels[5] ?? {}, { w: 2 }), /最小/],
    ['too large', (b) => Object.assign(b.pages[0]?.panels[0] ?? {}, { w: 8, x: 0 }), /最大|重叠/],
    ['unknown', (b) => Object.assign(b.pages[0]?.panels[0] ?? {}, { panelKey: 'sql' }), /没有面板/],
    ['of another level', (b) => Object.assign(b.pages[0]?.panels[1] ?? {}, { panelKey: 'alarmRank', params: {} }), /不能放在项目大屏/],
    ['with a param that is not its own', (b) => Object.assign(b.pages[0]?.panels[0] ?? {}, { params: { days: 3 } }), /没有参数/],
  ]
  test.each(cases)('a panel %s is refused when it is saved', async (_, spoil, words) => {
    const body = bodyFor(3)
    spoil(body)
    const answer = await site.ask(screens.createTemplate, { body: { name: '错的', level: 3, body } })
    expect(answer).toMatchObject({ status: 2, message: expect.stringMatching(words) })
  })
})

describe('which screen is in force', () => {
  const check = (caller: Caller) => caller.call(screens.checkScreen, { query: {} })

  test('delivered, then handed down from above, then one’s own choice; out of use again', async () => {
    expect(await check(site)).toMatchObject({ allowed: true, templateId: deliveredFor(3).id, group: { type: 3 } })
    const { id } = await company.call(screens.copyTemplate, { params: { id: deliveredFor(3).id } })
    expect(
      (await company.ask(screens.updateTemplate, { params: { id }, body: { action: 'assign', assignments: [], version: 0 } })).message,
    ).toMatch(/发布后才能分配/)
    let { version } = await company.call(screens.updateTemplate, { params: { id }, body: { action: 'publish', note: '', version: 0 } })
    const own = (await check(company)).group.id
    ;({ version } = await company.call(screens.updateTemplate, {
      params: { id },
      body: { action: 'assign', assignments: [{ groupId: own, inherit: true }], version },
    }))
    expect((await check(site)).templateId).toBe(id)
    expect((await site.call(brand.getScreenPart, { query: { part: 'screen' } })).inForce.source).toBe('inherited')
    // A site chooses among what it has; what a stranger has is none of it.
    const chosen = { ...screenSetting.parse({}), templateId: deliveredFor(3).id, title: '住院楼' }
    await site.call(brand.saveBrand, { body: { part: 'screen', value: chosen, version: 0 } })
    expect(await check(site)).toMatchObject({ templateId: deliveredFor(3).id, settingVersion: 1, setting: { title: '住院楼' } })
    expect((await stranger.ask(screens.getTemplate, { params: { id } })).status).not.toBe(0)
    expect((await stranger.ask(screens.updateTemplate, { params: { id }, body: { action: 'disable', version } })).status).not.toBe(0)
    expect((await company.ask(screens.removeTemplate, { params: { id } })).message).toMatch(/正在使用/)
    await company.call(screens.updateTemplate, { params: { id }, body: { action: 'assign', assignments: [], version } })
    await company.call(screens.removeTemplates, { body: { ids: [id] } })
    expect(
      (await site.ask(brand.saveBrand, { body: { part: 'screen', value: { ...chosen, templateId: id }, version: 1 } })).message,
    ).toMatch(/没有分配给该机构/)
  })

  test('a version once published is what walls run, whatever is drafted; two editors do not overwrite each other', async () => {
    const { id } = await site.call(screens.createTemplate, { body: { name: '门厅', level: 3, body: bodyFor(3) } })
    expect(await site.call(screens.checkScreen, { query: { tpl: id } })).toMatchObject({
      allowed: false,
      reason: expect.stringMatching(/没有分配/),
    })
    const { version } = await site.call(screens.updateTemplate, { params: { id }, body: { action: 'publish', note: '首版', version: 0 } })
    const draft = bodyFor(3)
    draft.pages[0]?.panels.pop()
    await site.call(screens.updateTemplate, { params: { id }, body: { action: 'save', name: '门厅', body: draft, version } })
    const [running] = (await site.call(screens.batchLoadTemplates, { body: { ids: [id] } })).list
    expect(running?.body.pages[0]?.panels).toHaveLength(bodyFor(3).pages[0]?.panels.length ?? 0)
    const second = await site.ask(screens.updateTemplate, {
      params: { id },
      body: { action: 'save', name: '另一个', body: draft, version },
    })
    expect(second.message).toMatch(/已被.*修改/)
    expect(
      (await site.ask(screens.updateTemplate, { params: { id: deliveredFor(3).id }, body: { action: 'disable', version: 0 } })).message,
    ).toMatch(/不能修改|复制/)
  })

  test('the whole tree says what is in force where and why', async () => {
    const tree = await company.call(screens.templateTree, {})
    expect(tree.length).toBeGreaterThan(0)
    expect(tree.flatMap((one) => [one, ...one.children]).every((one) => one.templateName)).toBe(true)
  })
})

describe('settings of a wall', () => {
  const value = screenSetting.parse({})
  const at = async (caller: Caller, more: object = {}) =>
    (await caller.call(brand.getScreenPart, { query: { part: 'screen', ...more } })).version

  test('a company sets the wall of its site, and nobody else does', async () => {
    const own = await company.ask(brand.saveBrand, {
      body: {
        part: 'screen',
        value: { ...value, title: '市医院' },
        projectCode: siteCode,
        version: await at(company, { projectCode: siteCode }),
      },
    })
    expect(own).toMatchObject({ status: 0 })
    const foreign = await stranger.ask(brand.saveBrand, { body: { part: 'screen', value, projectCode: siteCode, version: 2 } })
    expect(foreign.status).not.toBe(0)
    expect((await stranger.ask(brand.getScreenPart, { query: { part: 'screen', projectCode: siteCode } })).status).not.toBe(0)
  })

  test('a panel that does not fit, a machine of another site and an older reading are refused', async () => {
    const version = await at(site)
    const ask = (change: object) => site.ask(brand.saveBrand, { body: { part: 'screen', value: { ...value, ...change }, version } })
    expect((await ask({ swaps: { p7: 'gateLive' } })).message).toMatch(/放不进/)
    expect((await ask({ swaps: { nowhere: 'gateLive' } })).message).toMatch(/没有位置/)
    const { rows } = await world.database.pool.query<{ id: string }>('select id from device where project_code <> $1 limit 1', [siteCode])
    expect((await ask({ placed: [{ deviceId: rows[0]?.id, x: 0.5, y: 0.5 }] })).message).toMatch(/不属于该项目/)
    expect((await ask({ seconds: 3 })).message).toMatch(/至少 10 秒/)
    const late = await site.ask(brand.saveBrand, { body: { part: 'screen', value, version: version - 1 } })
    expect(late.message).toMatch(/已被他人修改/)
  })
})

describe('a display token', () => {
  test('reads what panels call as its group, and is told nobody’s name', async () => {
    const { token, path } = await issued(site)
    expect(path).toBe(`/huangshiScreen/main?wall=1#key=${token}`)
    const wall = wallOf(token)
    expect(await wall.call(screens.checkScreen, { query: {} })).toMatchObject({ allowed: true, templateId: deliveredFor(3).id })
    const main = await wall.ask(getMainPage, { query: {} })
    expect(main).toMatchObject({ status: 0, data: { kind: 'project' } })
    expect(main.data).not.toHaveProperty('tasks')
    expect(JSON.stringify(main.data.keyPosts)).not.toMatch(/"name"/)
    const presence = (await wall.call(realtimeOverview, { query: {} })) as unknown as { passages: object[] }
    const seen = (await site.call(realtimeOverview, { query: {} })).passages
    expect(presence.passages).toHaveLength(seen.length)
    for (const one of presence.passages) expect(Object.keys(one)).not.toEqual(expect.arrayContaining(['name']))
    const { rows } = await world.database.pool.query<{ n: number }>('select count(*)::int as n from screen_token where token_hash = $1', [
      token,
    ])
    expect(rows[0]?.n).toBe(0)
    const [row] = (await site.call(screens.listScreenTokens, { query: {} })).list
    expect(row).toMatchObject({ name: '门厅', state: 'on' })
  })

  test('everything else is refused in words', async () => {
    const wall = wallOf((await issued(site)).token)
    const { id: other } = await site.call(screens.createTemplate, { body: { name: '别的', level: 3, body: bodyFor(3) } })
    const foreign = city.city.personas.find((p) => p.projectCode && p.projectCode !== siteCode)?.projectCode ?? ''
    const attacks: [string, Promise<{ status: number; message: string }>, RegExp][] = [
      ['people', wall.ask(listWorkers, { query: { projectCode: siteCode } }), /墙屏令牌只能查看大屏/],
      [
        'a write',
        wall.ask(brand.saveBrand, { body: { part: 'screen', value: screenSetting.parse({}), version: 1 } }),
        /墙屏令牌只能查看大屏/,
      ],
      [
        'another token',
        wall.ask(screens.createScreenToken, { body: { purpose: 'screen', name: 'x', templateId: deliveredFor(3).id } }),
        /墙屏令牌/,
      ],
      ['another template', wall.ask(screens.checkScreen, { query: { tpl: other } }), /只用于签发时的大屏/],
      ['another template’s pages', wall.ask(screens.batchLoadTemplates, { body: { ids: [other] } }), /只用于签发时的大屏/],
      ['another site', wall.ask(getMainPage, { query: { projectCode: foreign } }), /不在您的管辖范围内/],
      ['another site by header', wall.at(foreign).ask(getMainPage, { query: {} }), /不在您的管辖范围内/],
      ['another group', wall.ask(screens.checkScreen, { query: { projectCode: foreign } }), /只用于签发它的机构/],
      ['a question no panel asks', wall.ask(findAlarms, { query: { handlerName: '王' } }), /按大屏面板读取/],
    ]
    for (const [what, asked, words] of attacks) {
      const { status, message } = await asked
      expect([what, status !== 0, message]).toEqual([what, true, expect.stringMatching(words)])
    }
  })

  test('revoked, expired, and of a template out of use it opens nothing', async () => {
    const first = await issued(site)
    await site.call(screens.revokeScreenToken, { params: { id: first.id } })
    expect((await wallOf(first.token).ask(getMainPage, { query: {} })).message).toMatch(/已被吊销/)
    const second = await issued(company, { projectCode: siteCode })
    expect((await wallOf(second.token).ask(getMainPage, { query: {} })).status).toBe(0)
    await world.database.pool.query(`update screen_token set expires_at = now() - interval '1 minute' where id = $1`, [second.id])
    expect((await wallOf(second.token).ask(getMainPage, { query: {} })).message).toMatch(/已到期/)
    expect((await wallOf('wall_nothing').ask(getMainPage, { query: {} })).message).toMatch(/无效/)
    expect((await stranger.ask(screens.revokeScreenToken, { params: { id: second.id } })).status).not.toBe(0)
    expect(
      (
        await stranger.ask(screens.createScreenToken, {
          body: { purpose: 'screen', name: '偷看', templateId: deliveredFor(3).id, projectCode: siteCode },
        })
      ).status,
    ).not.toBe(0)
  })
})
