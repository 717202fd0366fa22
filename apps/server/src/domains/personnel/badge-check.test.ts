import { shanghaiOffsetMs } from '@zhugong/contract/kit/time'
import { exitWorkers } from '@zhugong/contract/labour/stays'
import { badgeAddress, badgeSigned, badgeText, checkBadge, readBadge } from '@zhugong/contract/personnel/badges'
import { registerWorker } from '@zhugong/contract/personnel/workers'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { Pdf } from '#kit/pdf'
import { createSecrets } from '#kit/secret'
import { type CityWorld, openCity, settleCity } from '../../../test/city.ts'
import { newcomer, type Site, siteOf } from '../../../test/givens.ts'
import { type Answer, type Caller, testSecretKey, type World } from '../../../test/world.ts'

let world: World
let settled: CityWorld
let manager: Caller
let site: Site
const secrets = createSecrets(testSecretKey)

beforeAll(async () => {
  world = await openCity(inject('postgresUrl'))
  settled = await settleCity(world)
  manager = await settled.as('hospital-pm')
  site = await siteOf(world, settled.city.personas.find((p) => p.account === 'hospital-pm')?.projectCode ?? '')
})
afterAll(() => world.close())

type BadgeAnswer = NonNullable<NonNullable<(typeof checkBadge)['types']>['out']>
async function reported(code: string, token?: string): Promise<BadgeAnswer> {
  const answer = await world.api.app.inject({
    method: 'POST',
    url: checkBadge.path,
    payload: { code },
    ...(token ? { headers: { token, group: '*' } } : {}),
  })
  expect(answer.statusCode).toBe(200)
  return answer.json<Answer<BadgeAnswer>>().data
}

const signatureOf = (stayId: string) => secrets.sign('badge', badgeSigned(site.projectCode, stayId))

async function holder(name: string) {
  const { projectWorkerId, workerId } = await manager.call(registerWorker, { body: newcomer(site, { name }) })
  const stayId = projectWorkerId ?? ''
  await world.database.pool.query(`update project_worker set formal_status = '1' where id = $1`, [stayId])
  await world.database.pool.query(`update worker set head_image = 'badge-holder' where id = $1`, [workerId])
  return { stayId, page: badgeAddress('https://site.example', stayId, signatureOf(stayId)) }
}

test('both codes of a badge are read, a torn or forged one is none', () => {
  const signature = 'ab12'.repeat(16)
  const expected = { stayId: 'f'.repeat(32), signature: signature.slice(0, 16) }
  expect(readBadge(badgeText('P-1', expected.stayId, signature))).toEqual(expected)
  expect(readBadge(badgeAddress('https://site.example', expected.stayId, signature))).toEqual(expected)
  expect(readBadge(`${expected.stayId}.${expected.signature}`)).toEqual(expected)
  for (const torn of [
    '',
    'ZGB1|P-1|x',
    'https://site.example/badge',
    `${expected.stayId}.xyz`,
    `ZGB2|P|${expected.stayId}|${expected.signature}`,
  ])
    expect(readBadge(torn), torn).toBeUndefined()
})

test('a badge opens for anybody as valid, with the name masked and no photograph', async () => {
  const { stayId, page } = await holder('欧阳验牌')
  for (const code of [page, badgeText(site.projectCode, stayId, signatureOf(stayId))])
    expect(await reported(code)).toMatchObject({
      valid: true,
      reason: null,
      person: { name: '欧阳**', exitDate: null, photo: null, teamName: expect.any(String), corpName: expect.any(String) },
    })
})

test('the photograph is shown to whoever has the person in sight, and to no other account', async () => {
  const { page } = await holder('章相片')
  expect((await reported(page, (await settled.as('hospital-labour')).token)).person?.photo).toContain('id=badge-holder')
  expect((await reported(page, (await settled.as('zhigu-pm')).token)).person?.photo).toBeNull()
  expect((await reported(page, 'no-such-session')).person?.photo).toBeNull()
})

test('a badge ends with its stay, and one that somebody made himself says nothing of anybody', async () => {
  const { stayId, page } = await holder('章离场')
  const forged = { valid: false, reason: '不是本平台签发的胸牌码', person: null }
  expect(await reported(page.replace(/.$/, (last) => (last === '0' ? '1' : '0')))).toEqual(forged)
  expect(await reported(`${'0'.repeat(32)}.${'0'.repeat(16)}`)).toEqual(forged)
  await world.database.pool.query(`update project_worker set formal_status = '2' where id = $1`, [stayId])
  expect(await reported(page)).toMatchObject({ valid: false, reason: '已暂停作业' })
  const exitTime = new Date(Date.now() + shanghaiOffsetMs).toISOString().slice(0, 10)
  await manager.call(exitWorkers, { body: { ids: [stayId], exitTime, exitReason: '1' } })
  expect(await reported(page)).toMatchObject({
    valid: false,
    reason: `${exitTime} 已退场，胸牌失效`,
    person: { exitDate: exitTime, photo: null },
  })
})

test('a name stands whole on paper: smaller where it is long, and what the type lacks is told', async () => {
  const pdf = new Pdf({ title: '人员胸牌' })
  const sizes: number[] = []
  const text = pdf.document.text.bind(pdf.document) as (...drawn: unknown[]) => PDFKit.PDFDocument
  const drawn: string[] = []
  pdf.document.text = ((shown: string, ...rest: unknown[]) => {
    drawn.push(shown)
    sizes.push((pdf.document as unknown as { _fontSize: number })._fontSize)
    return text(shown, ...rest)
  }) as typeof pdf.document.text
  const box = { x: 36, y: 100, width: 82, height: 30, size: 14 }
  for (const name of ['李敏', '阿不都热依木·买买提依明江']) pdf.fitted(name, box)
  expect(drawn).toEqual(['李敏', '阿不都热依木·买买提依明江'])
  expect(sizes[0]).toBe(14)
  expect(sizes[1]).toBeLessThan(14)
  pdf.document.fontSize(sizes[1] ?? 14)
  expect(pdf.document.heightOfString('阿不都热依木·买买提依明江', { width: 82 })).toBeLessThanOrEqual(30)
  pdf.document.text('戴\u{20BB7}', 36, 200)
  expect(pdf.spelled('戴\u{20BB7}')).toBe('戴□（□ 为 U+20BB7）')
  await pdf.bytes()
  expect(drawn.some((one) => one.includes('戴□（□ 为 U+20BB7）'))).toBe(true)
})
