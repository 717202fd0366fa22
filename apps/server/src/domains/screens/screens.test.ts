import { findAlarms } from '@zhugong/contract/alarms/lists'
import { realtimeOverview } from '@zhugong/contract/attendance/presence'
import { getMainPage } from '@zhugong/contract/home/endpoints'
import { helmetPositions } from '@zhugong/contract/monitoring/helmet/helmets'
import { mediaToken } from '@zhugong/contract/monitoring/video/video'
import { listTickets } from '@zhugong/contract/monitoring/weigh/weighing'
import * as brand from '@zhugong/contract/organisation/brand'
import { listWorkers } from '@zhugong/contract/personnel/people'
import { deliveredScreens } from '@zhugong/contract/screens/delivered'
import * as screens from '@zhugong/contract/screens/endpoints'
import { layoutFaults, type ScreenBody, screenSetting } from '@zhugong/contract/screens/model'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { roleOf, somebody } from '../../../test/members.ts'
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
    // A site may select only templates available to it, not those of others.
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
    expect(late.message).toMatch(/请刷新后再改/)
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
    for (const [what, requested, words] of attacks) {
      const { status, message } = await requested
      expect([what, status !== 0, message]).toEqual([what, true, expect.stringMatching(words)])
    }
  })

  test('a wall is told how many helmets are where and of no one whose, and plays the site’s cameras only', async () => {
    const wall = wallOf((await issued(site)).token)
    const seen = await site.call(helmetPositions, { query: { projectCode: siteCode, category: '700' } })
    expect(seen.list.length).toBeGreaterThan(0)
    const result = (await wall.ask(helmetPositions, { query: { category: '700' } })).data as unknown as Record<string, unknown>
    expect(Object.keys(result).sort()).toEqual(['alarming', 'areas', 'online', 'places', 'total', 'unpositioned'])
    expect(result).toMatchObject({ total: seen.total, online: seen.online, alarming: seen.alarming })
    const names = seen.list.flatMap((one) => [one.workerName, one.deviceId, one.deviceName].filter(Boolean))
    for (const name of names) expect(JSON.stringify(result)).not.toContain(name)
    const { rows } = await world.database.pool.query<{ id: string; family: string }>(
      `select distinct on (family) id, family from device where project_code = $1 and family in ('videoAi', 'truckMonitor', 'smartHelmet') order by family`,
      [siteCode],
    )
    for (const { id, family } of rows) {
      const answer = await wall.ask(mediaToken, { query: { deviceId: id } })
      expect([family, answer.status === 0]).toEqual([family, family === 'videoAi'])
    }
    const camera = rows.find((one) => one.family === 'videoAi')?.id ?? ''
    expect((await wall.ask(mediaToken, { query: { deviceId: camera, startTime: '2026-11-20' } })).message).toMatch(/按大屏面板读取/)
    const { rows: others } = await world.database.pool.query<{ id: string }>(
      `select id from device where project_code <> $1 and family = 'videoAi' limit 1`,
      [siteCode],
    )
    expect((await wall.ask(mediaToken, { query: { deviceId: others[0]?.id } })).status).not.toBe(0)
    expect((await wall.ask(listTickets, { query: { projectCode: siteCode } })).message).toMatch(/按大屏面板读取/)
    const bridge = await wall.ask(listTickets, { query: { groupBy: 'supplier,material', startTime: '2026-01-01' } })
    expect(JSON.stringify(bridge.data)).not.toMatch(/supplier|plateNo/)
  })

  test('is followed by another before it ends; the old one holds until the new one was seen, and no longer', async () => {
    const { id, token } = await issued(site)
    const at = (days: number) =>
      world.database.pool.query(`update screen_token set expires_at = now() + $2 * interval '1 day' where id = $1`, [id, days])
    const alive = async (key: string) => (await wallOf(key).ask(screens.checkScreen, { query: {} })).status === 0
    expect((await wallOf(token).ask(screens.renewScreenToken, {})).message).toMatch(/到期前 30 天内/)
    expect((await site.ask(screens.renewScreenToken, {})).message).toMatch(/由打开它的墙屏自己续期/)
    await at(5)
    const lost = await wallOf(token).call(screens.renewScreenToken, {})
    const heard = await wallOf(token).call(screens.renewScreenToken, {})
    // The token of the lost response is invalid; the wall's current token stays valid until the new one is used.
    expect([await alive(token), await alive(lost.token ?? '')]).toEqual([true, false])
    expect(await alive(heard.token ?? '')).toBe(true)
    const [row] = (await site.call(screens.listScreenTokens, { query: {} })).list.filter((one) => one.id === id)
    expect(Date.parse(`${row?.expiresAt.replace(' ', 'T')}+08:00`)).toBeGreaterThan(Date.now() + 89 * 86_400_000)
    expect(row?.renewedAt).not.toBeNull()
    // Requests in flight are accepted for a minute.
    expect(await alive(token)).toBe(true)
    await world.database.pool.query(`update screen_token set renewed_at = now() - interval '2 minutes' where id = $1`, [id])
    expect((await wallOf(token).ask(screens.checkScreen, { query: {} })).message).toMatch(/已在另一块墙屏上续期/)
    const { rows } = await world.database.pool.query<{ text: string }>(
      `select row_to_json(a)::text as text from audit_log a where object_id = $1 union all select row_to_json(k)::text from screen_token k where id = $1`,
      [id],
    )
    expect(rows.length).toBeGreaterThan(2)
    for (const { text } of rows) for (const key of [token, lost.token, heard.token]) expect(text).not.toContain(key)
    await site.call(screens.revokeScreenToken, { params: { id } })
    expect((await wallOf(heard.token ?? '').ask(screens.renewScreenToken, {})).message).toMatch(/已被吊销/)
  })

  test('is worth what its issuer may look at today: stopped with him, narrowed with his roles, back when he is', async () => {
    const { id, token } = await issued(company, { projectCode: siteCode })
    const member = `update member m set enable = $2 from screen_token k where k.id = $1 and m.user_id = k.issuer_id and m.group_id = k.issuer_group_id`
    await world.database.pool.query(member, [id, '0'])
    expect((await wallOf(token).ask(getMainPage, { query: {} })).message).toMatch(/签发人已停用/)
    const [row] = (await company.call(screens.listScreenTokens, { query: { projectCode: siteCode } })).list.filter((one) => one.id === id)
    expect(row).toMatchObject({ state: 'stopped', fault: expect.stringMatching(/签发人已停用/) })
    await world.database.pool.query(member, [id, '1'])
    expect((await wallOf(token).ask(getMainPage, { query: {} })).status).toBe(0)
    const elsewhere = (await stranger.call(screens.checkScreen, { query: {} })).group.id
    const foreign = await somebody(world, elsewhere, [await roleOf(world, elsewhere, ['screens.wall', 'home.view', 'screens.view'])])
    await world.database.pool.query('update screen_token set issuer_id = $2, issuer_group_id = $3 where id = $1', [
      id,
      foreign.userId,
      elsewhere,
    ])
    expect((await wallOf(token).ask(getMainPage, { query: {} })).message).toMatch(/不管理这块墙屏/)
    await world.database.pool.query('update screen_token set issuer_id = null where id = $1', [id])
    expect((await wallOf(token).ask(getMainPage, { query: {} })).message).toMatch(/签发人已不存在/)
  })

  test('of somebody tied to one project shows that project, and nothing of what he has no code for', async () => {
    const groupId = (await company.call(screens.checkScreen, { query: {} })).group.id
    const { rows } = await world.database.pool.query<{ projectCode: string }>(
      `select pc.project_code as "projectCode" from project_corp pc join tenant t on t.type = 2 and t.code = pc.corp_code
       where t.id = $1 and pc.exit_time is null and pc.project_code <> $2 limit 1`,
      [groupId, siteCode],
    )
    const other = rows[0]?.projectCode ?? ''
    const role = await roleOf(world, groupId, ['home.view', 'screens.view', 'screens.wall'], [siteCode])
    const one = await somebody(world, groupId, [role])
    const { id, token } = await issued(one.caller, { templateId: deliveredFor(2).id })
    const wall = wallOf(token)
    expect((await wall.ask(screens.checkScreen, { query: {} })).status).toBe(0)
    expect((await wall.ask(getMainPage, { query: { projectCode: other } })).status).not.toBe(0)
    expect((await wall.ask(findAlarms, { query: {} })).status).not.toBe(0)
    expect((await wall.ask(realtimeOverview, { query: {} })).status).not.toBe(0)
    await world.database.pool.query('update role set codes = $2 where id = $1', [role, ['home.view', 'screens.view']])
    expect((await wall.ask(screens.checkScreen, { query: {} })).message).toMatch(/没有签发墙屏链接的权限/)
    const [row] = (await company.call(screens.listScreenTokens, { query: {} })).list.filter((k) => k.id === id)
    expect(row?.fault).toMatch(/没有签发墙屏链接的权限/)
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
