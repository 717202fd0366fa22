import { MqttGateway } from '@zhugong/simulator/mqtt-gateway'
import { bankCardNumber, mobile } from '@zhugong/simulator/numbers'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { apiAs, openShell, type Visitor } from '../browser.ts'
import { accountOf, backgroundMs, cityOf, dayBefore, look, Newcomers, until, windows } from './day.ts'

/**
 * An imported crew through the working days of all roles involved: labour officer, gate, employer, team leader and project manager, safety
 * officer, group, district and city.
 */
const demo = inject('demo')
const city = cityOf(demo)
const officerAccount = 'hospital-labour'
const projectCode = accountOf(demo, officerAccount).projectCode ?? ''
const employer = 'dingli-cheng'
const { today } = demo.simulation
/** The crew is registered some days late, so that past days lack records. */
const missedDay = dayBefore(dayBefore(today))
const entryDay = dayBefore(missedDay)
const newcomers = new Newcomers('crew')
const team = city.teams.find(
  (one) => one.projectCode === projectCode && one.corpCode === accountOf(demo, employer).corpCode && !one.exitTime,
)
if (!team) throw new Error('the company has no team on this site')
const corpName = city.corporations.find((one) => one.corpCode === team.corpCode)?.corpName ?? ''

const crew = Array.from({ length: 3 }, () => ({
  name: `${newcomers.name()}${newcomers.random.pick([...'甲乙丙丁'])}`,
  number: newcomers.number(),
}))
const [first] = crew as [{ name: string; number: string }]
const mark = Date.now()
const orderText = `查清跌落原因，附现场照片答复 ${mark}`

let browser: Browser
let officer: Visitor
let page: Page
const as = windows(() => browser, demo)
beforeAll(async () => {
  browser = await openShell()
  officer = await as(officerAccount)
  page = officer.page
}, 120_000)
afterAll(() => browser.close())

interface Stay {
  id: string
  workerId: string
  name: string
  formalName?: string
}
/** The crew's rows in the list of people, as an account sees them. */
async function staysFor(account: string): Promise<Stay[]> {
  const api = await apiAs(demo, account)
  const found: Stay[] = []
  for (const { name } of crew) {
    const answer = await api.get<{ list?: Stay[] } | null>(
      `/api/v1/oa/worker?view=project&projectCode=${projectCode}&q=${encodeURIComponent(name)}&size=10`,
    )
    found.push(...(answer?.list ?? []).filter((one) => one.name === name))
  }
  return found
}

let importQuery = ''
const save = /^(保\s*存|登\s*记|确\s*定|提\s*交)$/
async function forAll(button: string, title: string, fill: (drawer: ReturnType<Page['getByRole']>) => Promise<void>): Promise<void> {
  await page.locator('thead input[type=checkbox]:visible').check()
  await page.getByText(`已选 ${crew.length} 人`).waitFor()
  await page.getByRole('button', { name: button, exact: true }).click()
  if (title) {
    const drawer = page.getByRole('dialog', { name: title })
    await fill(drawer)
    await drawer.getByRole('button', { name: save }).click()
  }
  const outcome = page.getByRole('dialog', { name: '办理结果' })
  await outcome.getByText(new RegExp(`${crew.length} 人`)).waitFor()
  await look(page, `crew-${button}`)
  expect(await outcome.innerText()).not.toMatch(/未成|未办理/)
  await outcome.getByRole('button', { name: '关闭' }).last().click()
  await outcome.waitFor({ state: 'detached' })
}

describe.sequential('a crew that came by a list', () => {
  test('the labour officer pastes the list; nobody on it needs the single form', async () => {
    await officer.go('/personImport')
    await page.getByRole('button', { name: /^粘\s*贴$/ }).click()
    const dialog = page.getByRole('dialog', { name: '粘贴表格' })
    const { random } = newcomers
    const columns: Record<string, (one: (typeof crew)[number]) => string> = {
      姓名: (one) => one.name,
      证件号码: (one) => one.number,
      民族: () => '汉族',
      住址: () => '云泽市滨江区临江路 18 号',
      发证机关: () => '云泽市公安局',
      有效期起: () => '2015-05-01',
      有效期止: () => '长期',
      手机号: () => mobile(random),
      企业: () => corpName,
      班组: () => team.teamName,
      工种: () => '木工',
      进场日期: () => entryDay,
      计酬方式: () => '按日计酬',
      工伤或意外险: () => '已参加',
      文化程度: () => '初中',
      工资卡银行: () => '中国建设银行',
      工资卡号: () => bankCardNumber(random, '621700'),
      紧急联系人: () => '樊守业',
      紧急联系人电话: () => mobile(random),
      有无重大病史: () => '无',
      个人信息告知同意: () => '同意',
    }
    const lines = [Object.keys(columns), ...crew.map((one) => Object.values(columns).map((cell) => cell(one)))]
    await dialog.getByRole('textbox').fill(lines.map((line) => line.join('\t')).join('\n'))
    await dialog.getByRole('button', { name: `校验 ${crew.length} 行` }).click()
    await page.waitForURL(/personImportEdit/)
    await page.getByRole('button', { name: '确认导入' }).click()
    const confirm = page.getByRole('dialog', { name: '确认导入' })
    await look(page, 'crew-1-confirm')
    await confirm.getByRole('button', { name: `导入 ${crew.length} 人` }).click()
    const show = page.getByRole('button', { name: '查看导入的人员' })
    await show.waitFor({ timeout: backgroundMs })
    await show.click()
    await page.waitForURL(/personList\?importId=/)
    importQuery = new URL(page.url()).search
    await page.getByText(`符合 ${crew.length} 人`).waitFor()
  })

  test('identity, training and contract of all of them, then they are formal at once', async () => {
    await forAll('实名核验', '批量实名核验', (drawer) => drawer.getByRole('checkbox').check())
    await forAll('登记教育', '登记入场教育', (drawer) => drawer.getByLabel('授课人').fill('廖义刚'))
    const stays = await staysFor(officerAccount)
    expect(stays.map((one) => one.name).sort()).toEqual(crew.map((one) => one.name).sort())
    const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 200 } })
    for (const [i, { id, workerId }] of stays.entries()) {
      await officer.go(`/personListEdit?id=${workerId}`)
      await page.locator('.zg-field, .ant-form-item', { hasText: '证件头像' }).locator('input[type=file]').first().setInputFiles({
        name: '头像.png',
        mimeType: 'image/png',
        buffer,
      })
      await page.locator('.zg-thumb').first().waitFor()
      await look(page, 'crew-2-portrait')
      await page.keyboard.press('Control+Enter')
      await page.waitForURL((url) => url.pathname !== '/personListEdit')
      await officer.go(`/personListDetails?id=${id}&workerId=${workerId}`)
      await page.getByRole('link', { name: '去签订' }).click()
      await page.getByRole('button', { name: '新签' }).click()
      const contract = page.getByRole('dialog', { name: '新签合同' })
      await contract.getByLabel('合同编号').fill(`CR-${mark}-${i}`)
      await contract.getByLabel('工资标准').fill('320')
      await contract.getByLabel('选择文件').setInputFiles({ name: '合同第一页.png', mimeType: 'image/png', buffer })
      await contract.locator('.zg-thumb').first().waitFor()
      await contract.getByRole('button', { name: /^保\s*存$/ }).click()
      await contract.waitFor({ state: 'detached' })
    }
    await officer.go(`/personList${importQuery}`)
    await page.getByText(`符合 ${crew.length} 人`).waitFor()
    await forAll('转正式', '', async () => undefined)
    // The list is refetched after the batch.
    const rows = page.locator('tr.ant-table-row:visible')
    await expect.poll(async () => (await rows.allInnerTexts()).every((text) => text.includes('正式'))).toBe(true)
    expect(officer.trouble()).toEqual([])
  })

  test('the gate lets them in; the day list counts each of them as come', async () => {
    const admin = await apiAs(demo, 'admin')
    const sn = `E2E-CREW-${mark}`
    const gateway = (await admin.post('/api/v1/iot/gateway', { projectCode, name: `班组验收网关 ${sn}`, connectionType: 'mqtt' })).data as {
      id: string
      secret: string
    }
    const made = await admin.post('/api/v1/iot/device', {
      name: '班组验收闸机',
      deviceSn: sn,
      projectCode,
      family: 'faceGate',
      access: { protocol: 'mqtt', gatewayId: gateway.id },
    })
    const gate = made.data as { id: string }
    await admin.put(`/api/v1/iot/device/${gate.id}`, { auditState: '1' })
    const box = new MqttGateway({ url: demo.mqttUrl, gatewayId: gateway.id, secret: gateway.secret }).start()
    const stays = await staysFor(officerAccount)
    const time = Math.floor(Date.now() / 1000) * 1000 - 60_000
    for (const [i, one] of stays.entries())
      box.record(sn, 'attendance', time + i * 1000, {
        recordId: `${sn}-${i}`,
        time: new Date(time + i * 1000).toISOString(),
        direction: '0',
        pass: '1',
        personType: '1',
        mode: '1',
        score: 93,
        workerId: one.workerId,
        name: one.name,
      })
    await officer.go('/checkingList')
    for (const one of stays) {
      await until(
        `${one.name} on the list of the day`,
        async () => {
          await officer.go(`/checkingList?name=${encodeURIComponent(one.name)}`)
          return page.locator('tr.ant-table-row:visible').allInnerTexts()
        },
        (rows) => rows.some((text) => text.includes(one.name) && /\d{2}:\d{2}/.test(text)),
        60_000,
      )
    }
    await look(page, 'crew-3-came')
    await box.stop()
    expect(officer.trouble()).toEqual([])
  })

  test('their employer finds them among its people; another company does not', async () => {
    const own = await as(employer)
    await own.go(`/personList?q=${encodeURIComponent(first.name)}`)
    await own.page.locator('tr.ant-table-row:visible', { hasText: first.name }).first().waitFor()
    await look(own.page, 'crew-4-employer')
    expect(await own.page.locator('tr.ant-table-row:visible').first().innerText()).not.toContain(first.number)
    expect(own.trouble()).toEqual([])
    const stranger = demo.accounts.find(
      (one) => one.corpCode && one.account !== employer && one.account !== 'yunze-lu' && one.corpCode !== team.corpCode,
    )
    if (stranger) expect((await staysFor(stranger.account)).filter((one) => one.name === first.name)).toEqual([])
  })

  test('a missing passage is asked for with a picture, and agreed to by employer, manager and builder in their turns', async () => {
    const [stay] = await staysFor(officerAccount)
    const month = missedDay.slice(0, 7)
    await officer.go(`/CheckingDetail?projectCode=${projectCode}&workerId=${stay?.workerId}&date=${missedDay}`)
    await page.getByRole('heading', { level: 1, name: new RegExp(stay?.name ?? '') }).waitFor()
    await page.getByRole('button', { name: '补卡申请' }).click()
    const drawer = page.getByRole('dialog', { name: /补卡/ })
    // The day has no records: one form with entry and exit time.
    await drawer.getByLabel('入场时间').waitFor()
    await drawer.getByLabel('原因').fill('新进场人员闸机尚未下发，有班组日志')
    const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 200 } })
    await drawer.getByLabel('选择文件').setInputFiles({ name: '班组日志.png', mimeType: 'image/png', buffer })
    await drawer.locator('.zg-thumb').first().waitFor()
    await look(page, 'crew-5-ask')
    await drawer.getByRole('button', { name: /^(保\s*存|提\s*交)$/ }).click()
    await page.getByText(/已提交 2 条/).waitFor()
    let agreed = 0
    for (const account of [employer, 'hospital-pm', 'yunze-lu']) {
      const decider = await as(account)
      for (const way of [0, 1]) {
        await decider.go(`/attendance?tab=fixes&month=${month}`)
        await decider.page.locator('tr.ant-table-row:visible', { hasText: stay?.name }).nth(way).click()
        const file = decider.page.getByRole('dialog', { name: '考勤更正' })
        await file.getByText('更正前后').waitFor()
        await look(decider.page, `crew-6-${account}`)
        const agree = file.getByRole('button', { name: /^同\s*意$/ })
        // Approvers depend on the requester: the employer is not asked about a request by the site.
        if (!(await agree.count())) continue
        await file.locator('.zg-thumb').first().waitFor()
        await agree.click()
        agreed++
        await file.waitFor({ state: 'detached' })
      }
      expect(decider.trouble()).toEqual([])
    }
    expect(agreed).toBeGreaterThan(0)
    await officer.go(`/CheckingDetail?projectCode=${projectCode}&workerId=${stay?.workerId}&date=${missedDay}`)
    await page.getByText('18:00').first().waitFor()
    await look(page, 'crew-7-mended')
  })

  test('one of them falls: the alarm says who; the district pursues it; it is handled with a picture', async () => {
    const [, second] = await staysFor(officerAccount)
    const admin = await apiAs(demo, 'admin')
    const sn = `E2E-CREWHAT-${mark}`
    const gateway = (await admin.post('/api/v1/iot/gateway', { projectCode, name: `安全帽验收网关 ${sn}`, connectionType: 'mqtt' }))
      .data as {
      id: string
      secret: string
    }
    const made = await admin.post('/api/v1/iot/device', {
      name: '验收安全帽',
      deviceSn: sn,
      projectCode,
      family: 'helmet',
      category: '700',
      access: { protocol: 'mqtt', gatewayId: gateway.id },
      params: { workerId: second?.workerId },
    })
    expect(made).toMatchObject({ status: 0 })
    const mandate = made.data as { id: string }
    await admin.put(`/api/v1/iot/device/${mandate.id}`, { auditState: '1' })
    const box = new MqttGateway({ url: demo.mqttUrl, gatewayId: gateway.id, secret: gateway.secret }).start()
    const time = Math.floor(Date.now() / 1000) * 1000
    box.telemetry(sn, time, {
      positioned: true,
      longitude: 114.93,
      latitude: 30.2,
      batteryPercent: 80,
      wearing: true,
      fall: true,
      motion: '0',
    })
    const safety = await as('hospital-safety')
    await until(
      'the alarm of the fall',
      async () => {
        await safety.go('/alarm/record')
        return safety.page.locator('tr.ant-table-row:visible', { hasText: '验收安全帽' }).allInnerTexts()
      },
      (rows) => rows.length > 0,
      60_000,
    )
    await box.stop()
    // On a busy machine the silent helmet soon has an alarm of being offline, too, which comes first.
    const rowOfFall = ({ page: at }: Visitor) =>
      at.locator('tr.ant-table-row:visible', { hasText: '验收安全帽' }).filter({ hasText: '跌落' }).first()
    const row = rowOfFall(safety)
    expect(await row.innerText()).toContain(second?.name)
    await row.click()
    const detail = safety.page.getByRole('dialog').filter({ visible: true })
    await detail
      .getByText(second?.name ?? '')
      .first()
      .waitFor()
    await look(safety.page, 'crew-8-fall')
    const district = await as('bj-zhao')
    await district.go('/alarm/record')
    await rowOfFall(district).click()
    await district.page.getByRole('dialog').getByRole('button', { name: '督办' }).click()
    const order = district.page.getByRole('dialog', { name: /督办/ }).last()
    await order.getByText(/滨江医院东院区项目：/).waitFor()
    await order.getByLabel('内容').fill(orderText)
    await look(district.page, 'crew-9-order')
    await order.getByRole('button', { name: /^发\s*送$/ }).click()
    await order.waitFor({ state: 'detached' })
    expect(district.trouble()).toEqual([])
    await detail.getByRole('button', { name: '接单' }).click()
    await detail.getByRole('button', { name: '提交处理' }).waitFor()
    await detail.getByRole('textbox', { name: /措施/ }).fill('现场查看，本人滑倒，已送医务室检查')
    const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 200 } })
    await detail.locator('input[type=file]').first().setInputFiles({ name: '现场.png', mimeType: 'image/png', buffer })
    await detail.locator('.zg-thumb').first().waitFor()
    await detail.getByRole('button', { name: '提交处理' }).click()
    await detail.getByText('已送医务室检查').first().waitFor()
    await look(safety.page, 'crew-9-handled')
    expect(safety.trouble()).toEqual([])
  })

  test('the order is answered, sent back once, answered again and accepted; each round stays to be read', async () => {
    const safety = await as('hospital-safety')
    const district = await as('bj-zhao')
    const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 200 } })
    const act = async (who: Visitor, action: string, dialogName: string, text: string, photo: boolean) => {
      await who.go('/notice?tab=site')
      const row = who.page.locator('tr.ant-table-row:visible', { hasText: orderText })
      await row.getByText(action, { exact: true }).first().click()
      const form = who.page.getByRole('dialog', { name: dialogName })
      await form.getByRole('textbox').first().fill(text)
      if (photo) {
        // Without the required picture the form shows an error at the field.
        await form.getByRole('button', { name: save }).click()
        await form
          .getByText(/请上传|附照片/)
          .first()
          .waitFor()
        await form.locator('input[type=file]').first().setInputFiles({ name: '现场.png', mimeType: 'image/png', buffer })
        await form.locator('.zg-thumb').first().waitFor()
      }
      await look(who.page, `crew-9-${action}`)
      const answered = who.page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.url().includes('/api/'))
      await form.getByRole('button', { name: save }).click()
      expect(await (await answered).text(), `${action} ${text}`).toMatch(/"status":\s*0\b/)
      await form.waitFor({ state: 'detached' })
    }
    await act(safety, '答复', '答复通知', '已核查，通道积水，已清理', true)
    await act(district, '退回重办', '退回重办', '请补充整改后的照片', false)
    await act(safety, '答复', '答复通知', '已补充整改后照片', true)
    await act(district, '通过', '核查通过', '同意', false)
    await district.go('/notice?tab=site')
    await district.page.locator('tr.ant-table-row:visible', { hasText: orderText }).click()
    const course = district.page.locator('.notice-course li')
    await course.filter({ hasText: '核查通过' }).waitFor()
    expect(await course.filter({ hasText: '答复' }).count()).toBeGreaterThanOrEqual(2)
    await look(district.page, 'crew-9-course')
    expect(safety.trouble()).toEqual([])
    expect(district.trouble()).toEqual([])
  })

  test('group, district and city find them too, with the number masked', async () => {
    for (const account of ['yunze-lu', 'bj-zhao', 'city-fang']) {
      const body = await as(account)
      await body.go(`/personList?q=${encodeURIComponent(first.name)}`)
      const row = body.page.locator('tr.ant-table-row:visible', { hasText: first.name }).first()
      await row.waitFor()
      await look(body.page, `crew-10-${account}`)
      expect(await row.innerText()).not.toContain(first.number)
      expect(body.trouble()).toEqual([])
    }
  })

  test('they leave together with a reason; the list keeps who left, when and why', async () => {
    await officer.go(`/personList${importQuery}`)
    await page.getByText(`符合 ${crew.length} 人`).waitFor()
    await page.locator('thead input[type=checkbox]:visible').check()
    await page.getByRole('button', { name: '批量退场' }).click()
    const dialog = page.getByRole('dialog').filter({ hasText: '退场' })
    await dialog.waitFor()
    await look(page, 'crew-11-exit')
    const leave = dialog.getByRole('button', { name: `退场 ${crew.length} 人` })
    expect(await leave.isDisabled()).toBe(true)
    await dialog.getByLabel('退场原因').click()
    await page.locator('.ant-select-item-option').filter({ visible: true }).first().click()
    await leave.click()
    await dialog.waitFor({ state: 'detached' })
    await officer.go(`/personList?stationed=2&q=${encodeURIComponent(first.name)}`)
    await page.locator('tr.ant-table-row:visible', { hasText: first.name }).first().waitFor()
    await look(page, 'crew-12-left')
    expect(officer.trouble()).toEqual([])
  })
})
