import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { benchDelay } from './delay.ts'
import { benchIngest } from './ingest.ts'
import { line } from './measure.ts'
import { benchPeople } from './people.ts'
import { benchSizes } from './sizes.ts'

/** `npm run bench [ingest] [delay] [people] [sizes]`: every figure beside a limit measured in the same run on the same machine. */
const here = dirname(fileURLToPath(import.meta.url))
const only = process.argv.slice(2)
const wants = (name: string) => only.length === 0 || only.includes(name)
const dataDir = mkdtempSync(join(tmpdir(), 'zg-bench-'))
chmodSync(dataDir, 0o755)
// Below the range that outgoing connections take theirs from.
const ports = { PORT: '27080', MQTT_PORT: '27183', MQTT_WS_PORT: '27083', HJ212_PORT: '27212', JT808_PORT: '27808' }

line('what', 'product', 'limit', 'ratio')
if (wants('sizes')) benchSizes(join(here, '../../web/dist'))
if (wants('ingest') || wants('delay') || wants('people')) {
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
    // The measured ingest is a process of its own on the same database; the product's one steps aside meanwhile.
    if (wants('ingest')) {
      process.kill(child('ingest'), 'SIGSTOP')
      await benchIngest(databaseUrl, environmentOf(child('api')).SECRET_KEY ?? '', mkdtempSync(join(tmpdir(), 'zg-bench-ingest-')))
      process.kill(child('ingest'), 'SIGCONT')
    }
    if (wants('people'))
      await benchPeople({
        databaseUrl,
        secretKey: environmentOf(child('api')).SECRET_KEY ?? '',
        url: `http://127.0.0.1:${ports.PORT}`,
        jobsPid: child('jobs'),
        projectCode,
        login,
      })
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
process.exit(0)

async function ready(): Promise<void> {
  for (let i = 0; i < 1_200; i++) {
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
