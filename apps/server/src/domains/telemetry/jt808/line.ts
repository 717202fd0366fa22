import { buildFrame, buildMessage, type Jt808Frame } from './frame.ts'

/** Connection to a terminal: TCP, or a UDP address. */
export interface Transport {
  readonly address: string
  send(bytes: Buffer): void
  close(): void
  /** Called after the terminal authenticated. */
  proven(): void
}

/** Sends messages to one terminal, with its edition of the protocol and consecutive serial numbers. */
export class Line {
  private readonly transport: Transport
  /** Phone of the authenticated terminal. */
  phone = ''
  is2019 = false
  private protocolVersion = 0
  private serial = 0

  constructor(transport: Transport) {
    this.transport = transport
  }

  get address(): string {
    return this.transport.address
  }

  /** Replies use the edition of the terminal's last frame. */
  hear({ is2019, protocolVersion }: Jt808Frame): void {
    this.is2019 = is2019
    this.protocolVersion = protocolVersion
  }

  /** Sends a message to the terminal of this connection. */
  send(id: number, body: Buffer): void {
    this.transport.send(buildFrame({ ...this.outgoing(id, body), serial: this.nextSerial() }))
  }

  /** Replies to the sender of a frame, which before authentication may be any phone. */
  reply({ phone, is2019, protocolVersion }: Jt808Frame, id: number, body: Buffer): void {
    this.transport.send(buildFrame({ id, body, phone, is2019, protocolVersion, serial: this.nextSerial() }))
  }

  /** Sends a message in as many frames as needed. The terminal's response names the serial number of the first. */
  sendParts(id: number, body: Buffer): { serial: number; frames: Buffer[] } {
    const { serial } = this
    const frames = buildMessage({ ...this.outgoing(id, body), serial })
    this.serial = (serial + frames.length) & 0xffff
    for (const frame of frames) this.transport.send(frame)
    return { serial, frames }
  }

  repeat(frame: Buffer): void {
    this.transport.send(frame)
  }

  proven(): void {
    this.transport.proven()
  }
  close(): void {
    this.transport.close()
  }

  private outgoing(id: number, body: Buffer) {
    return { id, body, phone: this.phone, is2019: this.is2019, protocolVersion: this.protocolVersion }
  }
  private nextSerial(): number {
    const { serial } = this
    this.serial = (serial + 1) & 0xffff
    return serial
  }
}
