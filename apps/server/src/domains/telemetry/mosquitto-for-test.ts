import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const binary = ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto', '/opt/homebrew/sbin/mosquitto'].find((path) => existsSync(path))

/** The broker's program; installed where a package manager and the rights for it are there. */
function mosquitto(): string {
  if (binary) return binary
  const installed = '/usr/sbin/mosquitto'
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    // Installed as a program, not started as a service: the port is whoever's it is.
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
    const apt = (args: string[]) => spawnSync('apt-get', args, { env, stdio: 'ignore' })
    if (apt(['install', '-y', '-qq', '--no-install-recommends', 'mosquitto']).status !== 0) {
      apt(['update', '-qq'])
      apt(['install', '-y', '-qq', '--no-install-recommends', 'mosquitto'])
    }
  }
  if (!existsSync(installed)) throw new Error('mosquitto is needed for this test: apt-get install mosquitto')
  return installed
}

export const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

/** A real external broker on a port of its own; `stop` and `start` keep its sessions. */
export async function openMosquitto() {
  const program = mosquitto()
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'zg-mosquitto-'))
  const file = join(folder, 'mosquitto.conf')
  writeFileSync(
    file,
    [
      `listener ${port} 127.0.0.1`,
      'allow_anonymous true',
      'max_inflight_messages 0',
      'max_queued_messages 100000',
      'log_dest none',
      'persistence true',
      `persistence_location ${folder}/`,
      ...(process.getuid?.() === 0 ? ['user root'] : []),
    ].join('\n'),
  )
  let child: ChildProcess | undefined
  // A run that ends early leaves no broker behind.
  process.once('exit', () => child?.kill('SIGKILL'))
  const answers = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        resolve(true)
      })
      socket.on('error', () => resolve(false))
    })
  const broker = {
    url: `mqtt://127.0.0.1:${port}`,
    async start() {
      child = spawn(program, ['-c', file], { stdio: 'ignore' })
      for (let i = 0; i < 100 && !(await answers()); i++) await new Promise((resolve) => setTimeout(resolve, 50))
    },
    async stop() {
      const gone = new Promise((resolve) => child?.once('exit', resolve))
      child?.kill('SIGTERM')
      await gone
    },
  }
  await broker.start()
  return broker
}
