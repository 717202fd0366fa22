import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { logIn, openBrowser, type Visitor, visit } from './browser.ts'
import type { Said } from './wire-tap.ts'

/**
 * Live pages show what the device sent: values read from the accessible page are compared with the tapped traffic, which is decoded
 * independently of the product.
 */
const demo = inject('demo')
const wire = inject('wire')

/** The slowest family reports every two minutes; plus some time for a busy computer. */
const patienceMs = 160_000
const everyMs = 400
/** Families that report less often are compared once, because waiting for a second reading would delay the rest. */
const slowSeconds = 45

/** Values of a page at one moment, with the time of their reading. */
interface Shown {
  at: number | undefined
  values: Readonly<Record<string, string | undefined>>
}

interface Family {
  name: string
  family: string
  path: string
  /** For families with several kinds of device: a metric that selects the kind. */
  kind?: string
  /** Values to compare, by metric name in the protocol. */
  read: (page: Page) => Promise<Shown>
  /** Reporting interval of the family; for long ones the test waits for one reading only. */
  speaksEverySeconds: number
}

/** Reads gauges by their accessible names, and the time of the reading. */
const gauges =
  (names: Readonly<Record<string, string>>) =>
  (page: Page): Promise<Shown> =>
    page.evaluate((wanted) => {
      const stamp = [...document.querySelectorAll('main [title]')].map(
        (one) => /^设备 (\S+ \S+)，/.exec(one.getAttribute('title') ?? '')?.[1],
      )
      const text = stamp.find(Boolean)
      const shown = (label: string) =>
        document.querySelector(`main [role="meter"][aria-label="${label}"]`)?.firstChild?.textContent ?? undefined
      return {
        at: text ? Date.parse(`${text.replace(' ', 'T')}+08:00`) : undefined,
        values: Object.fromEntries(Object.entries(wanted).map(([metric, label]) => [metric, shown(label)])),
      }
    }, names)

/** Reads pairs of term and value, including the time. */
const pairs =
  (timeLabel: string, names: Readonly<Record<string, string>>, year: (text: string) => string = (text) => text) =>
  async (page: Page): Promise<Shown> => {
    const terms = await page.evaluate(() =>
      Object.fromEntries(
        [...document.querySelectorAll('main dt')].map((one) => [one.textContent, one.nextElementSibling?.textContent ?? '']),
      ),
    )
    const stamp = terms[timeLabel]
    return {
      at: stamp ? Date.parse(`${year(stamp).replace(' ', 'T')}+08:00`) : undefined,
      values: Object.fromEntries(Object.entries(names).map(([metric, label]) => [metric, /-?\d+(\.\d+)?/.exec(terms[label] ?? '')?.[0]])),
    }
  }

const thisYear = (text: string) => `${new Date(Date.now() + 8 * 3_600_000).getUTCFullYear()}-${text}`

const families: readonly Family[] = [
  {
    name: '塔机',
    family: 'towerCrane',
    path: '/tower/monitor',
    read: gauges({ radius: '幅度', hookHeight: '吊钩高度', momentPercent: '力矩', load: '吊重' }),
    speaksEverySeconds: 10,
  },
  {
    name: '扬尘',
    family: 'environment',
    path: '/monitor/environmental',
    read: gauges({ pm10: 'PM10', pm25: 'PM2.5' }),
    speaksEverySeconds: 30,
  },
  {
    name: '升降机',
    family: 'lifter',
    path: '/equipment/lifter',
    read: gauges({ height: '高度', loadPercent: '载重', speed: '速度' }),
    speaksEverySeconds: 10,
  },
  {
    name: '安全帽',
    family: 'smartHelmet',
    path: '/helmet/monitoring',
    read: pairs('最后上报', { batteryPercent: '电量' }),
    speaksEverySeconds: 120,
  },
  {
    name: '桩机',
    family: 'pileFoundation',
    path: '/equipment/mechanicsMonitor/index',
    read: gauges({ depth: '深度', verticalityX: '垂直度 X', verticalityY: '垂直度 Y', current: '电流' }),
    speaksEverySeconds: 10,
  },
  { name: '地磅', family: 'weighbridge', path: '/loadometer/monitor', read: gauges({ weight: '重量' }), speaksEverySeconds: 60 },
  {
    name: '电表',
    family: 'electricMeter',
    path: '/electric',
    read: gauges({ activePower: '有功功率', residualCurrent: '漏电流', cableTemperature: '线缆温度' }),
    speaksEverySeconds: 60,
  },
  {
    name: '水表',
    family: 'waterMeter',
    path: '/waterMeter',
    read: gauges({ flowRate: '流量', pressure: '管压' }),
    speaksEverySeconds: 120,
  },
  {
    name: '卸料平台',
    family: 'unloadingPlatform',
    path: '/unloading',
    read: gauges({ weightPercent: '载重', tilt: '合成倾角', batteryPercent: '电量' }),
    speaksEverySeconds: 30,
  },
  {
    name: '车辆',
    family: 'truckMonitor',
    path: '/vehicle/location',
    read: pairs('位置时间', { speed: '速度', longitude: '坐标' }, thisYear),
    speaksEverySeconds: 30,
  },
  {
    name: '基坑',
    family: 'foundationPit',
    kind: 'topHorizontalDisplacement',
    path: '/foundationPit/monitor',
    read: async (page) => {
      // Read time and value in one step, because the page may update in between.
      const { stamp, text } = await page.evaluate(() => ({
        stamp: document.querySelector('main .pit-right .mon-legend[title]')?.getAttribute('title'),
        text: document.querySelector('main .pit-figures dd')?.textContent ?? '',
      }))
      return {
        at: stamp ? Date.parse(`${stamp.replace(' ', 'T')}+08:00`) : undefined,
        values: { topHorizontalDisplacement: /-?\d+\.\d+/.exec(text)?.[0] },
      }
    },
    speaksEverySeconds: 60,
  },
  {
    name: '高支模',
    family: 'highFormwork',
    path: '/highFormwork/index',
    read: async (page) => {
      const current = await page.evaluate(() => {
        const row = document.querySelector('main .mon-row[aria-current]')?.textContent ?? ''
        const legend = [...document.querySelectorAll('main .mon-legend')].map(
          (one) => /(\d\d:\d\d:\d\d) 更新/.exec(one.textContent ?? '')?.[1],
        )
        return { force: /(-?\d+\.\d) kN/.exec(row)?.[1], clock: legend.find(Boolean) }
      })
      const day = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
      return { at: current.clock ? Date.parse(`${day}T${current.clock}+08:00`) : undefined, values: { axialForce: current.force } }
    },
    speaksEverySeconds: 60,
  },
]

interface Found {
  deviceId: string
  /** Identifier of the device in the protocol. */
  wireName: string
  projectCode: string
}

/** Finds a device of the family that reports over the wire, preferably of the main site, and has reported already. */
async function speaking({ family, kind }: Pick<Family, 'family' | 'kind'>): Promise<Found> {
  const all: Found[] = [
    ...demo.gateways.flatMap((gateway) =>
      gateway.devices
        .filter((one) => one.family === family)
        .map((one) => ({ deviceId: one.deviceId, wireName: one.deviceSn, projectCode: gateway.projectCode })),
    ),
    ...(family === 'truckMonitor'
      ? demo.jt808.map((one) => ({ deviceId: one.deviceId, wireName: one.phone.replace(/^0+/, ''), projectCode: one.projectCode }))
      : []),
  ].sort((a, b) => Number(b.projectCode === main) - Number(a.projectCode === main))
  const begun = Date.now()
  while (Date.now() - begun < patienceMs) {
    for (const one of all) if ((await saidBy(one.wireName)).some(({ values }) => kind === undefined || kind in values)) return one
    await sleep(1_000)
  }
  throw new Error(`no ${family} has spoken: ${all.map((one) => one.wireName).join(', ')}`)
}

const saidBy = async (wireName: string): Promise<Said[]> =>
  (await fetch(`${wire}/?device=${encodeURIComponent(wireName)}`)).json() as Promise<Said[]>

const main = demo.accounts.find((one) => one.account === 'hospital-safety')?.projectCode ?? ''

/** Account of the site's safety officer, otherwise another one of the site. */
const accountOf = (projectCode: string): string => {
  const own = demo.accounts.filter((one) => one.projectCode === projectCode).map((one) => one.account)
  const found = own.find((one) => one.endsWith('-safety')) ?? own.find((one) => one.endsWith('-pm')) ?? own[0]
  if (!found) throw new Error(`nobody of ${projectCode} has an account`)
  return found
}

/** Number of decimals in a text. */
const decimalsIn = (text: string) => text.split('.')[1]?.length ?? 0

/** Differences between a page and the reading it shows; metrics the device marks as doubtful are left out. */
function differences(shown: Shown, said: Said): string[] {
  return Object.entries(shown.values).flatMap(([metric, text]) => {
    const value = said.values[metric]
    if (typeof value !== 'number' || said.doubted.includes(metric)) return []
    if (text === undefined) return [`${metric}: nothing shown, said ${value}`]
    // Half a unit of the last digit, plus the loss from the device's 8 bytes to the database's 4.
    const tolerance = 0.5 * 10 ** -decimalsIn(text) + Math.abs(value) * 1e-6
    return Math.abs(Number(text) - value) <= tolerance ? [] : [`${metric}: shown ${text}, said ${value}`]
  })
}

let browser: Browser
const visitors = new Map<string, Promise<Visitor>>()
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

/** One browser context per account; every family is a tab of it. */
async function tabOf(account: string): Promise<Visitor> {
  const known = visitors.get(account)
  const first =
    known ??
    (async () => {
      const visitor = await visit(browser, demo)
      await logIn(visitor, demo, account)
      return visitor
    })()
  visitors.set(account, first)
  return (await first).another()
}

test.concurrent.each(families)(
  '$name: what is shown is what was sent, and moves with it',
  async ({ family, kind, path, read, speaksEverySeconds }) => {
    const device = await speaking({ family, kind })
    const tab = await tabOf(accountOf(device.projectCode))
    const by = family === 'smartHelmet' ? 'helmet' : 'deviceId'
    await tab.page.goto(`${demo.url}${path}?${by}=${device.deviceId}`, { waitUntil: 'load' })

    const seen: { at: number; values: Shown['values'] }[] = []
    const begun = Date.now()
    const wanted = speaksEverySeconds < slowSeconds ? 2 : 1
    while (seen.length < wanted && Date.now() - begun < patienceMs) {
      await sleep(everyMs)
      const shown = await read(tab.page)
      if (shown.at === undefined || seen.some((one) => one.at === shown.at)) continue
      const said = (await saidBy(device.wireName)).filter((one) => Math.floor(one.at / 1000) * 1000 === shown.at)
      // Readings from before the tap cannot be compared; wait for a newer one.
      if (said.length === 0) continue
      const compared = Object.keys(shown.values).filter((metric) => typeof said[0]?.values[metric] === 'number')
      expect(compared.length, `${path} shows nothing of ${JSON.stringify(said[0]?.values)}`).toBeGreaterThan(0)
      const worst = said.map((one) => differences(shown, one))
      expect(
        worst.some((one) => one.length === 0),
        `${path} at ${new Date(shown.at).toISOString()}: ${JSON.stringify(worst)}`,
      ).toBe(true)
      seen.push({ at: shown.at, values: shown.values })
    }
    console.log(`${path} ${device.wireName}: ${JSON.stringify(seen)}`)
    expect(
      seen.length,
      `${path} showed ${seen.length} readings of ${device.wireName} in ${patienceMs / 1000} s (one each ${speaksEverySeconds} s)`,
    ).toBe(wanted)
    // The page must show the newest reading, at most one behind.
    const heard = (await saidBy(device.wireName)).filter((one) => one.at <= Date.now() - 3_000).map((one) => one.at)
    const missed = heard.filter((at) => at > (seen.at(-1)?.at ?? 0) + 999)
    expect(missed.length, `${path} is behind by ${missed.length} readings`).toBeLessThanOrEqual(1)
    await tab.page.close()
  },
)

// Use the test's own `expect`: with concurrent tests the global one loses its test.
test.concurrent('车辆出入口: the barrier is drawn as the lane says it stands', async ({ expect }) => {
  const device = await speaking({ family: 'truckAccess' })
  const tab = await tabOf(accountOf(device.projectCode))
  await tab.page.goto(`${demo.url}/vehicleAccessRecord/list?deviceId=${device.deviceId}`, { waitUntil: 'load' })
  const lane = tab.page.getByRole('region', { name: '车行道' }).getByRole('img', { name: /道闸/ }).first()
  await lane.waitFor()
  const agrees = async () => {
    const up = (await saidBy(device.wireName)).at(-1)?.values.barrierUp
    const name = await lane.getAttribute('aria-label')
    return typeof up === 'boolean' && name?.includes(up ? '道闸升起' : '道闸落下')
  }
  // The list is refetched every 15 s; the lane reports every 30 s.
  await expect.poll(agrees, { interval: 1_000 }).toBe(true)
  await tab.page.close()
})
