import * as marks from '@zhugong/contract/monitoring/video/video-marks'
import * as patrols from '@zhugong/contract/monitoring/video/video-patrols'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type CityWorld, openCity, settleCity } from '../../../../test/city.ts'
import type { Caller, World } from '../../../../test/world.ts'

let world: World
let city: CityWorld
let pm: Caller
let safety: Caller
let regulator: Caller
let company: Caller
let stranger: Caller
let main = ''
let camera = ''
const hour = 3_600_000

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  city = await settleCity(world)
  pm = await city.as('hospital-pm')
  safety = await city.as('hospital-safety')
  regulator = await city.as('bj-zhao')
  company = await city.as('yunze-lu')
  stranger = await city.as('zhigu-pm')
  main = city.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? ''
  camera = city.city.devices.find((d) => d.family === 'videoAi' && d.projectCode === main)?.id ?? ''
})
afterAll(() => world.close())

async function picture(who: Caller): Promise<string> {
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
  const payload = Buffer.concat([
    Buffer.from('--xx\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n'),
    png,
    Buffer.from('\r\n--xx--\r\n'),
  ])
  const headers = { token: who.token, group: main, 'content-type': 'multipart/form-data; boundary=xx' }
  const answer = await world.api.app.inject({ method: 'POST', url: '/api/v1/tool/upload', headers, payload })
  return answer.json().data.url
}
const query = () => ({ projectCode: main })
const add = (who: Caller, body: object) =>
  who.ask(marks.addMark, { query: query(), body: { kind: 'snapshot', deviceId: camera, ...body } as never })

test('a picture is kept with its camera, moment and taker; a bookmark needs words; whose it is may let it go', async () => {
  const taken = await add(pm, { photo: await picture(pm) })
  expect(taken).toMatchObject({
    status: 0,
    data: { kind: 'snapshot', deviceId: camera, own: true, photo: expect.stringContaining('sign=') },
  })
  expect((await add(pm, {})).message).toContain('没有收到画面')
  expect((await add(pm, { kind: 'bookmark' })).message).toBe('请填写书签说明')
  expect((await add(pm, { kind: 'bookmark', note: '未来', at: String(Date.now() + hour) })).message).toContain('不能晚于现在')
  expect((await add(pm, { kind: 'bookmark', note: '车辆未冲洗', at: String(Date.now() - hour) })).status).toBe(0)
  expect((await add(pm, { kind: 'bookmark', note: 'x', deviceId: 'nobody' })).message).toContain('不属于这个项目')
  // A picture uploaded by another user at another site is refused.
  expect((await add(stranger, { photo: await picture(pm) })).status).not.toBe(0)
  const seen = await safety.call(marks.listMarks, { query: query() })
  expect(seen.list.map((one) => [one.kind, one.own])).toEqual([
    ['snapshot', false],
    ['bookmark', false],
  ])
  const id = taken.data.id
  const remove = (who: Caller) => who.ask(marks.removeMark, { params: { id }, query: query() })
  expect((await remove(safety)).message).toContain('只有保存的人')
  expect((await remove(stranger)).status).not.toBe(0)
  expect((await remove(pm)).status).toBe(0)
  expect((await pm.call(marks.listMarks, { query: query() })).total).toBe(1)
  expect((await stranger.call(marks.listMarks, { query: { projectCode: '*' } })).total).toBe(0)
})

test('looking back needs the right to look back', async () => {
  await world.database.pool.query(`update role set codes = array_remove(codes, 'video.playback') where 'video.playback' = any (codes)`)
  try {
    const guard = await city.as('hospital-safety')
    // The server reloads rights within a second.
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect((await add(guard, { kind: 'bookmark', note: '昨天', at: String(Date.now() - 24 * hour) })).http).toBe(403)
    expect((await add(guard, { kind: 'bookmark', note: '现在' })).status).toBe(0)
  } finally {
    await world.database.pool.query(`update role set codes = array_append(codes, 'video.playback') where 'video.play' = any (codes)`)
  }
})

test('a finding goes to the site, comes back answered, and is agreed to or sent back', async () => {
  const messages = async () =>
    (
      await world.database.pool.query(
        `select m.title, u.account from message m join app_user u on u.id = m.user_id where m.title like '视频巡查%'`,
      )
    ).rows
  const round = await regulator.call(patrols.addPatrol, {
    query: query(),
    body: { cameraIds: [camera], result: 'found', finding: '大门未关', deviceId: camera, photos: [await picture(regulator)] },
  })
  expect(round).toMatchObject({ state: 'open', mayAnswer: false, mayJudge: false })
  expect(round.told).toBeGreaterThan(0)
  expect((await messages()).map((one) => one.account)).toContain('hospital-safety')

  const answer = (who: Caller, version: number, text = '已关闭并整改门禁') =>
    who.ask(patrols.answerPatrol, { params: { id: round.id }, query: query(), body: { answer: text, version } })
  const judge = (who: Caller, action: 'confirm' | 'return', version: number, reason: string | null = null) =>
    who.ask(patrols.judgePatrol, { params: { id: round.id }, query: query(), body: { action, reason, version } })
  expect((await judge(regulator, 'confirm', 0)).status).toBe(4)
  expect((await answer(regulator, 0)).http).toBe(403)
  expect((await answer(stranger, 0)).status).not.toBe(0)
  expect((await answer(safety, 5)).message).toContain('请刷新后再改')
  expect((await answer(safety, 0, '')).message).toContain('请填写处理说明')
  expect((await answer(safety, 0)).data).toMatchObject({ state: 'answered', answer: '已关闭并整改门禁', version: 1 })
  expect((await messages()).filter((one) => one.account === 'bj-zhao')).toHaveLength(1)
  expect((await judge(safety, 'confirm', 1)).http).toBe(403)
  expect((await judge(regulator, 'return', 1)).message).toBe('请填写退回原因')
  expect((await judge(regulator, 'return', 1, '照片看不清')).data).toMatchObject({ state: 'open', verdict: '照片看不清' })
  expect((await answer(safety, 2)).status).toBe(0)
  expect((await judge(company, 'confirm', 3)).data).toMatchObject({ state: 'closed' })
  expect((await answer(safety, 4)).status).toBe(4)
  const list = await safety.call(patrols.listPatrols, { query: { ...query(), state: 'closed' } })
  expect(list.list).toMatchObject([{ finding: '大门未关', verdictBy: expect.any(String), mayAnswer: false }])
})

test('a round without a finding has nothing to answer', async () => {
  const fine = await regulator.call(patrols.addPatrol, { query: query(), body: { cameraIds: [camera], result: 'fine' } })
  expect(fine).toMatchObject({ state: null, told: 0 })
  expect(
    (await safety.ask(patrols.answerPatrol, { params: { id: fine.id }, query: query(), body: { answer: '无', version: 0 } })).message,
  ).toContain('无需处理')
})

test('a picture laid to an alarm of its site stands there, is not let go meanwhile, and goes to no other site’s alarm', async () => {
  const { rows } = await world.database.pool.query(
    `insert into alarm (id, project_code, device_id, device_name, family, alarm_key, label, level, max_level, start_time, fire_time)
     select 'mark-' || d.project_code, d.project_code, d.id, d.name, d.family, 'noHelmet', '未戴安全帽', 3, 3, now(), now()
     from (select distinct on (project_code) * from device where family = 'videoAi' order by project_code, id) d returning id, project_code`,
  )
  const own = rows.find((one) => one.project_code === main)?.id as string
  const foreign = rows.find((one) => one.project_code !== main)?.id as string
  const id = (await add(pm, { kind: 'bookmark', note: '未戴安全帽进入' })).data.id
  const attach = (who: Caller, alarmId: string | null) => who.ask(marks.attachMark, { params: { id }, query: query(), body: { alarmId } })
  expect((await attach(pm, foreign)).message).toContain('不属于这个项目')
  expect((await attach(stranger, own)).status).not.toBe(0)
  expect((await attach(safety, own)).status).toBe(0)
  const atAlarm = await pm.call(marks.listMarks, { query: { ...query(), alarmId: own } })
  expect(atAlarm.list).toMatchObject([{ id, alarmId: own, alarmLabel: '未戴安全帽', note: '未戴安全帽进入' }])
  expect(atAlarm.list[0]?.attachedBy).toBeTruthy()
  expect((await stranger.call(marks.listMarks, { query: { projectCode: '*', alarmId: own } })).total).toBe(0)
  const remove = () => pm.ask(marks.removeMark, { params: { id }, query: query() })
  expect((await remove()).message).toContain('先从告警取下')
  expect((await attach(pm, null)).status).toBe(0)
  expect((await pm.call(marks.listMarks, { query: { ...query(), alarmId: own } })).total).toBe(0)
  expect((await remove()).status).toBe(0)
})
