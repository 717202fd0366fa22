import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { benchAnnouncements } from './announcements.ts'
import { benchCranes } from './cranes.ts'
import { benchDelay } from './delay.ts'
import { benchDocuments } from './documents.ts'
import { benchIngest } from './ingest.ts'
import { benchLedger } from './ledger.ts'
import { line } from './measure.ts'
import { benchMeasuring } from './measuring.ts'
import { benchMenus } from './menus.ts'
import { benchPeople } from './people.ts'
import { benchProcess } from './process.ts'
import { benchRights } from './rights.ts'
import { benchSizes } from './sizes.ts'
import { Stand } from './stand.ts'
import { benchSteady } from './steady.ts'
import { benchSupervision } from './supervision.ts'
import { benchTodo } from './todo.ts'
import { benchViewers } from './viewers.ts'

/**
 * `npm run bench -- [sizes] [cranes] [viewers] [ingest] [overload] [delay] [people] [rights] [todo] [process] [supervision] [measuring] [documents] [announcements] [menus] [ledger] [soak]
 * [--profile]`: prints every figure beside a reference measured in the same run on the same machine. `soak` (SOAK_MINUTES, 15 by default) runs only if
 * named. PEOPLE_SCALE=0.1 and TODO_SCALE=0.1 reduce people and the to-do list to a tenth. `--profile` shows where the ingest spends its
 * time.
 */
const here = dirname(fileURLToPath(import.meta.url))
const only = process.argv.slice(2).filter((a) => !a.startsWith('--'))
const profile = process.argv.includes('--profile')
const wants = (name: string) => only.length === 0 || only.includes(name)
const dataDir = mkdtempSync(join(tmpdir(), 'zg-bench-'))
chmodSync(dataDir, 0o755)
/** Building the demonstration takes a minute on a quiet machine, several on a busy one. */
const readyMs = 600_000
// Below the range from which the system takes the ports of outgoing connections.
const ports = { PORT: '27080', MQTT_PORT: '27183', MQTT_WS_PORT: '27083', HJ212_PORT: '27212', JT808_PORT: '27808' }

let failed = false
line('what', 'product', 'limit', 'ratio')
if (wants('sizes')) benchSizes(join(here, '../../web/dist'))
const onStand = ['ingest', 'overload', 'viewers', 'cranes'].filter(wants)
// The soak test takes a quarter of an hour: it runs only if named.
const isSoak = only.includes('soak')
if (onStand.length || isSoak) {
  const stand = await Stand.open({ firstPort: 27_190 })
  try {
    if (wants('cranes')) await benchCranes(stand)
    if (wants('viewers')) await benchViewers(stand)
    const best = wants('ingest') ? await benchIngest(stand, profile) : undefined
    if (wants('overload')) failed ||= !(await benchSteady(stand, { ...(best ? { best } : {}), seconds: 15, overloadSeconds: 15 }))
    if (isSoak) failed ||= !(await benchSteady(stand, { seconds: Number(process.env.SOAK_MINUTES ?? 15) * 60, overloadSeconds: 60 }))
  } finally {
    await stand.close()
  }
}
if (
  ['delay', 'people', 'rights', 'todo', 'process', 'supervision', 'measuring', 'documents', 'announcements', 'menus', 'ledger'].some(wants)
) {
  const product = spawn(process.execPath, [join(here, '../src/main.ts'), 'demo', '--no-simulator'], {
    env: { ...process.env, ...ports, DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  try {
    await ready()
    const databaseUrl = environmentOf(child('api')).DATABASE_URL ?? ''
    const demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')) as {
      accounts: { account: string; password: string; projectCode?: string }[]
      gateways: {
        gatewayId: string
        secret: string
        projectCode: string
        devices: { deviceId: string; deviceSn: string; family: string }[]
      }[]
      mqttUrl: string
    }
    const login = async (account: string): Promise<string> => {
      const password = demo.accounts.find((a) => a.account === account)?.password
      const answer = (await fetch(`http://127.0.0.1:${ports.PORT}/api/v1/sys/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ account, password }),
      }).then((r) => r.json())) as { data: { token: string } }
      return answer.data.token
    }
    const projectCode = demo.accounts.find((a) => a.account === 'hospital-pm')?.projectCode ?? ''
    if (wants('delay'))
      await benchDelay({
        url: `http://127.0.0.1:${ports.PORT}`,
        mqttUrl: demo.mqttUrl,
        token: await login('hospital-pm'),
        gateways: demo.gateways.filter((g) => g.projectCode === projectCode),
      })
    if (wants('people'))
      await benchPeople({
        databaseUrl,
        secretKey: environmentOf(child('api')).SECRET_KEY ?? '',
        url: `http://127.0.0.1:${ports.PORT}`,
        apiPid: child('api'),
        jobsPid: child('jobs'),
        projectCode,
        login,
      })
    if (wants('rights')) await benchRights(databaseUrl)
    if (wants('process'))
      await benchProcess({
        databaseUrl,
        url: `http://127.0.0.1:${ports.PORT}`,
        login,
        accounts: ['hospital-pm', 'city-fang'],
        checkers: { accounts: ['hospital-safety', 'hospital-pm', 'hospital-jl', 'yunze-lu'], projectCode },
      })
    if (wants('supervision')) await benchSupervision({ databaseUrl, url: `http://127.0.0.1:${ports.PORT}`, login, account: 'city-fang' })
    if (wants('measuring'))
      await benchMeasuring({ databaseUrl, url: `http://127.0.0.1:${ports.PORT}`, login, account: 'hospital-pm', projectCode })
    if (wants('documents'))
      await benchDocuments({ databaseUrl, url: `http://127.0.0.1:${ports.PORT}`, login, account: 'hospital-pm', projectCode })
    if (wants('announcements'))
      await benchAnnouncements({ databaseUrl, url: `http://127.0.0.1:${ports.PORT}`, login, sender: 'city-fang', reader: 'hospital-pm' })
    if (wants('todo')) await benchTodo({ databaseUrl, url: `http://127.0.0.1:${ports.PORT}`, login, account: 'hospital-pm' })
    if (wants('menus')) await benchMenus({ databaseUrl, url: `http://127.0.0.1:${ports.PORT}`, login })
    if (wants('ledger'))
      failed ||= !(await benchLedger({
        databaseUrl,
        url: `http://127.0.0.1:${ports.PORT}`,
        apiPid: child('api'),
        login,
      }))
  } finally {
    const ended = new Promise((resolve) => product.once('exit', resolve))
    product.kill('SIGTERM')
    await ended
    rmSync(dataDir, { recursive: true, force: true })
  }
  function child(role: string): number {
    const pids = readFileSync(`/proc/${product.pid}/task/${product.pid}/children`, 'utf8').trim().split(' ')
    return Number(pids.find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(role)) ?? 0)
  }
}
process.exit(failed ? 1 : 0)

async function ready(): Promise<void> {
  for (const begun = Date.now(); Date.now() - begun < readyMs; ) {
    if (
      await fetch(`http://127.0.0.1:${ports.PORT}/readyz`).then(
        (r) => r.ok,
        () => false,
      )
    )
      return
    await sleep(100)
  }
  throw new Error('the product did not get ready')
}

function environmentOf(pid: number): Record<string, string> {
  return Object.fromEntries(
    readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .map((l) => [l.slice(0, l.indexOf('=')), l.slice(l.indexOf('=') + 1)]),
  )
}
