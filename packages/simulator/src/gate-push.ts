import { randomBytes } from 'node:crypto'
import type { GateForm } from './city-types.ts'
import { portrait } from './portrait.ts'
import { attendanceRecord, type GateEvent, type StrangerEvent } from './shifts.ts'

export interface GatePushTarget {
  url: string
  form: GateForm
  key: string
  deviceSn: string
  /** Draws the camera picture of a passage; default: an arbitrary face. */
  pictureOf?: (event: GateEvent | StrangerEvent) => Buffer
}

export interface PushBody {
  contentType: string
  body: Buffer
}

const offsetMs = 8 * 3_600_000
const local = (at: number): string => `${new Date(at + offsetMs).toISOString().slice(0, 19)}+08:00`
const isKnown = (event: GateEvent | StrangerEvent): event is GateEvent => 'workerId' in event

/** An arbitrary face, the same for the same record. */
export const somebody = (event: { recordId: string }): Buffer =>
  portrait({ personId: event.recordId, gender: '1', age: 40, manager: false, onSite: true })

/** (a) Access controller event with its picture as second part: major 5, minor 75 passed, 76 refused. */
function eventBody(event: GateEvent | StrangerEvent, picture: Buffer): PushBody {
  const boundary = `----gate${randomBytes(8).toString('hex')}`
  const passed = event.pass === '1'
  const content = {
    ipAddress: '192.168.1.64',
    portNo: 80,
    protocol: 'HTTP',
    macAddress: '44:a6:42:00:00:01',
    channelID: 1,
    dateTime: local(event.time),
    activePostCount: 1,
    eventType: 'AccessControllerEvent',
    eventState: 'active',
    eventDescription: 'Access Controller Event',
    AccessControllerEvent: {
      deviceName: event.deviceSn,
      majorEventType: 5,
      subEventType: passed ? 75 : 76,
      name: isKnown(event) ? event.name : '',
      employeeNoString: isKnown(event) ? event.workerId : '',
      cardReaderNo: 1,
      doorNo: 1,
      serialNo: Number.parseInt(event.recordId.slice(0, 12), 16),
      currentVerifyMode: 'face',
      attendanceStatus: event.direction === '01' ? 'checkIn' : 'checkOut',
      mask: 'no',
      picturesNumber: 1,
    },
  }
  const part = (headers: string) => Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`)
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([
      part('Content-Disposition: form-data; name="event_log"\r\nContent-Type: application/json'),
      Buffer.from(JSON.stringify(content)),
      Buffer.from('\r\n'),
      part('Content-Disposition: form-data; name="Picture"; filename="Picture.png"\r\nContent-Type: image/png'),
      picture,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  }
}

/** (b) Form callback; STRANGERBABY means an unknown person. */
function callbackBody(event: GateEvent | StrangerEvent, picture: Buffer): PushBody {
  const form = new URLSearchParams({
    deviceKey: event.deviceSn,
    personId: isKnown(event) ? event.workerId : 'STRANGERBABY',
    time: String(event.time),
    type: !isKnown(event) ? 'face_2' : event.pass === '1' ? 'face_0' : 'face_1',
    recordId: event.recordId,
    direction: event.direction === '01' ? '0' : '1',
    imgBase64: picture.toString('base64'),
  })
  return { contentType: 'application/x-www-form-urlencoded', body: Buffer.from(form.toString()) }
}

/** (c) The platform's own attendance record. */
function genericBody(event: GateEvent | StrangerEvent): PushBody {
  const record = attendanceRecord(event)
  const content = { deviceSn: event.deviceSn, record: 'attendance', items: [{ time: event.time, data: record }] }
  return { contentType: 'application/json', body: Buffer.from(JSON.stringify(content)) }
}

const bodies: Readonly<Record<GateForm, (event: GateEvent | StrangerEvent, picture: Buffer) => PushBody>> = {
  event: eventBody,
  callback: callbackBody,
  generic: genericBody,
}
export const pushBody = (form: GateForm, event: GateEvent | StrangerEvent, picture = somebody(event)): PushBody =>
  bodies[form](event, picture)

const retryMs = 5_000
const keep = 50_000

/** A gate that pushes over HTTP: one record at a time, kept until the platform has accepted it. */
export class GatePusher {
  readonly counts = { sent: 0, accepted: 0, repeated: 0 }
  private readonly target: GatePushTarget
  private readonly waiting: (GateEvent | StrangerEvent)[] = []
  private busy = false
  private closed = false
  private timer: NodeJS.Timeout | undefined

  constructor(target: GatePushTarget) {
    this.target = target
  }

  push(event: GateEvent | StrangerEvent): void {
    this.waiting.push(event)
    if (this.waiting.length > keep) this.waiting.shift()
    void this.drain()
  }

  get pending(): number {
    return this.waiting.length
  }

  private async drain(): Promise<void> {
    if (this.busy || this.closed) return
    this.busy = true
    while (this.waiting[0] && !this.closed) {
      const { contentType, body } = pushBody(this.target.form, this.waiting[0], this.target.pictureOf?.(this.waiting[0]))
      this.counts.sent++
      const fine = await fetch(new URL(`/api/v1/open/gate/${this.target.form}/${this.target.key}`, this.target.url), {
        method: 'POST',
        headers: { 'content-type': contentType },
        body: new Uint8Array(body),
        signal: AbortSignal.timeout(10_000),
      }).then(
        (response) => response.ok,
        () => false,
      )
      if (fine) {
        this.waiting.shift()
        this.counts.accepted++
        continue
      }
      this.counts.repeated++
      this.timer = setTimeout(() => void this.drain(), retryMs)
      break
    }
    this.busy = false
  }

  stop(): void {
    this.closed = true
    clearTimeout(this.timer)
  }
}
