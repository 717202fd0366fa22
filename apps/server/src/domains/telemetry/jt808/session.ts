import { namedParameters } from '@zhugong/contract/telemetry/terminal-parameters'
import type { Log } from '#kit/log'
import type { Fleet, FleetDevice, Strangers } from '../../equipment/public.ts'
import type { EventItem, Reading, RecordItem } from '../../readings/public.ts'
import type { Counters } from '../counters.ts'
import { type FrameLog, resultOf } from '../frame-log.ts'
import { type Guesses, toldAfter, triesOfConnection, waitHint } from '../guesses.ts'
import type { Origins } from '../origins.ts'
import type { Pipeline } from '../pipeline.ts'
import type { Presence } from '../presence.ts'
import type { StoredFiles } from '../stored-files.ts'
import type { Warnings } from '../warnings.ts'
import type { Work } from '../work.ts'
import { Assembler } from './assembler.ts'
import {
  generalAnswer,
  ids,
  mediaAnswer,
  readAuthentication,
  readBatch,
  readGeneralAnswer,
  readLocation,
  readMedia,
  readMediaEvent,
  readParameters,
  readRegistration,
  readVideoList,
  registerAnswer,
  resendRequest,
  results,
} from './bodies.ts'
import type { Downlink } from './downlink.ts'
import { buildFrame, buildMessage, type Jt808Frame } from './frame.ts'
import { registerResults } from './identity.ts'
import { type Answered, Requests } from './requests.ts'
import { hasSecret, withoutSecrets } from './secrecy.ts'
import type { TerminalBook, TerminalState } from './terminal-book.ts'
import type { Terminals } from './terminals.ts'
import { alarmEdges, toReading } from './values.ts'

export interface SessionDependencies {
  fleet: Fleet
  strangers: Strangers
  terminals: Terminals
  pipeline: Pick<Pipeline, 'submit' | 'isFlowing'>
  presence: Pick<Presence, 'leave'>
  counters: Counters
  frames: FrameLog
  guesses: Guesses
  origins: Origins
  warnings: Warnings
  files: StoredFiles
  log: Log
  now(): number
}

/** The way to a terminal: a TCP connection, or an address of UDP. */
export interface Transport {
  readonly address: string
  send(bytes: Buffer): void
  close(): void
  /** Called when the terminal has shown who it is. */
  proven(): void
}

export const silentMs = 180_000

/** Answers of terminals are answered by nobody. */
const answersOfTerminals: ReadonlySet<number> = new Set([ids.terminalAnswer, ids.parameters, ids.attributes])
const supported: ReadonlySet<number> = new Set([
  ids.heartbeat,
  ids.signOff,
  ids.location,
  ids.locationAsked,
  ids.batch,
  ids.mediaEvent,
  ids.media,
  ids.videoList,
])
const beforeAuthentication: ReadonlySet<number> = new Set([ids.register, ids.authenticate, ids.heartbeat, ids.signOff, ids.terminalAnswer])
/** Longest body of those: a registration of 2019 has some hundred bytes, an authentication at most 291. */
const maxUnprovenBody = 512

/** What the frame log is told of a frame beside the frame itself. */
interface Noted {
  result: string
  answer?: string
  decoded?: Record<string, unknown> | undefined
  receivedAt?: number | undefined
  hint?: string | undefined
  /** A secret stands in the body. */
  hides?: boolean
  /** Where the connection is not, or not yet, the device's. */
  device?: FleetDevice | undefined
}

/** One terminal on one connection: registration, authentication, then its messages. Frames are taken one after the other. */
export class Jt808Session {
  private readonly deps: SessionDependencies
  private readonly book: TerminalBook
  readonly transport: Transport
  private readonly assembler: Assembler
  private readonly requests = new Requests()
  private device: FleetDevice | undefined
  private state: TerminalState | undefined
  private phone = ''
  private is2019 = false
  private protocolVersion = 0
  private serial = 0
  private wrongCodes = 0
  /** Who was given a code here: its answer may have been lost, and it asks again. */
  private registered: string | undefined
  heardAt: number
  closed = false

  constructor(deps: SessionDependencies, book: TerminalBook, transport: Transport) {
    this.deps = deps
    this.book = book
    this.transport = transport
    this.assembler = new Assembler(book.room)
    this.heardAt = deps.now()
  }

  get deviceId(): string | undefined {
    return this.device?.id
  }

  /** `settled` is called when the frame needs no more memory: after its commit, or at once. */
  async take(frame: Jt808Frame, settled: () => void): Promise<void> {
    const { now } = this.deps
    let waits = false
    try {
      if (this.closed) return
      this.heardAt = now()
      this.is2019 = frame.is2019
      this.protocolVersion = frame.protocolVersion
      if (frame.encryption !== 0) return this.answer(frame, results.unsupported, 'encrypted')
      const isOwn = this.device !== undefined && frame.phone === this.phone
      if (!isOwn && (!beforeAuthentication.has(frame.id) || frame.part || frame.body.length > maxUnprovenBody)) {
        this.answer(frame, results.failed, 'notAuthenticated')
        // Whoever has shown nothing costs nothing more. Beside a terminal that has, the frame alone is refused.
        if (!this.device) this.close()
        return
      }
      // Removed, or out of service, since it came.
      const current = this.device && this.deps.fleet.device(this.device.id)
      if (isOwn && !current?.inService) {
        this.answer(frame, results.failed, 'notInService')
        return this.close()
      }
      if (isOwn && current) this.device = current
      const gathered = this.assembler.take(frame, now())
      if (gathered === 'refused') return this.answer(frame, results.wrong, 'tooLarge')
      if (gathered === 'more' || gathered === 'repeated') return this.answer(frame, results.ok, gathered === 'more' ? 'part' : 'duplicate')
      waits = await this.message(gathered.whole, frame, settled)
    } finally {
      if (!waits) settled()
    }
  }

  /** Whether the message waits for its commit, after which it calls `settled` itself. */
  private async message(message: Jt808Frame, frame: Jt808Frame, settled: () => void): Promise<boolean> {
    switch (message.id) {
      case ids.register:
        await this.register(message)
        return false
      case ids.authenticate:
        return this.authenticate(message, settled)
      case ids.heartbeat:
        if (!this.device || frame.phone !== this.phone) {
          this.answer(frame, results.ok, 'accepted')
          return false
        }
        this.submit(frame, {}, settled, results.ok)
        return true
      case ids.signOff:
        this.answer(frame, results.ok, 'accepted')
        if (this.device) {
          this.deps.presence.leave(this.device.id)
          this.release()
        }
        return false
      case ids.terminalAnswer: {
        const answer = readGeneralAnswer(message.body)
        if (answer) this.requests.answered(answer.serial, answer.id, answer.result)
        this.note(frame, { result: answer ? 'accepted' : 'format', decoded: answer && { ...answer } })
        return false
      }
      case ids.parameters: {
        const answer = readParameters(message.body)
        const values = answer && withoutSecrets(answer.values)
        if (answer) this.requests.answeredBy(ids.parameters, answer.serial, { params: values, named: namedParameters(values ?? {}) })
        this.note(frame, {
          result: answer ? 'accepted' : 'format',
          decoded: answer && { serial: answer.serial, values },
          hides: hasSecret(answer?.values ?? {}),
        })
        return false
      }
      case ids.attributes:
        this.requests.answeredBy(ids.attributes, undefined, { body: message.body.toString('hex') })
        this.note(frame, { result: 'accepted' })
        return false
    }
    if (!supported.has(message.id)) {
      this.deps.counters.refused(`jt808-${message.id.toString(16).padStart(4, '0')}`)
      this.answer(frame, results.unsupported, 'unsupported')
      return false
    }
    return this.data(message, frame, settled)
  }

  private async data(message: Jt808Frame, frame: Jt808Frame, settled: () => void): Promise<boolean> {
    const { counters, now } = this.deps
    const receivedAt = now()
    const wrong = (reason: string): false => {
      counters.badFrame('jt808', reason)
      this.answer(frame, results.wrong, reason)
      return false
    }
    switch (message.id) {
      case ids.location:
      case ids.locationAsked: {
        const isAsked = message.id === ids.locationAsked
        if (isAsked && message.body.length < 2) return wrong('format')
        const read = await this.readings([isAsked ? message.body.subarray(2) : message.body], receivedAt)
        if (read.refused) return wrong(read.refused)
        if (isAsked) this.requests.answeredBy(ids.locationAsked, message.body.readUInt16BE(0), { ...read.readings[0]?.values })
        this.submit(frame, read, settled, results.ok)
        return true
      }
      case ids.batch: {
        const batch = readBatch(message.body)
        if (!batch) return wrong('format')
        const read = await this.readings(batch.locations, receivedAt)
        // One bad position does not refuse the others; all bad is a bad message.
        if (read.readings.length === 0 && read.refused) return wrong(read.refused)
        this.submit(frame, read, settled, results.ok)
        return true
      }
      case ids.mediaEvent: {
        const event = readMediaEvent(message.body)
        if (!event) return wrong('format')
        this.submit(
          frame,
          {
            events: [
              {
                type: 'mediaEvent',
                state: 'start',
                value: null,
                time: receivedAt,
                receivedAt,
                id: `media:${event.mediaId}`,
                data: { ...event },
              },
            ],
          },
          settled,
          results.ok,
        )
        return true
      }
      case ids.media: {
        const media = readMedia(message.body)
        if (!media) return wrong('format')
        return this.media(media, frame, receivedAt, settled)
      }
      case ids.videoList: {
        const list = readVideoList(message.body)
        if (!list) return wrong('format')
        this.requests.answeredBy(ids.videoList, list.serial, { list: list.entries })
        const records = list.entries.map(
          (entry): RecordItem => ({
            record: 'videoClip',
            time: entry.startTime,
            receivedAt,
            seq: 0,
            id: `videoClip:${entry.channel}:${entry.stream}:${entry.endTime}`,
            data: { ...entry },
          }),
        )
        this.submit(frame, { records }, settled, results.ok)
        return true
      }
      default:
        return wrong('format')
    }
  }

  /** Positions in the order of their times, with what their alarm bits began and ended. */
  private async readings(bodies: readonly Buffer[], receivedAt: number) {
    const device = this.device as FleetDevice
    this.state ??= await this.book.stateOf(device, this.deps.terminals)
    const { state } = this
    const readings: Reading[] = []
    const events: EventItem[] = []
    let refused: string | undefined
    const read = bodies.flatMap((body) => {
      const location = readLocation(body)
      if (!location) refused = 'format'
      return location ? [{ location, body }] : []
    })
    read.sort((a, b) => (a.location.time ?? 0) - (b.location.time ?? 0))
    for (const { location, body } of read) {
      const reading = toReading(device.family, location, body, receivedAt, state.point)
      if (typeof reading === 'string') {
        refused = reading
        continue
      }
      readings.push(reading)
      // What comes late or again tells nothing about now.
      if (reading.time < state.alarmTime || reading.flag === 2) continue
      events.push(...alarmEdges(state.alarm, location.alarm, reading.time, receivedAt))
      state.alarm = location.alarm
      state.alarmTime = reading.time
      if (location.positioned) state.point = { longitude: location.longitude, latitude: location.latitude }
    }
    if (refused) this.deps.counters.rejected('jt808', bodies.length - readings.length)
    return { readings, events, refused }
  }

  private async media(media: NonNullable<ReturnType<typeof readMedia>>, frame: Jt808Frame, receivedAt: number, settled: () => void) {
    const device = this.device as FleetDevice
    const { data, location, ...event } = media
    // The file first, its record after: what is answered stands in both.
    const file = await this.deps.files.store(device.projectCode, `${device.name}-${event.mediaId}`, data, `终端 ${this.phone}`)
    const record: RecordItem = {
      record: 'media',
      time: location?.time ?? receivedAt,
      receivedAt,
      seq: 0,
      id: `media:${event.mediaId}:${file.sha256.slice(0, 16)}`,
      data: {
        ...event,
        bytes: data.length,
        sha256: file.sha256,
        ...(file.id ? { fileId: file.id } : {}),
        ...(location?.positioned ? { longitude: location.longitude, latitude: location.latitude } : {}),
      },
    }
    this.submit(frame, { records: [record] }, settled, results.ok, () => {
      this.sendMessage(ids.mediaAnswer, mediaAnswer(event.mediaId))
    })
    return true
  }

  /** Into the pipeline; the answer leaves after the commit. */
  private submit(
    frame: Jt808Frame,
    part: Partial<Pick<Work, 'readings' | 'records' | 'events'>>,
    settled: () => void,
    result: number,
    instead?: () => void,
  ): void {
    const device = this.device as FleetDevice
    const receivedAt = this.deps.now()
    const items = (part.readings?.length ?? 0) + (part.records?.length ?? 0)
    if (items) this.deps.counters.received('jt808', items)
    this.deps.pipeline.submit({
      device,
      receivedAt,
      readings: part.readings ?? [],
      records: part.records ?? [],
      events: part.events ?? [],
      done: (error, outcome) => {
        if (error) {
          // Not stored: the terminal is not answered and sends it again. What was thought of its alarms is read anew.
          this.book.forget(device.id)
          this.state = undefined
        } else {
          const decoded = part.readings?.[0]?.values ?? part.records?.[0]?.data
          const kind =
            outcome.duplicated > 0 && outcome.duplicated >= items ? 'duplicate' : resultOf(part.readings?.find((r) => r.flag !== 0))
          // Packages are answered one by one, a picture as a whole.
          if (!instead || frame.part) this.answer(frame, result, items ? kind : 'accepted', { decoded, receivedAt })
          else this.note(frame, { result: kind, answer: '0x8800', decoded, receivedAt })
          instead?.()
        }
        settled()
      },
    })
  }

  private async deviceOf(phone: string): Promise<FleetDevice | undefined> {
    const { fleet } = this.deps
    const known = fleet.byKey('jt808', phone) ?? (await fleet.seekByKey('jt808', phone))
    if (known) return known
    // Entered with the zeros the older header pads with.
    const padded = phone.padStart(12, '0')
    return fleet.byKey('jt808', padded) ?? (await fleet.seekByKey('jt808', padded))
  }

  private async register(message: Jt808Frame): Promise<void> {
    const given = readRegistration(message.body, message.is2019)
    if (!given) {
      this.deps.counters.badFrame('jt808', 'format')
      return this.answer(message, results.wrong, 'format')
    }
    const device = await this.deviceOf(message.phone)
    const reply = (result: number, reason: string, code?: string, hint?: string) => {
      // To whom has asked, who need not be who this connection belongs to.
      this.transport.send(
        buildFrame({
          ...this.outgoing(ids.registerAnswer, registerAnswer(message.serial, result, code)),
          phone: message.phone,
          serial: this.nextSerial(),
        }),
      )
      this.note(message, { result: reason, answer: `0x8100 结果 ${result}`, decoded: { ...given }, hint, device })
    }
    if (!device?.inService) {
      this.noteStranger(message, device, device ? 'notInService' : 'unregistered', given.plate)
      return reply(registerResults.noTerminal, 'unregistered')
    }
    const { terminals, counters, guesses, warnings, now } = this.deps
    const at = now()
    const waitMs = this.waitMs(device, at)
    if (waitMs > 0) {
      counters.refused('tooManyTries')
      return reply(registerResults.noTerminal, 'tooManyTries', undefined, waitHint(waitMs))
    }
    const outcome = await terminals.register(device, message.phone, given, at, this.registered === device.id)
    if ('code' in outcome) {
      this.registered = device.id
      return reply(registerResults.done, 'stored', outcome.code)
    }
    counters.refused(outcome.reason)
    if (outcome.reason === 'otherPlate' || outcome.reason === 'otherTerminal')
      guesses.failed(device.id, this.transport.address, this.isKnownPlace(device), at)
    warnings.note(device, 'registration', this.transport.address, outcome.hint, at)
    return reply(outcome.result, outcome.reason, undefined, outcome.hint)
  }

  private isKnownPlace(device: FleetDevice): boolean {
    return this.deps.origins.isKnown(device.id, this.transport.address)
  }
  /** How long nothing that proves this device is looked at; its own connection does not wait. */
  private waitMs(device: FleetDevice, now: number): number {
    if (this.device?.id === device.id) return 0
    return this.deps.guesses.waitMs(device.id, this.transport.address, this.isKnownPlace(device), now)
  }

  private async authenticate(message: Jt808Frame, settled: () => void): Promise<boolean> {
    const given = readAuthentication(message.body, message.is2019)
    if (!given) {
      this.answer(message, results.wrong, 'format')
      return false
    }
    const device = await this.deviceOf(message.phone)
    const { counters, guesses, origins, warnings, now } = this.deps
    const { address } = this.transport
    const waitMs = device ? this.waitMs(device, now()) : 0
    const fits = device?.inService === true && waitMs === 0 && (await this.deps.terminals.codeFits(device.id, message.phone, given.code))
    if (!device || !fits) {
      const reason = waitMs > 0 ? 'tooManyTries' : 'wrongPassword'
      counters.refused(waitMs > 0 ? reason : 'wrongCode')
      this.noteStranger(message, device, device ? (device.inService ? reason : 'notInService') : 'unregistered')
      this.answer(message, results.failed, reason, { hint: waitMs > 0 ? waitHint(waitMs) : undefined, device })
      if (device?.inService && waitMs === 0) {
        const tries = guesses.failed(device.id, address, this.isKnownPlace(device), now())
        if (tries >= toldAfter) warnings.note(device, 'guessing', address, `鉴权码连续错 ${tries} 次`, now())
      }
      if (++this.wrongCodes >= triesOfConnection) this.close()
      return false
    }
    guesses.forgive(device.id, address)
    origins.note(device.id, address, now())
    if (this.closed) return false
    if (this.device && this.device.id !== device.id) this.release()
    this.phone = message.phone
    this.device = device
    this.state = undefined
    this.registered = undefined
    this.transport.proven()
    const before = this.book.sessions.get(device.id)
    // The same truck on a new connection: the old one goes, the truck never left.
    this.book.sessions.set(device.id, this)
    if (before && before !== this) before.close()
    this.submit(message, {}, settled, results.ok)
    return true
  }

  /** Sends a command and waits for its answer. */
  request(downlink: Downlink, expireAt?: number): Promise<Answered> {
    const serial = this.serial
    const frames = buildMessage({ ...this.outgoing(downlink.id, downlink.body), serial })
    this.serial = (this.serial + frames.length) & 0xffff
    for (const frame of frames) this.transport.send(frame)
    const shown = downlink.hides ? undefined : frames[0]
    if (this.device) this.noteLine('down', downlink.id, shown ?? Buffer.alloc(0), 'sent')
    return this.requests.add({ serial, id: downlink.id, answers: downlink.answers, frames, expireAt }, this.deps.now())
  }
  get speaks2019(): boolean {
    return this.is2019
  }

  /** What time brings: packages to be asked for, requests to be repeated. */
  sweep(now: number): void {
    for (const missing of this.assembler.overdue(now)) {
      const { firstSerial, indexes, is2019 } = missing
      const named = `${indexes.slice(0, 20).join('、')}${indexes.length > 20 ? ' 等' : ''}`
      const message = `消息 0x${missing.id.toString(16).padStart(4, '0')} 共 ${missing.total} 包，缺第 ${named} 包`
      if (missing.givenUp) {
        // Nobody would know otherwise why a picture never came.
        this.deps.counters.badFrame('jt808', 'incomplete')
        this.noteLine(
          'up',
          missing.id,
          Buffer.alloc(0),
          'incomplete',
          `${message}，补传 3 次未到齐，已丢弃：请检查终端的补传（0x8003）与网络`,
        )
        continue
      }
      const body = resendRequest(firstSerial, indexes, is2019)
      this.sendMessage(ids.resend, body)
      this.noteLine('down', ids.resend, body, 'sent', `${message}，已请求补传`)
    }
    for (const frame of this.requests.due(now)) this.transport.send(frame)
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    this.release()
    this.assembler.clear()
    this.transport.close()
  }

  /** No longer authenticated; what waits for answers ends. */
  private release(): void {
    if (this.device && this.book.sessions.get(this.device.id) === this) this.book.sessions.delete(this.device.id)
    this.requests.close()
    this.device = undefined
    this.state = undefined
  }

  private outgoing(id: number, body: Buffer) {
    return { id, body, phone: this.phone, is2019: this.is2019, protocolVersion: this.protocolVersion }
  }
  private sendMessage(id: number, body: Buffer): void {
    this.transport.send(buildFrame({ ...this.outgoing(id, body), serial: this.nextSerial() }))
  }
  private nextSerial(): number {
    const { serial } = this
    this.serial = (serial + 1) & 0xffff
    return serial
  }

  private answer(frame: Jt808Frame, result: number, reason: string, more: Omit<Noted, 'result' | 'answer'> = {}): void {
    if (answersOfTerminals.has(frame.id)) return
    const body = generalAnswer(frame.serial, frame.id, result)
    // To whom has sent it, which before authentication may be anybody.
    this.transport.send(
      buildFrame({
        id: ids.answer,
        body,
        phone: frame.phone,
        is2019: frame.is2019,
        protocolVersion: frame.protocolVersion,
        serial: this.nextSerial(),
      }),
    )
    this.note(frame, { ...more, result: reason, answer: `0x8001 结果 ${result}` })
  }

  private note(frame: Jt808Frame, { result, answer, decoded, receivedAt, hint, device, hides }: Noted): void {
    const { frames, now } = this.deps
    const at = now()
    // A code, or a password among the parameters: the body that carries it is not kept.
    const isSecret = frame.id === ids.authenticate || hides === true
    frames.note({
      time: receivedAt ?? at,
      device: device ?? (frame.phone === this.phone ? this.device : undefined),
      identifier: frame.phone,
      protocol: 'jt808',
      address: this.transport.address,
      direction: 'up',
      kind: `0x${frame.id.toString(16).padStart(4, '0')}`,
      result,
      length: frame.body.length,
      body: isSecret ? Buffer.alloc(0) : frame.body,
      isText: false,
      decoded,
      answer,
      hint,
      delayMs: receivedAt === undefined ? undefined : at - receivedAt,
    })
  }
  private noteLine(direction: 'up' | 'down', id: number, body: Buffer, result: string, hint?: string): void {
    this.deps.frames.note({
      time: this.deps.now(),
      device: this.device,
      identifier: this.phone,
      protocol: 'jt808',
      address: this.transport.address,
      direction,
      hint,
      kind: `0x${id.toString(16).padStart(4, '0')}`,
      result,
      length: body.length,
      body,
      isText: false,
    })
  }

  private noteStranger(frame: Jt808Frame, device: FleetDevice | undefined, reason: string, plate?: string): void {
    this.deps.counters.refused(reason)
    this.deps.strangers.note(
      {
        identifier: device?.accessKey ?? frame.phone,
        protocol: 'jt808',
        address: this.transport.address,
        reason,
        sample: `0x${frame.id.toString(16).padStart(4, '0')}${plate ? ` ${plate}` : ''}`,
        guess: 'truckMonitor',
      },
      this.deps.now(),
    )
  }
}
