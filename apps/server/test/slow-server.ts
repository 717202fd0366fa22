import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** Behaviour of the server: sends a byte now and then, sends nothing, or closes the connection. */
export type Manner = 'dripping' | 'silent' | 'refusing'

export interface SlowServer {
  port: number
  url: string
  /** Number of open connections. */
  readonly hanging: number
  /** Number of connections so far. */
  readonly called: number
  /** Closes the open connections, as a restarted server does. */
  letGo(): void
  stop(): Promise<void>
}

const dripMs = 300

/** Starts a slow server on a real socket; `head` is what a `dripping` server sends first. */
export async function startSlowServer(
  manner: Manner,
  head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n',
): Promise<SlowServer> {
  const open = new Set<Socket>()
  let called = 0
  const server: Server = createServer((socket) => {
    called++
    socket.on('error', () => undefined)
    if (manner === 'refusing') return void socket.destroy()
    open.add(socket)
    let drip: NodeJS.Timeout | undefined
    socket.on('close', () => {
      open.delete(socket)
      clearInterval(drip)
    })
    socket.resume()
    if (manner === 'silent') return
    socket.write(head)
    drip = setInterval(() => socket.write(' '), dripMs)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const letGo = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    get hanging() {
      return open.size
    },
    get called() {
      return called
    },
    letGo,
    async stop() {
      letGo()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export interface SlowCall {
  /** The response, or an empty text when the connection ends without one. */
  answer: Promise<string>
  end(): void
}

/** Sends the head of a request, then its body one byte at a time, every `everyMs` milliseconds; 0: no body. */
export async function callSlowly(port: number, head: readonly string[], body: string, everyMs = 1_000): Promise<SlowCall> {
  const socket = connect(port, '127.0.0.1')
  const parts: Buffer[] = []
  let at = 0
  let drip: NodeJS.Timeout | undefined
  socket.on('error', () => undefined)
  const answer = new Promise<string>((resolve) => {
    const text = () => Buffer.concat(parts).toString('utf8')
    socket.on('data', (part: Buffer) => {
      parts.push(part)
      if (text().endsWith('}')) resolve(text())
    })
    socket.once('close', () => {
      clearInterval(drip)
      resolve(text())
    })
  })
  await new Promise((resolve) => socket.once('connect', resolve))
  socket.write(`${head.join('\r\n')}\r\nhost: 127.0.0.1\r\n\r\n`)
  if (everyMs > 0) drip = setInterval(() => socket.writable && socket.write(body[at++ % body.length] ?? ' '), everyMs)
  return { answer, end: () => socket.destroy() }
}
