import { createServer } from 'node:net'
import { Aedes } from 'aedes'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** The reference for the ingest: a broker that only parses JSON, writes with COPY, and acknowledges after the commit. */
const [databaseUrl = '', port = '0'] = process.argv.slice(2)
const flushMs = 20
const client = new pg.Client({ connectionString: databaseUrl })
await client.connect()
await client.query('drop table if exists bare_reading; create table bare_reading (device text, ts timestamptz, seq bigint, v text)')

let rows: string[] = []
let waiting: (() => void)[] = []
let writing = false
async function flush(): Promise<void> {
  if (writing || rows.length === 0) return
  writing = true
  const [batch, answers] = [rows, waiting]
  rows = []
  waiting = []
  await new Promise<void>((resolve, reject) => {
    const stream = client.query(copyFrom('copy bare_reading from stdin'))
    stream.once('finish', resolve).once('error', reject)
    stream.end(batch.join(''))
  })
  for (const answer of answers) answer()
  writing = false
  if (rows.length >= 1_000) void flush()
}
setInterval(() => void flush(), flushMs)

const broker = await Aedes.createBroker({
  authorizePublish: (_client, packet, done) => {
    const message = JSON.parse(packet.payload.toString()) as { items: { time: number; seq: number; data: unknown }[] }
    const device = packet.topic.split('/')[4]
    for (const item of message.items)
      rows.push(`${device}\t${new Date(item.time).toISOString()}\t${item.seq}\t${JSON.stringify(item.data)}\n`)
    waiting.push(() => done(null))
    if (rows.length >= 1_000) void flush()
  },
})
createServer(broker.handle).listen(Number(port), '127.0.0.1', () => console.log('ready'))
