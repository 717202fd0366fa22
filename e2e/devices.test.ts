import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Hj212Reader, hj212Frame } from '@zhugong/simulator/hj212-frame'
import { gatewayClientId, gatewayPassword } from '@zhugong/simulator/mqtt-gateway'
import mqtt from 'mqtt'
import { expect, inject, test } from 'vitest'
import { apiAs } from './browser.ts'

/** Tests from outside with an ordinary MQTT client and a plain socket, as a device vendor's engineer would use first. */
const demo = inject('demo')

/** Creates a gateway with a crane through the API, as an integrator does; the secret is returned once. */
async function newCrane() {
  const admin = await apiAs(demo, 'admin')
  const projectCode = demo.accounts.find((a) => a.account === 'hospital-safety')?.projectCode ?? ''
  const sn = `E2E-TC-${Date.now()}`
  const made = await admin.post('/api/v1/iot/gateway', { projectCode, name: `验收网关 ${sn}`, connectionType: 'mqtt' })
  const gateway = made.data as { id: string; secret: string }
  const device = (
    await admin.post('/api/v1/iot/device', {
      name: `验收塔机 ${sn}`,
      deviceSn: sn,
      projectCode,
      family: 'towerCrane',
      access: { protocol: 'mqtt', gatewayId: gateway.id },
    })
  ).data as { id: string }
  await admin.put(`/api/v1/iot/device/${device.id}`, { auditState: '1' })
  return { gateway, projectCode, crane: { deviceId: device.id, deviceSn: sn } }
}

const credentials = (gateway: { id: string; secret: string }) => ({
  clientId: gatewayClientId(gateway.id),
  username: gateway.id,
  password: gatewayPassword(gateway.id, gateway.secret, Date.now()),
  protocolVersion: 4 as const,
  reconnectPeriod: 0,
})

async function eventually<T>(read: () => Promise<T>, holds: (value: T) => boolean, what: string, patienceMs = 20_000): Promise<T> {
  const begun = Date.now()
  for (;;) {
    const value = await read()
    if (holds(value)) return value
    if (Date.now() - begun > patienceMs) throw new Error(`${what}: ${JSON.stringify(value).slice(0, 300)}`)
    await sleep(200)
  }
}

interface AlarmRow {
  id: string
  alarmKey: string
  deviceId: string
  active: boolean
  startTime: string
}

test('a QoS 1 crane message is stored, answered, opens an alarm, and clears with hysteresis', async () => {
  const { gateway, crane } = await newCrane()
  const api = await apiAs(demo, 'hospital-safety')
  const client = await mqtt.connectAsync(demo.mqttUrl, credentials(gateway))
  const topic = `site/v1/up/${gateway.id}/${crane.deviceSn}/telemetry`
  let seq = 0
  const send = (momentPercent: number, at = Date.now()) =>
    client.publishAsync(
      topic,
      JSON.stringify({
        v: 1,
        msgId: `e2e-${++seq}`,
        items: [{ time: at, seq, data: { momentPercent, loadPercent: 60, radius: 30, hookHeight: 20, slewAngle: 90, windSpeed: 3 } }],
      }),
      { qos: 1 },
    )
  const alarms = () => api.get<{ list: AlarmRow[] }>(`/api/v1/iot/alarm/family?deviceId=${crane.deviceId}&size=50&sort=-startTime`)
  const moment = (list: AlarmRow[], key: string) => list.find((a) => a.alarmKey === key && a.active)

  await send(70)
  // A PUBACK means that the reading is stored, so it can be read at once.
  const info = await api.get<Record<string, unknown>>(`/api/v1/iot/data/tower/info/${crane.deviceId}`)
  expect(JSON.stringify(info)).toContain('70')

  await send(104)
  await eventually(alarms, ({ list }) => Boolean(moment(list, 'momentAlarm')), 'the moment alarm opens')
  // Between the clear value (95) and the threshold (100) the state does not change.
  await sleep(1_100)
  await send(97)
  await sleep(1_000)
  expect(moment((await alarms()).list, 'momentAlarm')).toBeDefined()
  await sleep(1_100)
  await send(80)
  await eventually(alarms, ({ list }) => !moment(list, 'momentAlarm'), 'the moment alarm clears')
  await client.endAsync()
})

test('a wrong secret, a foreign topic and a megabyte are refused, and others go on', async () => {
  const { gateway, crane, projectCode } = await newCrane()
  await expect(mqtt.connectAsync(demo.mqttUrl, { ...credentials(gateway), password: 'wrong' })).rejects.toThrow(
    /refused|Not authorized|Bad/i,
  )

  const other = demo.gateways.find((g) => g.projectCode !== projectCode)
  for (const [topic, payload] of [
    [`site/v1/up/${other?.gatewayId}/${other?.devices[0]?.deviceSn}/telemetry`, '{}'],
    [`site/v1/up/${gateway.id}/${crane.deviceSn}/telemetry`, 'x'.repeat(1024 * 1024)],
  ] as const) {
    const client = await mqtt.connectAsync(demo.mqttUrl, credentials(gateway))
    const closed = new Promise<void>((resolve) => client.once('close', () => resolve()))
    client.on('error', () => undefined)
    client.publish(topic, payload, { qos: 1 })
    await Promise.race([closed, sleep(10_000).then(() => Promise.reject(new Error('the connection was not closed')))])
    client.end(true)
  }
  const client = await mqtt.connectAsync(demo.mqttUrl, credentials(gateway))
  expect(client.connected).toBe(true)
  await client.endAsync()
})

test('an HJ 212 station is answered 9014 after its reading is stored, a broken frame is not answered', async () => {
  const admin = await apiAs(demo, 'admin')
  const projectCode = demo.accounts.find((a) => a.account === 'hospital-safety')?.projectCode ?? ''
  const station = { mn: `E2E${Date.now()}`.padEnd(24, '0'), password: '654321', deviceId: '' }
  const access = { protocol: 'hj212', mn: station.mn, password: station.password }
  const made = await admin.post('/api/v1/iot/device', {
    name: '验收扬尘站',
    deviceSn: `E2E-EN-${Date.now()}`,
    projectCode,
    family: 'environment',
    access,
  })
  station.deviceId = (made.data as { id: string }).id
  await admin.put(`/api/v1/iot/device/${station.deviceId}`, { auditState: '1' })
  const api = await apiAs(demo, 'hospital-safety')
  const socket = connect(demo.hj212Port, '127.0.0.1')
  const reader = new Hj212Reader()
  const answers: string[] = []
  socket.on('data', (chunk) => {
    for (const frame of reader.push(Buffer.from(chunk))) answers.push(JSON.stringify(frame))
  })
  await new Promise((resolve) => socket.once('connect', resolve))
  const stamp = (at: number) => new Date(at + 8 * 3_600_000).toISOString().replace(/\D/g, '').slice(0, 17)
  const segment = (pm10: number) => {
    const at = Date.now()
    return `QN=${stamp(at)};ST=39;CN=2011;PW=${station.password};MN=${station.mn};Flag=5;CP=&&DataTime=${stamp(at).slice(0, 14)};a34002-Rtd=${pm10},a34002-Flag=N;a34004-Rtd=35,a34004-Flag=N;LA-Rtd=61.5,LA-Flag=N&&`
  }
  const broken = hj212Frame(segment(55))
    .toString('latin1')
    .replace(/.{4}\r\n$/, '0000\r\n')
  socket.write(broken)
  await sleep(700)
  expect(answers).toEqual([])
  const good = hj212Frame(segment(77))
  // In three pieces, as over a bad connection.
  socket.write(good.subarray(0, 5))
  await sleep(50)
  socket.write(good.subarray(5, 60))
  await sleep(50)
  socket.write(good.subarray(60))
  await eventually(
    async () => answers,
    (list) => list.some((a) => a.includes('9014')),
    'the 9014 answer',
  )
  const info = await api.get<Record<string, unknown>>(`/api/v1/iot/data/env/info/${station.deviceId}`)
  expect(JSON.stringify(info)).toContain('77')
  socket.destroy()
})
