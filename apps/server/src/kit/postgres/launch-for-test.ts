// A launcher in a separate process that tests kill: prints the address of its server and waits.
import { startPostgres } from './launcher.ts'

const [dataDir = '', how] = process.argv.slice(2)
const server = await startPostgres({ dataDir, settings: { fsync: 'off' }, log: { info() {}, warn() {}, error() {} } })
process.stdout.write(`${JSON.stringify({ pid: server.pid, url: server.url, attached: server.attached, uid: process.getuid?.() })}\n`)
if (how === 'leave') process.exit(0)
if (how === 'stop') await server.stop()
else setInterval(() => {}, 1_000)
