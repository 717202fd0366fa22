import { connect } from 'node:net'
import { WebSocket } from 'ws'
import { quantile } from './measure.ts'

/** Many browsers in a process of their own: it is told what to subscribe to, and queried for what arrived. */
export interface ViewersOrder {
  /** tcp://host:port or ws://host:port */
  url: string
  filter: string
  /** A password for each browser. */
  tickets: string[]
}
export interface ViewersAnswer {
  count: number
  p50: number
  p99: number
}

let took: number[] = []

process.on('disconnect', () => process.exit(0))
process.on('message', (order: ViewersOrder | 'count') => {
  if (order === 'count') {
    process.send?.({ count: took.length, p50: quantile(took, 0.5), p99: quantile(took, 0.99) } satisfies ViewersAnswer)
    took = []
    return
  }
  watchAll(order).then(
    () => process.send?.({ count: 0, p50: 0, p99: 0 } satisfies ViewersAnswer),
    (error: Error) => process.send?.({ error: error.message }),
  )
})

async function watchAll(order: ViewersOrder): Promise<void> {
  for (let at = 0; at < order.tickets.length; at += 50)
    await Promise.all(order.tickets.slice(at, at + 50).map((ticket, i) => watch(order, ticket, at + i)))
}

function watch(order: ViewersOrder, ticket: string, number: number): Promise<void> {
  const { hostname, port, protocol } = new URL(order.url)
  return new Promise((resolve, reject) => {
    const text = (value: string) => {
      const bytes = Buffer.from(value)
      return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
    }
    const packet = (kind: number, body: Buffer) => {
      const length = body.length < 128 ? [body.length] : [(body.length % 128) | 0x80, Math.floor(body.length / 128)]
      return Buffer.concat([Buffer.from([kind, ...length]), body])
    }
    const hello = packet(
      0x10,
      Buffer.concat([text('MQTT'), Buffer.from([4, 0xc2, 0, 0]), text(`view:viewer${number}`), text('live'), text(ticket || '-')]),
    )
    const subscribe = packet(0x82, Buffer.concat([Buffer.from([0, 1]), text(order.filter), Buffer.from([0])]))
    let send: (bytes: Buffer) => void
    let rest: Buffer = Buffer.alloc(0)
    const read = (chunk: Buffer) => {
      let data = rest.length ? Buffer.concat([rest, chunk]) : chunk
      for (;;) {
        const size = packetSize(data)
        if (size === undefined || data.length < size.whole) break
        const kind = (data[0] ?? 0) & 0xf0
        if (kind === 0x20) {
          if (data[3] !== 0) reject(new Error(`viewer ${number} refused: ${data[3]}`))
          send(subscribe)
        } else if (kind === 0x90) {
          if (data[4] === 0x80) reject(new Error(`viewer ${number} may not subscribe`))
          resolve()
        } else if (kind === 0x30) see(data.subarray(size.head, size.whole))
        data = data.subarray(size.whole)
      }
      rest = data
    }
    if (protocol === 'tcp:') {
      const socket = connect(Number(port), hostname)
      send = (bytes) => void socket.write(bytes)
      socket.once('connect', () => send(hello))
      socket.on('data', read)
      socket.on('error', reject)
    } else {
      const ws = new WebSocket(order.url, 'mqtt', { perMessageDeflate: false })
      send = (bytes) => ws.send(bytes)
      ws.once('open', () => send(hello))
      ws.on('message', (data: Buffer) => read(data))
      ws.on('error', reject)
    }
  })
}

function packetSize(data: Buffer): { head: number; whole: number } | undefined {
  let length = 0
  for (let i = 1; i <= 4 && i < data.length; i++) {
    length += ((data[i] ?? 0) & 0x7f) * 128 ** (i - 1)
    if (!((data[i] ?? 0) & 0x80)) return { head: i + 1, whole: i + 1 + length }
  }
  return undefined
}

/** The time of sending: in `t` of a live message, in `items[0].time` of a device's own message. */
function see(body: Buffer): void {
  const payload = body.toString('latin1', 2 + body.readUInt16BE(0))
  const at = /"(?:t|time)":(\d{13})/.exec(payload)?.[1]
  if (at) took.push(Date.now() - Number(at))
}
