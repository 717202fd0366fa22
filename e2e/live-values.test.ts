import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { logIn, openBrowser, type Visitor, visit } from './browser.ts'
import type { Said } from './wire-tap.ts'

/**
 * What a live page shows is what the device said: values are read from the accessible page and compared with what went over the wire,
 * heard before it reached the product and decoded by a plain reading of the protocols.
 */
const demo = inject('demo')
const wire = inject('wire')

/** The slowest family speaks every two minutes; a busy machine is granted some more. */
const patienceMs = 160_000
const everyMs = 400
/** Who speaks once in so long is compared once: a second reading would be waited for by everything behind it. */
const slowSeconds = 45

/** What a page shows at one moment: when its reading was taken, and values by name. */
interface Shown {
  at: number | undefined
  values: Readonly<Record<string, string | undefined>>
}

interface Family {
  name: string
  family: string
  path: string
  /** Where a family has several kinds of device: the metric that the one to be compared must speak of. */
  kind?: string
  /** Values to compare, by the metric's name on the wire. */
  read: (page: Page) => Promise<Shown>
  /** How long a family may keep silent between two readings; longer ones are not waited for twice. */
  speaksEverySeconds: number
}

/** Gauges by their accessible names, beside the time of the reading they belong to. */
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

/** Pairs of term and value, the time among them. */
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
      // In one look, lest the page moves on between time and value.
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
  /** What the device is called on the wire. */
  wireName: string
  projectCode: string
}

/** Devices of a family that speak over the wire here, the main site's first; one that has spoken is taken. */
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

/** Whoever runs the safety of a site, or the site itself. */
const accountOf = (projectCode: string): string => {
  const own = demo.accounts.filter((one) => one.projectCode === projectCode).map((one) => one.account)
  const found = own.find((one) => one.endsWith('-safety')) ?? own.find((one) => one.endsWith('-pm')) ?? own[0]
  if (!found) throw new Error(`nobody of ${projectCode} has an account`)
  return found
}

/** Decimals a text shows. */
const decimalsIn = (text: string) => text.split('.')[1]?.length ?? 0

/** What differs between a page and the reading it names; what the device doubts itself is not compared. */
function differences(shown: Shown, said: Said): string[] {
  return Object.entries(shown.values).flatMap(([metric, text]) => {
    const value = said.values[metric]
    if (typeof value !== 'number' || said.doubted.includes(metric)) return []
    if (text === undefined) return [`${metric}: nothing shown, said ${value}`]
    // Half a unit of the last shown digit, and what a value loses between a device's 8 and a database's 4 bytes.
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

/** One window for each account; every family is a tab of it. */
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
      // What was there before the wire was listened to cannot be compared: the page must come to something newer.
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
    // A page that has been left alone shows the newest: not older than one reading beside the last one heard.
    const heard = (await saidBy(device.wireName)).filter((one) => one.at <= Date.now() - 3_000).map((one) => one.at)
    const missed = heard.filter((at) => at > (seen.at(-1)?.at ?? 0) + 999)
    expect(missed.length, `${path} is behind by ${missed.length} readings`).toBeLessThanOrEqual(1)
    await tab.page.close()
  },
)

// Its own `expect`: the common one forgets which test is running as soon as another beside it ends.
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
  // The list is asked again every quarter of a minute; the lane speaks every half.
  await expect.poll(agrees, { interval: 1_000 }).toBe(true)
  await tab.page.close()
})
