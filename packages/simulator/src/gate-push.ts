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
  /** What the gate appends to its address. */
  below?: string
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

const seconds = (at: number): number => Math.floor(at / 1000)
const wallClock = (at: number): string => local(at).slice(0, 19).replace('T', ' ')
const inward = '01'
const recordNumber = (event: { recordId: string }): number => Number.parseInt(event.recordId.slice(0, 8), 16)
const jsonBody = (content: unknown, below?: string): PushBody => ({
  contentType: 'application/json',
  body: Buffer.from(JSON.stringify(content)),
  below,
})

/** AccessControl event: Method 15 face, Status 1 opened. */
const dahuaBody = (event: GateEvent | StrangerEvent, picture: Buffer): PushBody =>
  jsonBody({
    Code: 'AccessControl',
    Action: 'Pulse',
    Index: 0,
    Data: {
      UserID: isKnown(event) ? event.workerId : '',
      CardName: isKnown(event) ? event.name : '',
      Method: 15,
      Status: event.pass === '1' ? 1 : 0,
      Type: event.direction === inward ? 'Entry' : 'Exit',
      UTC: seconds(event.time),
      BlockId: recordNumber(event),
      ImageInfo: { PhotoData: picture.toString('base64') },
    },
  })

/** PersonVerification: MatchStatus 1 verified, 2 refused. */
const univiewBody = (event: GateEvent | StrangerEvent, picture: Buffer): PushBody =>
  jsonBody(
    {
      Reference: '',
      Seq: recordNumber(event),
      DeviceCode: event.deviceSn,
      Timestamp: seconds(event.time),
      NotificationType: 0,
      FaceInfoNum: 1,
      FaceInfoList: [
        {
          ID: 1,
          Timestamp: seconds(event.time),
          Temperature: 0,
          FaceImage: { Name: 'face.png', Size: picture.length, Data: picture.toString('base64') },
        },
      ],
      CardInfoNum: 0,
      CardInfoList: [],
      LibMatInfoNum: 1,
      LibMatInfoList: [
        {
          ID: 1,
          LibID: 3,
          LibType: isKnown(event) ? 3 : 2,
          MatchStatus: event.pass === '1' ? 1 : 2,
          MatchPersonID: 0,
          MatchPersonInfo: { PersonCode: isKnown(event) ? event.workerId : '', PersonName: isKnown(event) ? event.name : '', CardID: '' },
        },
      ],
    },
    '/LAPI/V1.0/System/Event/Notification/PersonVerification',
  )

/** VerifyPush for a compared face, SnapPush for a stranger. */
const operatorBody = (event: GateEvent | StrangerEvent, picture: Buffer): PushBody =>
  jsonBody({
    operator: isKnown(event) ? 'VerifyPush' : 'SnapPush',
    info: {
      DeviceID: event.deviceSn,
      ...(isKnown(event) ? { CustomizeID: event.workerId, Name: event.name, VerifyStatus: event.pass === '1' ? 1 : 2, VerfyType: 1 } : {}),
      CreateTime: local(event.time).slice(0, 19),
      nRecordIndex: recordNumber(event),
      direction: event.direction === inward ? 'in' : 'out',
    },
    SanpPic: `data:image/png;base64,${picture.toString('base64')}`,
  })

/** ATTLOG line; strangers are not sent by this kind of terminal. */
const admsBody = (event: GateEvent | StrangerEvent): PushBody => ({
  contentType: 'text/plain',
  body: Buffer.from(isKnown(event) ? `${event.workerId}\t${wallClock(event.time)}\t${event.direction === inward ? 0 : 1}\t15\t0\t0\n` : ''),
  below: `/iclock/cdata?SN=${encodeURIComponent(event.deviceSn)}&table=ATTLOG&Stamp=9999`,
})

/** (c) The platform's own attendance record. */
function genericBody(event: GateEvent | StrangerEvent): PushBody {
  const record = attendanceRecord(event)
  const content = { deviceSn: event.deviceSn, record: 'attendance', items: [{ time: event.time, data: record }] }
  return { contentType: 'application/json', body: Buffer.from(JSON.stringify(content)) }
}

const bodies: Readonly<Record<GateForm, (event: GateEvent | StrangerEvent, picture: Buffer) => PushBody>> = {
  event: eventBody,
  dahua: dahuaBody,
  uniview: univiewBody,
  operator: operatorBody,
  adms: admsBody,
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
      const { contentType, body, below } = pushBody(this.target.form, this.waiting[0], this.target.pictureOf?.(this.waiting[0]))
      this.counts.sent++
      const fine = await fetch(new URL(`/api/v1/open/gate/${this.target.form}/${this.target.key}${below ?? ''}`, this.target.url), {
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
