import { createServer, type Server, type Socket } from 'node:net'
import type { Faults } from './faults.ts'
import { type MeterProtocol, type MeterSlave, steps } from './meter-wire.ts'

export interface MeterGatewayOptions {
  protocol: MeterProtocol
  host?: string
  port: number
  slaves: readonly MeterSlave[]
  /** Response time of a meter. */
  thinkMs?: number
  faults?: Faults
  log?: (line: string) => void
}

const mostKept = 4096

/** A gateway in front of meters: the platform connects and polls, the gateway passes questions and answers on. */
export class MeterGateway {
  readonly counts = { connections: 0, asked: 0, answered: 0 }
  private readonly options: MeterGatewayOptions
  private readonly sockets = new Set<Socket>()
  private server: Server | undefined

  constructor(options: MeterGatewayOptions) {
    this.options = options
  }

  /** Resolves when it listens; a port already in use is reported and skipped. */
  async start(): Promise<number> {
    const server = createServer((socket) => this.serve(socket))
    this.server = server
    return new Promise((resolve) => {
      server.once('error', (error) => {
        this.options.log?.(`simulator: meter gateway on port ${this.options.port}: ${error.message}`)
        resolve(0)
      })
      server.listen(this.options.port, this.options.host ?? '127.0.0.1', () => {
        const address = server.address()
        resolve(typeof address === 'object' && address ? address.port : 0)
      })
    })
  }

  private serve(socket: Socket): void {
    this.counts.connections++
    this.sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('close', () => this.sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    let buffer: Buffer = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      buffer = Buffer.concat([buffer, Buffer.from(chunk)])
      for (;;) {
        const { taken, answer } = steps[this.options.protocol](buffer, this.options.slaves)
        buffer = buffer.subarray(taken)
        if (answer) {
          this.counts.asked++
          this.answer(socket, answer)
        }
        if (taken === 0 || buffer.length === 0) break
      }
      if (buffer.length > mostKept) buffer = Buffer.alloc(0)
    })
  }

  private answer(socket: Socket, bytes: Buffer): void {
    const { thinkMs = 20, faults } = this.options
    setTimeout(() => {
      if (!socket.writable) return
      this.counts.answered++
      if (faults) faults.write(socket, bytes)
      else socket.write(bytes)
    }, thinkMs)
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    const { server } = this
    if (!server?.listening) return
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
    })
  }
}
