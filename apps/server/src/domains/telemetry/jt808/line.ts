import { buildFrame, buildMessage, type Jt808Frame } from './frame.ts'

/** The way to a terminal: a TCP connection, or an address of UDP. */
export interface Transport {
  readonly address: string
  send(bytes: Buffer): void
  close(): void
  /** Called when the terminal has shown who it is. */
  proven(): void
}

/** What is sent to one terminal: in the dialect it speaks, numbered one after the other. */
export class Line {
  private readonly transport: Transport
  /** Of the terminal that has shown who it is. */
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

  /** A terminal is answered as it speaks. */
  hear({ is2019, protocolVersion }: Jt808Frame): void {
    this.is2019 = is2019
    this.protocolVersion = protocolVersion
  }

  /** To whom this connection belongs. */
  send(id: number, body: Buffer): void {
    this.transport.send(buildFrame({ ...this.outgoing(id, body), serial: this.nextSerial() }))
  }

  /** To whom has sent the frame, which before authentication may be anybody. */
  reply({ phone, is2019, protocolVersion }: Jt808Frame, id: number, body: Buffer): void {
    this.transport.send(buildFrame({ id, body, phone, is2019, protocolVersion, serial: this.nextSerial() }))
  }

  /** A message in as many frames as it takes, which the answer names by the serial of the first. */
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
