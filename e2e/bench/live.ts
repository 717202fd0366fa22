import { type ChildProcess, spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gatewayClientId, gatewayPassword } from '@zhugong/simulator/mqtt-gateway'
import mqtt, { type MqttClient } from 'mqtt'
import type { Browser, Page } from 'playwright-core'
import { apiAs, logIn, openBrowser, type Visitor, visit } from '../browser.ts'
import { type Demo, Product } from '../product.ts'

/**
 * `npm run bench -- live`: cost of the live pages in Chromium, each figure beside a limit measured in the same run. `LIVE_SECONDS` (60) is
 * how long a page stays open, `LIVE_ROUNDS` (40) how often alarms are sent and tiles are clicked.
 */
const seconds = Number(process.env.LIVE_SECONDS ?? 60)
const rounds = Number(process.env.LIVE_ROUNDS ?? 40)
const site = 'hospital-safety'
const machines = 20
/** Below the range of ephemeral ports. */
const barePort = 27_186
const passBroker = join(dirname(fileURLToPath(import.meta.url)), '../../apps/server/bench/pass-broker.ts')

const livePages: readonly (readonly [name: string, path: string, moving: string])[] = [
  ['塔机', '/tower/monitor', 'main [role="meter"]'],
  ['扬尘', '/monitor/environmental', 'main [role="meter"]'],
  ['升降机', '/equipment/lifter', 'main [role="meter"]'],
  ['地磅', '/loadometer/monitor', 'main [role="meter"]'],
  ['电表', '/electric', 'main [role="meter"]'],
  ['水表', '/waterMeter', 'main [role="meter"]'],
  ['卸料平台', '/unloading', 'main [role="meter"]'],
  ['基坑', '/foundationPit/monitor', 'main .pit-figures dd'],
  ['高支模', '/highFormwork/index', 'main [role="meter"]'],
  ['安全帽', '/helmet/location', 'main .helmet-person'],
  ['车辆', '/vehicle/location', 'main canvas'],
  ['车辆出入', '/vehicleAccessRecord/list', 'main .gate-lane'],
]

const line = (name: string, product: string, limit: string, ratio: string) =>
  console.log(`${name.padEnd(34)} ${product.padEnd(44)} ${limit.padEnd(38)} ${ratio}`)

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** A browser context with an empty cache and, with `storage`, a session. */
async function freshWindow(browser: Browser, demo: Demo, storage?: Storage): Promise<Visitor> {
  const visitor = await visit(browser, demo, { calm: false })
  if (storage)
    await visitor.context.addInitScript(([local, session]) => {
      for (const [key, value] of Object.entries(local ?? {})) localStorage.setItem(key, value)
      for (const [key, value] of Object.entries(session ?? {})) sessionStorage.setItem(key, value)
    }, storage)
  return visitor
}
type Storage = [local: Record<string, string>, session: Record<string, string>]
/** Storage of a logged-in page, so that another window starts as a known user. */
async function storageOf(page: Page): Promise<Storage> {
  await page.waitForFunction(() => localStorage.getItem('userInfo') !== null)
  return page.evaluate(() => [{ ...localStorage }, { ...sessionStorage }])
}

const patienceMs = 60_000

/** Milliseconds from navigation until the `wanted` element is visible. */
async function opening(visitor: Visitor, address: string, wanted: string): Promise<number> {
  const begun = performance.now()
  await visitor.page.goto(address, { waitUntil: 'commit' })
  await visitor.page.locator(wanted).first().waitFor({ state: 'visible', timeout: patienceMs })
  return performance.now() - begun
}

/** Number of times each page is opened; the median is reported. */
const openings = 5

async function middleOpening(browser: Browser, demo: Demo, path: string, wanted: string, storage?: Storage): Promise<number> {
  const took: number[] = []
  for (let i = 0; i < openings; i++) {
    const visitor = await freshWindow(browser, demo, storage)
    took.push(await opening(visitor, demo.url + path, wanted).catch(() => Number.POSITIVE_INFINITY))
    await visitor.close()
  }
  return quantile(took, 0.5)
}

/** A new demonstration is still writing its history; wait until that load is over. */
const settledMs = 60_000

/** Opens the login page beside each page, so that both are measured under the same load. */
async function coldOpens(browser: Browser, demo: Demo, storage: Storage): Promise<void> {
  await sleep(settledMs)
  for (const [name, path, moving] of livePages) {
    const limit = await middleOpening(browser, demo, '/login', 'input')
    const took = await middleOpening(browser, demo, path, moving, storage)
    const said = Number.isFinite(took) ? `${took.toFixed(0)} ms to the first value` : `nothing within ${patienceMs / 1000} s`
    line(`cold open ${name}`, said, `login page ${limit.toFixed(0)} ms`, Number.isFinite(took) ? (took / limit).toFixed(2) : '--')
  }
}

interface Fleet {
  gateway: { id: string; secret: string }
  cranes: { deviceId: string; deviceSn: string }[]
  client: MqttClient
}

/** A separate gateway with cranes in rows on the site. */
async function ownCranes(demo: Demo): Promise<Fleet> {
  const admin = await apiAs(demo, 'admin')
  const projectCode = demo.accounts.find((one) => one.account === site)?.projectCode ?? ''
  const made = await admin.post('/api/v1/iot/gateway', { projectCode, name: '测量网关', connectionType: 'mqtt' })
  const gateway = made.data as Fleet['gateway']
  const cranes: Fleet['cranes'] = []
  for (let i = 0; i < machines; i++) {
    const deviceSn = `LIVE-${Date.now()}-${i}`
    const params = {
      originX: (i % 5) * 90,
      originY: Math.floor(i / 5) * 90,
      maxRadius: 50,
      minRadius: 3,
      maxHeight: 60,
      maxLoad: 8,
      ratedMoment: 1000,
    }
    const device = await admin.post('/api/v1/iot/device', {
      name: `测量 ${i + 1}# 塔机`,
      deviceSn,
      projectCode,
      family: 'towerCrane',
      params,
      access: { protocol: 'mqtt', gatewayId: gateway.id },
    })
    const { id } = device.data as { id: string }
    await admin.put(`/api/v1/iot/device/${id}`, { auditState: '1', status: '1' })
    cranes.push({ deviceId: id, deviceSn })
  }
  const client = await mqtt.connectAsync(demo.mqttUrl, {
    clientId: gatewayClientId(gateway.id),
    username: gateway.id,
    password: gatewayPassword(gateway.id, gateway.secret, Date.now()),
    protocolVersion: 4,
  })
  return { gateway, cranes, client }
}

let sent = 0
function say({ gateway, client }: Fleet, deviceSn: string, data: Record<string, number>): void {
  sent++
  client.publish(
    `site/v1/up/${gateway.id}/${deviceSn}/telemetry`,
    JSON.stringify({ v: 1, msgId: `live-${sent}`, items: [{ time: Date.now(), seq: sent, data }] }),
    { qos: 1 },
  )
}

/** Heap size of the page in bytes after garbage collection. */
async function heapOf(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('HeapProfiler.enable')
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  await devtools.detach()
  return usedSize
}

declare global {
  interface Window {
    longTasks: number[]
    clickTimes: number[]
    /** Number of times a red value was written to the DOM, whether or not a frame was drawn. */
    written: number
  }
}

const watchLongTasks = () => {
  window.longTasks = []
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.longTasks.push(entry.duration)
  }).observe({ type: 'longtask' })
}

/** Cost of a page left open while 20 devices send once a second. */
async function leftOpen(visitor: Visitor, demo: Demo, fleet: Fleet): Promise<void> {
  let turn = 0
  const speaking = setInterval(() => {
    turn++
    for (const [i, { deviceSn }] of fleet.cranes.entries())
      say(fleet, deviceSn, {
        momentPercent: 40 + ((turn + i) % 20),
        loadPercent: 50,
        load: 2,
        radius: 20 + ((turn + i) % 20),
        hookHeight: 10 + ((turn * 2 + i) % 30),
        slewAngle: (turn * 4 + i * 18) % 360,
        windSpeed: 3,
      })
  }, 1_000)
  try {
    await visitor.page.addInitScript(watchLongTasks)
    await visitor.page.goto(`${demo.url}/tower/monitor?deviceId=${fleet.cranes[0]?.deviceId}`, { waitUntil: 'load' })
    await visitor.page.locator('main [role="meter"]').first().waitFor({ timeout: 60_000 })
    await sleep(10_000)
    await visitor.page.evaluate(() => {
      window.longTasks = []
    })
    const before = await heapOf(visitor.page)
    await sleep(seconds * 1_000)
    const tasks = await visitor.page.evaluate(() => window.longTasks)
    const after = await heapOf(visitor.page)
    const mb = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MB`
    line(`${seconds} s open, ${machines} machines at 1 Hz`, `heap ${mb(before)} -> ${mb(after)}`, 'no growth', (after / before).toFixed(2))
    line(
      'tasks above 50 ms',
      `${tasks.length}, longest ${Math.max(0, ...tasks).toFixed(0)} ms, ${tasks.reduce((sum, one) => sum + one, 0).toFixed(0)} ms in all`,
      'none',
      `${((tasks.length * 60) / seconds).toFixed(1)} a minute`,
    )
  } finally {
    clearInterval(speaking)
  }
}

/** Time from a click on a tile to the next frame, as measured by the browser (in steps of 8 ms). */
async function videoTiles(visitor: Visitor, demo: Demo): Promise<void> {
  const { page } = visitor
  await page.addInitScript(() => {
    window.clickTimes = []
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if (entry.name === 'click') window.clickTimes.push(entry.duration)
    }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  })
  await page.goto(`${demo.url}/VideoSurveillance`, { waitUntil: 'load' })
  await page.getByText('16', { exact: true }).click()
  const heads = page.locator('.vid-tile .head > button')
  await heads.first().waitFor({ timeout: 30_000 })
  await sleep(8_000)
  const tiles = await heads.count()
  const playing = await page.locator('.vid-tile video').count()
  await page.evaluate(() => {
    window.clickTimes = []
  })
  for (let i = 0; i < rounds; i++) {
    await heads.nth(i % tiles).click()
    await sleep(150)
  }
  await sleep(500)
  const slow = await page.evaluate(() => window.clickTimes)
  // The browser does not report clicks below 16 ms.
  const all = [...slow, ...Array.from({ length: Math.max(0, rounds - slow.length) }, () => 16)]
  line(
    `16 tiles (${tiles} cameras, ${playing} play)`,
    `click p50 ${quantile(all, 0.5).toFixed(0)}, p99 ${quantile(all, 0.99).toFixed(0)} ms`,
    'one picture of the screen 16 ms',
    (quantile(all, 0.99) / 16).toFixed(1),
  )
  // Keep this tab idle on a light page: the next tab gets its session from it.
  await page.goto(`${demo.url}/404`)
}

/** Time from a device's publish to the red value on the screen, compared with a broker that only forwards. */
async function redValue(visitor: Visitor, demo: Demo, fleet: Fleet): Promise<void> {
  const limit = await bareRounds()
  const [crane] = fleet.cranes
  if (!crane) throw new Error('no crane')
  const { page } = visitor
  let seen: (() => void) | undefined
  await page.exposeFunction('turnedRed', () => seen?.())
  say(fleet, crane.deviceSn, { momentPercent: 60, radius: 20 })
  await page.goto(`${demo.url}/tower/monitor?deviceId=${crane.deviceId}`, { waitUntil: 'load' })
  const gauge = page.getByRole('meter', { name: '力矩' })
  await gauge.waitFor({ timeout: 30_000 })
  await page.evaluate(() => {
    const value = document.querySelector<HTMLElement>('main [role="meter"][aria-label="力矩"]')
    const tell = (window as unknown as { turnedRed: () => void }).turnedRed
    let wasHigh = false
    window.written = 0
    new MutationObserver(() => {
      const isHigh = Number(value?.getAttribute('aria-valuenow')) >= 100
      if (isHigh && !wasHigh) {
        window.written++
        // After the frame that shows it.
        requestAnimationFrame(() => requestAnimationFrame(tell))
      }
      wasHigh = isHigh
    }).observe(document.querySelector('main') as HTMLElement, { attributes: true, subtree: true, characterData: true })
  })
  const took: number[] = []
  for (let i = 0; i < rounds; i++) {
    // Live push is throttled to once a second per device, so publish after a pause.
    await sleep(1_200)
    const turned = new Promise<boolean>((resolve) => {
      const patience = setTimeout(() => resolve(false), 10_000)
      seen = () => {
        clearTimeout(patience)
        resolve(true)
      }
    })
    const begun = performance.now()
    say(fleet, crane.deviceSn, { momentPercent: 110 + (i % 5), radius: 20 })
    if (await turned) took.push(performance.now() - begun)
    else console.log(`round ${i + 1} did not turn red: written ${await page.evaluate(() => window.written)} times, shown ${took.length}`)
    await sleep(1_200)
    say(fleet, crane.deviceSn, { momentPercent: 60, radius: 20 })
  }
  line(
    `red on screen (${took.length} of ${rounds})`,
    `p50 ${quantile(took, 0.5).toFixed(0)}, p99 ${quantile(took, 0.99).toFixed(0)} ms`,
    `bare broker p50 ${quantile(limit, 0.5).toFixed(1)}, p99 ${quantile(limit, 0.99).toFixed(1)} ms`,
    `+${(quantile(took, 0.99) - quantile(limit, 0.99)).toFixed(0)} ms`,
  )
}

async function bareRounds(): Promise<number[]> {
  const broker = await startBroker()
  const viewer = await mqtt.connectAsync(`mqtt://127.0.0.1:${barePort}`)
  const device = await mqtt.connectAsync(`mqtt://127.0.0.1:${barePort}`)
  await viewer.subscribeAsync('x/#')
  const took: number[] = []
  for (let n = 0; n < rounds * 3; n++) {
    const begun = performance.now()
    const heard = new Promise<void>((resolve) => viewer.once('message', () => resolve()))
    device.publish('x/y', JSON.stringify({ n }), { qos: 1 })
    await heard
    took.push(performance.now() - begun)
    await sleep(20)
  }
  viewer.end(true)
  device.end(true)
  broker.kill('SIGTERM')
  return took
}

function startBroker(): Promise<ChildProcess> {
  const broker = spawn(process.execPath, [passBroker, String(barePort)], { stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    broker.once('exit', (code) => reject(new Error(`the bare broker ended with ${code}`)))
    broker.stdout.on('data', (chunk: Buffer) => {
      if (/^ready$/m.test(chunk.toString())) resolve(broker)
    })
  })
}

line('what', 'product', 'limit', 'ratio')
const product = await Product.start({ simulator: true })
const browser = await openBrowser()
try {
  const { demo } = product
  const visitor = await visit(browser, demo, { calm: false })
  await logIn(visitor, demo, site)
  await coldOpens(browser, demo, await storageOf(visitor.page))
  await videoTiles(visitor, demo)
  const fleet = await ownCranes(demo)
  // Close each tab: open pages, especially one with 16 videos, would distort the next measurement.
  for (const measure of [leftOpen, redValue]) {
    const beside = await visitor.another()
    await measure(beside, demo, fleet)
    await beside.page.close()
  }
  await fleet.client.endAsync()
} finally {
  await browser.close()
  await product.remove()
}
process.exit(0)
