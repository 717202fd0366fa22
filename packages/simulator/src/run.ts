import { fstatSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { readDemoFile } from './demo-file.ts'
import { parseFaults } from './faults.ts'
import { startLive } from './live.ts'
import { terminalMemory } from './terminal-memory.ts'

/**
 * `node run.ts --demo <demo.json> [--seed n] [--speed n] [--mqtt url] [--hj212 host:port] [--jt808 host:port] [--faults split,crc,outage=300:60]`
 *
 * To tap the traffic, redirect it with `SIMULATOR_MQTT` (URL), `SIMULATOR_HJ212` and `SIMULATOR_JT808` (host:port).
 */
const { values } = parseArgs({
  options: {
    demo: { type: 'string' },
    seed: { type: 'string' },
    speed: { type: 'string' },
    mqtt: { type: 'string' },
    hj212: { type: 'string' },
    jt808: { type: 'string' },
    faults: { type: 'string' },
    quiet: { type: 'boolean' },
  },
})
if (!values.demo) {
  process.stderr.write(
    'usage: node run.ts --demo <path to demo.json> [--seed n] [--speed n] [--mqtt url] [--hj212 host:port] [--jt808 host:port] [--faults split,crc,repeat,outage,clock,storm]\n',
  )
  process.exit(2)
}

const demo = await readDemoFile(values.demo)
const host = demo.url ? new URL(demo.url).hostname : '127.0.0.1'
const [hjHost, hjPort] = (values.hj212 ?? process.env.SIMULATOR_HJ212 ?? `${host}:${process.env.HJ212_PORT ?? '8212'}`).split(':')
const [jtHost, jtPort] = (values.jt808 ?? process.env.SIMULATOR_JT808 ?? (demo.jt808Port ? `${host}:${demo.jt808Port}` : '')).split(':')
let gatesWait = demo.simulation?.gatesWait ?? false
const file = values.demo
const request = setInterval(() => {
  if (!gatesWait) return clearInterval(request)
  readDemoFile(file).then(
    (now) => {
      gatesWait = now.simulation?.gatesWait ?? false
    },
    // The file is being rewritten; try again.
    () => undefined,
  )
}, 500)
const live = startLive({
  demo,
  gatesWait: () => gatesWait,
  mqttUrl: values.mqtt ?? process.env.SIMULATOR_MQTT ?? process.env.MQTT_URL ?? `mqtt://${host}:${process.env.MQTT_PORT ?? '1883'}`,
  hj212: { host: hjHost || host, port: Number(hjPort) },
  seed: values.seed ? Number(values.seed) : undefined,
  jt808: jtPort ? { host: jtHost || host, port: Number(jtPort) } : undefined,
  memory: terminalMemory(join(dirname(values.demo), 'terminals.json')),
  faults: values.faults ? parseFaults(values.faults) : undefined,
  speed: values.speed ? Number(values.speed) : 1,
  log: (line) => process.stderr.write(`${line}\n`),
})
if (!values.quiet)
  process.stdout.write(
    `simulator: ${live.gateways.length} gateways, ${live.stations.length} dust stations, ${live.city.devices.length} devices in the city\n`,
  )

let stopping = false
async function stop() {
  if (stopping) return
  stopping = true
  await Promise.race([live.stop(), new Promise((resolve) => setTimeout(resolve, 1500))])
  process.exit(0)
}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => void stop())
process.on('disconnect', () => void stop())
// If stdin is a pipe, its end means that the parent has exited; a terminal or /dev/null says nothing.
const stdin = fstatSync(0)
if (stdin.isFIFO() || stdin.isSocket()) {
  process.stdin.on('end', () => void stop())
  process.stdin.on('close', () => void stop())
  process.stdin.resume()
}
// After a SIGKILL of the parent this process is reparented; then exit.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) void stop()
}, 1000)
