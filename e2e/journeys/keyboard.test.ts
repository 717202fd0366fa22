/// <reference lib="dom" />
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openShell } from '../browser.ts'
import { look, pastStands, windows } from './day.ts'

/**
 * Forms by keyboard: Tab reaches every field in visual order and then the save button; the focus is visible; saving an incomplete form
 * moves to its first field with an announced message; Escape closes a drawer, and asks first if something was typed.
 */
const demo = inject('demo')
let browser: Browser
const as = windows(() => browser, demo)
beforeAll(async () => {
  browser = await openShell()
})
afterAll(() => browser.close())

interface FormOf {
  name: string
  account: string
  path: string
  /** Opens the form, if it is not a page of its own. */
  open?: (page: Page) => Promise<unknown>
  /** Name of the save button. */
  save: RegExp
  /** The form has no required empty field. */
  complete?: true
  /** The form has no text input. */
  choicesOnly?: true
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).filter({ visible: true }).first().click()
const inRow = (name: string) => async (page: Page) => {
  await page.locator('tr.ant-table-row:visible').first().getByText('更多', { exact: true }).click()
  await page.getByRole('menuitem', { name }).click()
}

/** Path of a page of one record, with its sample. */
const of = (path: string) => path + (demo.samples[path] ?? '')

const forms: readonly FormOf[] = [
  { name: '登记人员', account: 'hospital-pm', path: '/personListEdit', save: /^保存登记/ },
  { name: '新建班组', account: 'hospital-pm', path: '/teamEdit', save: /^保\s*存/ },
  { name: '班组进场', account: 'hospital-pm', path: '/teamListEdit', save: /^保\s*存/ },
  { name: '新建企业', account: 'admin', path: '/companyCreateForm', save: /^保\s*存/ },
  { name: '提出黑名单', account: 'hospital-pm', path: '/laborBlackEdit', save: /^(提\s*交|存草稿|保\s*存)/ },
  { name: '企业黑名单', account: 'bj-zhao', path: '/companyBlack', open: press('提出列入'), save: /^(提\s*交|存草稿|保\s*存)/ },
  { name: '登记入场教育', account: 'hospital-pm', path: '/personList', open: inRow('登记教育'), save: /^保\s*存/, complete: true },
  {
    name: '调班组',
    account: 'hospital-pm',
    path: '/personList',
    open: inRow('调班组'),
    save: /^保\s*存/,
    complete: true,
    choicesOnly: true,
  },
  { name: '新签合同', account: 'hospital-pm', path: of('/personnelSystem/info/contract'), open: press('新签'), save: /^保\s*存/ },
  { name: '添加证书', account: 'hospital-pm', path: of('/personnelSystem/info/certificate'), open: press('添加证书'), save: /^保\s*存/ },
  { name: '不良记录', account: 'hospital-pm', path: of('/personnelSystem/info/bad'), open: press(/登\s*记$/), save: /^保\s*存|^登\s*记/ },
  { name: '补充经历', account: 'hospital-pm', path: of('/personnelSystem/info/resume'), open: press('补充经历'), save: /^保\s*存/ },
  { name: '新增监管机构', account: 'admin', path: '/organizationList', open: press('新增监管机构'), save: /^保\s*存|^新\s*增|^开\s*通/ },
  { name: '新增项目组', account: 'yunze-lu', path: '/system/organProject', open: press('新增项目组'), save: /^保\s*存|^新\s*增/ },
  { name: '新增部门', account: 'yunze-lu', path: '/system/organization', open: press('新增部门'), save: /^保\s*存|^新\s*增/ },
  { name: '考勤时间设置', account: 'hospital-pm', path: '/workerCheck/checkTime', save: /^保\s*存/, complete: true },
  { name: '单位进场', account: 'hospital-pm', path: '/unitListEdit', save: /^保\s*存/ },
  {
    name: '补卡',
    account: 'hospital-labour',
    path: of('/CheckingDetail'),
    open: async (page) => {
      await pastStands(demo)
      await page.reload()
      await press('补卡申请')(page)
    },
    save: /^保\s*存/,
  },
  { name: '快速建项', account: 'admin', path: '/gov/project', open: press('快速建项'), save: /^保\s*存|^建\s*项|^创\s*建/ },
]

/** Position of a field before any scrolling. */
interface Place {
  field: number
  label: string
  top: number
  bottom: number
  left: number
}
/** An element that takes the focus, and whether the focus is visible. */
interface Stop {
  field: number
  label: string
  seen: boolean
  isSave: boolean
}

/** Focusable elements of a field. */
const focusable = 'input:not([disabled]), textarea:not([disabled]), button:not([disabled]), [tabindex="0"]'

async function walk(page: Page, root: Locator, save: Locator): Promise<{ stops: Stop[]; fields: Place[] }> {
  const handle = await root.elementHandle()
  const button = await save.elementHandle()
  const fields = await page.evaluate(
    ([form, inside]) => {
      const shown = [...(form?.querySelectorAll<HTMLElement>('.ant-form-item') ?? [])].filter((one) => one.getClientRects().length > 0)
      for (const [i, one] of shown.entries()) one.dataset.stop = String(i)
      return shown
        .filter((one) => one.querySelector(inside))
        .map((one) => {
          const { top, bottom, left } = one.getBoundingClientRect()
          return {
            field: Number(one.dataset.stop),
            label: one.querySelector('.zg-label')?.textContent ?? one.textContent,
            top,
            bottom,
            left,
          }
        })
    },
    [handle, focusable] as const,
  )
  await page.evaluate(
    ([form, inside]) => {
      const first = [...(form?.querySelectorAll<HTMLElement>('.ant-form-item') ?? [])].map((one) => one.querySelector<HTMLElement>(inside))
      first.find(Boolean)?.focus()
    },
    [handle, focusable] as const,
  )
  const stops: Stop[] = []
  for (let n = 0; n < 160; n++) {
    const stop = await page.evaluate(async (target) => {
      const one = document.activeElement as HTMLElement | null
      if (!one || one === document.body) return null
      const item = one.closest<HTMLElement>('.ant-form-item')
      const chain: (HTMLElement | null)[] = [one]
      for (let at = one.parentElement; at && chain.length < 6; at = at.parentElement) chain.push(at)
      // Some controls are focused by script one frame later.
      const drawn = () => new Promise((done) => requestAnimationFrame(done))
      const look = () =>
        chain
          .map((at) => {
            if (!at) return ''
            const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderTopColor, backgroundColor, textDecorationLine } =
              getComputedStyle(at)
            return [
              outlineStyle === 'none' ? '' : outlineWidth + outlineColor,
              boxShadow,
              borderTopColor,
              backgroundColor,
              textDecorationLine,
            ].join()
          })
          .join('|')
      await drawn()
      const current = look()
      one.blur()
      await drawn()
      const left = look()
      one.focus()
      return {
        field: item?.dataset.stop === undefined ? -1 : Number(item.dataset.stop),
        label: item?.querySelector('.zg-label')?.textContent ?? one.getAttribute('aria-label') ?? one.textContent.slice(0, 16),
        seen: current !== left,
        isSave: one === target,
      }
    }, button)
    if (stop) stops.push(stop)
    if (stop?.isSave) break
    await page.keyboard.press('Tab')
  }
  return { stops, fields }
}

/** Steps at which the focus moved up or back on its line, against the reading order. */
const outOfOrder = (stops: readonly Stop[], fields: readonly Place[]): string[] => {
  const at = new Map(fields.map((one) => [one.field, one]))
  return stops.flatMap((stop, i) => {
    const [before, here] = [at.get(stops[i - 1]?.field ?? -1), at.get(stop.field)]
    if (!before || !here || before === here) return []
    const isBack = here.bottom <= before.top || (Math.abs(here.top - before.top) < 8 && here.left < before.left)
    return isBack ? [`${before.label} → ${here.label}`] : []
  })
}

describe.each(forms)('$name', ({ name, account, path, open, save, complete, choicesOnly }) => {
  let page: Page
  let root: Locator
  let button: Locator
  const isDrawer = open !== undefined

  test('Tab reaches every field as the eye reads, and the button that saves; the focus is seen', async () => {
    const visitor = await as(account)
    page = visitor.page
    await visitor.go(path)
    await open?.(page)
    await look(page, `keyboard-${name}-open`)
    root = isDrawer ? page.getByRole('dialog').filter({ visible: true }).last() : page.locator('.zg-page:visible').last()
    await root.locator('.ant-form-item').first().waitFor()
    button = root.getByRole('button', { name: save }).last()
    await button.waitFor()
    // Calendars and clocks are loaded lazily; wait, or the form would begin at another field.
    await expect.poll(() => root.locator('.zg-bone:visible').count()).toBe(0)
    const { stops, fields } = await walk(page, root, button)
    await look(page, `keyboard-${name}`)
    expect(fields.length).toBeGreaterThan(0)
    expect(stops.at(-1)?.isSave, `the button is reached, last seen at ${stops.at(-1)?.label}`).toBe(true)
    const reached = new Set(stops.map((one) => one.field))
    expect(fields.filter((one) => !reached.has(one.field)).map((one) => one.label)).toEqual([])
    expect(outOfOrder(stops, fields)).toEqual([])
    expect(stops.filter((one) => !one.seen).map((one) => one.label)).toEqual([])
  })

  // A form that is complete when opened cannot be refused as empty.
  const whenEmpty = complete ? undefined : test
  whenEmpty?.('saving it empty leads to its first wrong field, and tells what is wrong', async () => {
    await button.focus()
    await page.keyboard.press('Enter')
    await root.locator('.ant-form-item-has-error').first().waitFor()
    const result = await page.evaluate(() => {
      const one = document.activeElement
      const words = (one?.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)?.textContent ?? '')
      const first = [...document.querySelectorAll('.ant-form-item-has-error')].find((item) => item.getClientRects().length > 0)
      return { inFirst: first?.contains(one) ?? false, invalid: one?.getAttribute('aria-invalid'), words: words.join('') }
    })
    await look(page, `keyboard-${name}-wrong`)
    expect(result).toEqual({ inFirst: true, invalid: 'true', words: expect.stringMatching(/[\u4e00-\u9fff]{2,}/) })
  })

  const inDrawer = isDrawer ? test : undefined
  inDrawer?.('Escape asks where something was typed, and closes', async () => {
    if (choicesOnly) {
      await page.keyboard.press('Escape')
      await root.waitFor({ state: 'detached' })
      return
    }
    const field = root.locator('input[type=text]:visible:not([role=combobox]):not([readonly]), textarea:visible').first()
    await field.focus()
    await page.keyboard.type('字')
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: '放弃已填写的内容？' })
    await question.waitFor()
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    expect(await root.isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await question.waitFor()
    // The confirmation can be operated by keyboard too.
    await question.getByRole('button', { name: /^放\s*弃$/ }).press('Enter')
    await root.waitFor({ state: 'detached' })
  })
})
