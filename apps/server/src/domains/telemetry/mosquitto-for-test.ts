import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const binary = ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto', '/opt/homebrew/sbin/mosquitto'].find((path) => existsSync(path))

/** Path of the broker program. Installs it if apt-get is available and the process is root. */
function mosquitto(): string {
  if (binary) return binary
  const installed = '/usr/sbin/mosquitto'
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    // Only installed, not started as a service, so that its port stays free.
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

/** Starts a real external broker on its own port; its sessions survive `stop` and `start`. */
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
  // Kills the broker if the test run ends early.
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
