import { bankCardNumber, mobile } from '@zhugong/simulator/numbers'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { apiAs, logIn, openShell, type Visitor, visit } from '../browser.ts'
import { accountOf, backgroundMs, cityOf, figure, fromExportCentre, look, Newcomers, pdfPages, saved } from './day.ts'
import { openWorkbook, type Workbook } from './workbook.ts'

/** A labour officer's morning: three hundred people arrive in one workbook with twelve faulty rows. */
const demo = inject('demo')
const account = 'dongwan-labour'
const projectCode = accountOf(demo, account).projectCode ?? ''
const { today } = demo.simulation
const city = cityOf(demo)
const newcomers = new Newcomers('labour officer')
let browser: Browser
let visitor: Visitor
let page: Page
beforeAll(async () => {
  browser = await openShell()
  visitor = await visit(browser, demo)
  page = visitor.page
  await logIn(visitor, demo, account)
})
afterAll(() => browser.close())

/** A row of the workbook by the titles of the template. */
type Line = Record<string, string>
const peopleCount = 300
const corpNames = new Map(city.corporations.map((one) => [one.corpCode, one.corpName]))
const teams = city.teams.filter((team) => team.projectCode === projectCode && !team.exitTime && /班$/.test(team.teamName))
const [team, foreign] = [teams[0], teams.find((one) => one.corpCode !== teams[0]?.corpCode)]
if (!team || !foreign) throw new Error('the site has lost its teams')

const healthy = (): Line => ({
  姓名: newcomers.name(),
  证件号码: newcomers.number(),
  手机号: mobile(newcomers.random),
  企业: corpNames.get(team.corpCode) ?? '',
  班组: team.teamName,
  工种: '钢筋工',
  进场日期: today,
})
const wide = (text: string) => text.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
const wrongDigit = (number: string) => number.slice(0, 17) + (number[17] === '0' ? '1' : '0')

/** Twelve typical mistakes with the expected message and column. They are in rows 2 to 13. */
interface Fault {
  line: Line
  field: string
  says: RegExp
}
async function faults(): Promise<Fault[]> {
  const here = city.projectWorkers.find((one) => one.projectCode === projectCode && one.stationed === '1' && one.workRole === '20')
  const present = city.workers.find((one) => one.workerId === here?.workerId)
  const black = await blackListed()
  const two = newcomers.number()
  const card = bankCardNumber(newcomers.random, '621700')
  const wrongCard = card.slice(0, -1) + ((Number(card.at(-1)) + 1) % 10)
  const one = (more: Line, field: string, says: RegExp): Fault => ({ line: { ...healthy(), ...more }, field, says })
  return [
    one({ 证件号码: wrongDigit(newcomers.number()) }, '证件号码', /校验/),
    one({ 进场日期: '上周三' }, '进场日期', /不是有效的日期/),
    one({ 证件号码: two, 姓名: '樊同舟' }, '证件号码', /^$/),
    one({ 证件号码: two, 姓名: '樊同舟' }, '证件号码', /与第 4 行相同/),
    one({ 姓名: present?.name ?? '', 证件号码: present?.idCardNumber ?? '' }, '证件号码', /已在本项目在场/),
    one({ 班组: '' }, '班组', /请/),
    one({ 证件号码: newcomers.number(`${Number(today.slice(0, 4)) - 15}-03-08`) }, '证件号码', /未满 18 周岁/),
    one({ 姓名: black.name, 证件号码: black.number }, '姓名', /黑名单/),
    one({ 工种: '钢筋' }, '工种', /工种不存在/),
    one({ 班组: foreign?.teamName ?? '' }, '班组', /班组不属于所填企业/),
    one({ 工资卡银行: '中国建设银行', 工资卡号: wrongCard }, '工资卡号', /校验|不正确|有误/),
    one({ 有效期起: '2006-05-01', 有效期止: '2016-05-01' }, '有效期止', /已于 2016-05-01 过期/),
    one({ 性别: '女' }, '性别', /与证件号码不符|不一致/),
  ]
}

/** A person on the district's black list, with the unmasked ID number, which only the simulated city still has. */
async function blackListed(): Promise<{ name: string; number: string }> {
  const { list } = await (await apiAs(demo, 'admin')).get<{
    list: { name: string; idCardNumber: string; effective: boolean; scope: string; scopeCode: string }[]
  }>('/api/v1/oa/process/laborBlack?projectCode=*&size=100')
  for (const { name, idCardNumber, effective, scope, scopeCode } of list) {
    if (!effective || scope !== '3' || !projectCode.startsWith(scopeCode)) continue
    const [head = '', tail = ''] = idCardNumber.split(/\*+/)
    const worker = city.workers.find((w) => w.name === name && w.idCardNumber.startsWith(head) && w.idCardNumber.endsWith(tail))
    if (worker) return { name, number: worker.idCardNumber }
  }
  throw new Error('the district has listed nobody')
}

let template: Workbook
let headings: string[]
let lines: Line[]
let all: Fault[]
const book = (of: readonly Line[]) => template.withLines(of.map((line) => headings.map((heading) => line[heading] ?? '')))
/** Selects a file through the button and the file dialog. */
async function send(button: RegExp, name: string, buffer: Buffer): Promise<void> {
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: button }).click()
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  await (await choosing).setFiles({ name, mimeType, buffer })
}
const row = (n: number) => page.locator('.per-grid tbody tr', { has: page.locator('td.fixed', { hasText: new RegExp(`^${n}$`) }) })
const cell = (n: number, field: string) => page.getByRole('button', { name: new RegExp(`^第 ${n} 行${field} `) })

describe.sequential('three hundred people by one workbook', () => {
  test('the template is the site’s own: its units, its teams, every number as text', async () => {
    await visitor.go('/personImport')
    const file = await saved(page, () => page.getByRole('button', { name: '下载模板' }).click())
    expect(file.name).toMatch(/模板.*\.xlsx$/)
    template = openWorkbook(file.body)
    headings = (template.rows(1)[0] ?? []).map((heading) => heading.replace('*', ''))
    for (const heading of Object.keys(healthy())) expect(headings).toContain(heading)
    const choices = template.rows(2).flat()
    expect(choices).toEqual(expect.arrayContaining([corpNames.get(team.corpCode), ...teams.map((one) => one.teamName)]))
  })

  test('what is wrong stands at its cell, in words; what only looks odd is read', async () => {
    all = await faults()
    lines = [...all.map((one) => one.line), ...Array.from({ length: peopleCount - all.length }, healthy)]
    // As copied from other lists: full-width digits, a date in words, spaces in a phone number.
    const odd = lines.at(-1) as Line
    lines[lines.length - 1] = { ...odd, 证件号码: wide(odd.证件号码 ?? ''), 进场日期: today.replace(/-0?(\d+)-0?(\d+)/, '年$1月$2日') }
    await send(/2\. 上传表格/, '东湾新进场 300 人.xlsx', book(lines))
    await page.waitForURL(/personImportEdit\?id=/)
    await page.getByRole('button', { name: '确认导入' }).waitFor()
    await look(page, 'labour-1-checked')
    expect(await figure(page, '全部')).toBe(peopleCount)
    for (const [i, { field, says }] of all.entries()) {
      const why = await cell(i + 2, field).getAttribute('aria-label')
      expect(why?.replace(/^第 \d+ 行\S+ /, ''), `row ${i + 2}`).toMatch(says.source === '^$' ? /^\d+\w? $/ : says)
    }
    expect((await figure(page, '有错误')) + (await figure(page, '重复'))).toBe(12)
    expect(await figure(page, '可导入')).toBe(peopleCount - 12)
  })

  test('some are mended in the file, which takes the place of the first', async () => {
    // Mistakes the officer can clear up with the team leader: number, date, expired card, sex, bank card.
    for (const [at, mended] of [
      [0, { 证件号码: newcomers.number() }],
      [1, { 进场日期: today }],
      [3, { 证件号码: newcomers.number() }],
      [10, { 工资卡号: bankCardNumber(newcomers.random, '621700') }],
      [11, { 有效期止: '长期' }],
      [12, { 性别: '男' }],
    ] as const)
      lines[at] = { ...(lines[at] as Line), ...mended }
    await send(/替换文件/, '东湾新进场 300 人（改）.xlsx', book(lines))
    await page.getByRole('heading', { name: '东湾新进场 300 人（改）.xlsx' }).waitFor()
    await page.locator('.app-tabs').getByText('东湾新进场 300 人.xlsx').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: '确认导入' }).waitFor()
    await expect.poll(() => figure(page, '可导入')).toBe(peopleCount - 6)
  })

  test('some are mended in the page: one kind at once, one cell by itself', async () => {
    const trade = page.locator('.per-issue', { hasText: '工种不存在' })
    expect(await trade.getByRole('textbox').inputValue()).toBe('钢筋工')
    await trade.getByRole('button', { name: '全部替换' }).click()
    await trade.waitFor({ state: 'detached' })
    for (const n of [7, 11]) {
      await cell(n, '班组').click()
      const field = page.getByRole('textbox', { name: `第 ${n} 行班组` })
      await field.fill(team.teamName)
      await field.press('Enter')
      await row(n).getByText('可导入').waitFor()
    }
    await look(page, 'labour-2-mended')
    expect(await figure(page, '可导入')).toBe(peopleCount - 3)
    expect(await page.locator('.per-issue').allInnerTexts()).toHaveLength(3)
  })

  test('who must not come in is left out, all others are entered, and they stand in the list', async () => {
    await page.getByRole('button', { name: '确认导入' }).click()
    const dialog = page.getByRole('dialog', { name: '确认导入' })
    await dialog.getByText(/其中黑名单 1 人/).waitFor()
    const enter = dialog.getByRole('button', { name: `导入 ${peopleCount - 3} 人` })
    expect(await enter.isDisabled()).toBe(true)
    await dialog.getByRole('checkbox').check()
    await look(page, 'labour-3-confirm')
    await enter.click()
    const show = page.getByRole('button', { name: '查看导入的人员' })
    await show.waitFor({ timeout: backgroundMs })
    expect(await figure(page, '已导入')).toBe(peopleCount - 3)
    await look(page, 'labour-4-done')
    await show.click()
    await page.waitForURL(/personList\?importId=/)
    await page.getByText(`符合 ${peopleCount - 3} 人`).waitFor()
    await page.getByText('来自：同一次导入').waitFor()
    await look(page, 'labour-5-list')
    for (const text of await page.locator('tr.ant-table-row:visible').allInnerTexts()) expect(text).toMatch(/钢筋工[\s\S]*预登记/)
  })

  test('they are taught together; one signs his contract where his page asks for it', async () => {
    await page.locator('thead input[type=checkbox]:visible').check()
    await page.getByText('已选 20 人').waitFor()
    await page.getByRole('button', { name: '登记教育' }).click()
    const drawer = page.getByRole('dialog', { name: '登记入场教育' })
    await drawer.getByText('20 人').waitFor()
    await drawer.getByLabel('授课人').fill('廖义刚')
    await look(page, 'labour-6-teach')
    await drawer.getByRole('button', { name: /^(保\s*存|登\s*记|确\s*定)$/ }).click()
    const outcome = page.getByRole('dialog', { name: '办理结果' })
    await outcome.getByText(/20 人/).waitFor()
    await look(page, 'labour-7-taught')
    await outcome.getByRole('button', { name: '关闭' }).last().click()

    await page.locator('tr.ant-table-row:visible').first().getByRole('link').first().click()
    await page.getByText('进场条件').first().waitFor()
    const training = page.locator('.per-seven > div', { hasText: '教育' })
    expect(await training.getAttribute('class')).not.toContain('off')
    await look(page, 'labour-8-person')
    await page.getByRole('link', { name: '去签订' }).click()
    await page.getByRole('button', { name: '新签' }).click()
    const contract = page.getByRole('dialog', { name: '新签合同' })
    await contract.getByLabel('合同编号').fill(`DW-${Date.now()}`)
    await contract.getByLabel('工资标准').fill('320')
    const buffer = await page.screenshot({ clip: { x: 0, y: 0, width: 320, height: 200 } })
    await contract.getByLabel('选择文件').setInputFiles({ name: '合同第一页.png', mimeType: 'image/png', buffer })
    await contract.locator('.zg-thumb').first().waitFor()
    await look(page, 'labour-9-contract')
    await contract.getByRole('button', { name: /^保\s*存$/ }).click()
    await contract.waitFor({ state: 'detached' })
    await page.getByText('1 份，有效 1 份').waitFor()
    await page.goBack()
    await page.locator('.per-seven > div:not(.off)', { hasText: '合同' }).waitFor()
    const said = visitor.trouble()
    expect(said, said.join('\n')).toEqual([])
  })

  test('badges of all of them come in one document', async () => {
    await page.locator('.app-tabs').getByText('人员列表').click()
    await page.getByText('来自：同一次导入').waitFor()
    await page.getByRole('button', { name: '更多 down' }).click()
    await page.getByRole('menuitem', { name: '打印筛选结果的胸牌', exact: true }).click()
    const badges = await fromExportCentre(page)
    expect(badges.name).toMatch(/胸牌.*\.pdf$/)
    // Eight badges on a sheet: two columns, four rows.
    expect(pdfPages(badges.body)).toBe(Math.ceil((peopleCount - 3) / 8))
    expect(visitor.trouble()).toEqual([])
    await page.keyboard.press('Escape')
  })
})
