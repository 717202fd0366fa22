import { namedParameters } from '@zhugong/contract/telemetry/terminal-parameters'
import type { Log } from '#kit/log'
import type { Fleet, FleetDevice, Strangers } from '../../equipment/public.ts'
import type { Counters } from '../counters.ts'
import { type FrameLog, resultOf } from '../frame-log.ts'
import type { Guesses } from '../guesses.ts'
import type { Origins } from '../origins.ts'
import type { Pipeline } from '../pipeline.ts'
import type { Presence } from '../presence.ts'
import type { StoredFiles } from '../stored-files.ts'
import type { Warnings } from '../warnings.ts'
import type { Work } from '../work.ts'
import { Admission } from './admission.ts'
import { Assembler } from './assembler.ts'
import {
  generalAnswer,
  ids,
  mediaAnswer,
  readBatch,
  readGeneralAnswer,
  readMedia,
  readMediaEvent,
  readParameters,
  readVideoList,
  resendRequest,
  results,
} from './bodies.ts'
import type { Downlink } from './downlink.ts'
import type { Jt808Frame } from './frame.ts'
import { FrameNotes, type Noted } from './frame-notes.ts'
import { announcedBy, clipsIn, mediaRecord, positionsIn } from './items.ts'
import { Line, type Transport } from './line.ts'
import { type Answered, Requests } from './requests.ts'
import { hasSecret, withoutSecrets } from './secrecy.ts'
import type { TerminalBook } from './terminal-book.ts'
import type { TerminalState } from './terminal-state.ts'
import type { Terminals } from './terminals.ts'

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

export const silentMs = 180_000

/** Terminal responses get no reply. */
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
/** Longest body of these messages: a registration of 2019 has some hundred bytes, an authentication at most 291. */
const maxUnprovenBody = 512

/** One terminal on one connection: registration, authentication, then its messages. The caller passes frames one after the other. */
export class Jt808Session {
  private readonly deps: SessionDependencies
  private readonly book: TerminalBook<Jt808Session>
  private readonly assembler: Assembler
  private readonly requests = new Requests()
  private device: FleetDevice | undefined
  private state: TerminalState | undefined
  private readonly line: Line
  private readonly notes: FrameNotes
  private readonly admission: Admission
  heardAt: number
  closed = false

  constructor(deps: SessionDependencies, book: TerminalBook<Jt808Session>, transport: Transport) {
    this.deps = deps
    this.book = book
    const owner = () => this.device
    this.line = new Line(transport)
    this.notes = new FrameNotes(deps, this.line, owner)
    this.admission = new Admission(deps, this.line, this.notes, owner)
    this.assembler = new Assembler(book.room)
    this.heardAt = deps.now()
  }

  get deviceId(): string | undefined {
    return this.device?.id
  }

  /** Processes a frame. `settled` is called when the frame needs no more memory: after its commit, or at once. */
  async take(frame: Jt808Frame, settled: () => void): Promise<void> {
    const { now } = this.deps
    let waits = false
    try {
      if (this.closed) return
      this.heardAt = now()
      this.line.hear(frame)
      if (frame.encryption !== 0) return this.answer(frame, results.unsupported, 'encrypted')
      const isOwn = this.device !== undefined && frame.phone === this.line.phone
      if (!isOwn && (!beforeAuthentication.has(frame.id) || frame.part || frame.body.length > maxUnprovenBody)) {
        this.answer(frame, results.failed, 'notAuthenticated')
        // An unauthenticated connection is closed. On an authenticated connection only this frame is refused.
        if (!this.device) this.close()
        return
      }
      // The device may have been removed or taken out of service since it connected.
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

  /** Returns whether the message waits for its commit; the pipeline then calls `settled`. */
  private async message(message: Jt808Frame, frame: Jt808Frame, settled: () => void): Promise<boolean> {
    switch (message.id) {
      case ids.register:
        await this.admission.register(message)
        return false
      case ids.authenticate:
        return this.authenticate(message, settled)
      case ids.heartbeat:
        if (!this.device || frame.phone !== this.line.phone) {
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
        this.notes.up(frame, { result: answer ? 'accepted' : 'format', decoded: answer && { ...answer } })
        return false
      }
      case ids.parameters: {
        const answer = readParameters(message.body)
        const values = answer && withoutSecrets(answer.values)
        if (answer) this.requests.answeredBy(ids.parameters, answer.serial, { params: values, named: namedParameters(values ?? {}) })
        this.notes.up(frame, {
          result: answer ? 'accepted' : 'format',
          decoded: answer && { serial: answer.serial, values },
          hides: hasSecret(answer?.values ?? {}),
        })
        return false
      }
      case ids.attributes:
        this.requests.answeredBy(ids.attributes, undefined, { body: message.body.toString('hex') })
        this.notes.up(frame, { result: 'accepted' })
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
        const isRequested = message.id === ids.locationAsked
        if (isRequested && message.body.length < 2) return wrong('format')
        const read = await this.positions([isRequested ? message.body.subarray(2) : message.body], receivedAt)
        if (read.refused) return wrong(read.refused)
        if (isRequested) this.requests.answeredBy(ids.locationAsked, message.body.readUInt16BE(0), { ...read.readings[0]?.values })
        this.submit(frame, read, settled, results.ok)
        return true
      }
      case ids.batch: {
        const batch = readBatch(message.body)
        if (!batch) return wrong('format')
        const read = await this.positions(batch.locations, receivedAt)
        // One invalid location does not reject the others; the message is refused only if all are invalid.
        if (read.readings.length === 0 && read.refused) return wrong(read.refused)
        this.submit(frame, read, settled, results.ok)
        return true
      }
      case ids.mediaEvent: {
        const event = readMediaEvent(message.body)
        if (!event) return wrong('format')
        this.submit(frame, { events: [announcedBy(event, receivedAt)] }, settled, results.ok)
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
        this.submit(frame, { records: clipsIn(list, receivedAt) }, settled, results.ok)
        return true
      }
      default:
        return wrong('format')
    }
  }

  private async positions(bodies: readonly Buffer[], receivedAt: number) {
    const device = this.device as FleetDevice
    this.state ??= await this.book.stateOf(device, this.deps.terminals)
    const read = positionsIn(device, bodies, receivedAt, this.state)
    if (read.refused) this.deps.counters.rejected('jt808', bodies.length - read.readings.length)
    return read
  }

  private async media(media: NonNullable<ReturnType<typeof readMedia>>, frame: Jt808Frame, receivedAt: number, settled: () => void) {
    const device = this.device as FleetDevice
    // The file is stored before its record, so that both exist when the reply is sent.
    const file = await this.deps.files.store(device.projectCode, `${device.name}-${media.mediaId}`, media.data, `终端 ${this.line.phone}`)
    const record = mediaRecord(media, file, receivedAt)
    this.submit(frame, { records: [record] }, settled, results.ok, () => {
      this.line.send(ids.mediaAnswer, mediaAnswer(media.mediaId))
    })
    return true
  }

  /** Submits the content to the pipeline; the reply is sent after the commit. */
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
          // Not stored: without a reply the terminal sends it again. The cached alarm state is loaded again.
          this.book.forget(device.id)
          this.state = undefined
        } else {
          const decoded = part.readings?.[0]?.values ?? part.records?.[0]?.data
          const kind =
            outcome.duplicated > 0 && outcome.duplicated >= items ? 'duplicate' : resultOf(part.readings?.find((r) => r.flag !== 0))
          // Each package gets a reply; a complete picture gets its own reply (0x8800).
          if (!instead || frame.part) this.answer(frame, result, items ? kind : 'accepted', { decoded, receivedAt })
          else this.notes.up(frame, { result: kind, answer: '0x8800', decoded, receivedAt })
          instead?.()
        }
        settled()
      },
    })
  }

  private async authenticate(message: Jt808Frame, settled: () => void): Promise<boolean> {
    const device = await this.admission.authenticate(message)
    if (!device) {
      if (this.admission.isSpent) this.close()
      return false
    }
    if (this.closed) return false
    if (this.device && this.device.id !== device.id) this.release()
    this.line.phone = message.phone
    this.device = device
    this.state = undefined
    this.line.proven()
    const before = this.book.sessions.get(device.id)
    // The same terminal on a new connection: the old one is closed, and the terminal stays online.
    this.book.sessions.set(device.id, this)
    if (before && before !== this) before.close()
    this.submit(message, {}, settled, results.ok)
    return true
  }

  /** Sends a command and waits for its response. */
  request(downlink: Downlink, expireAt?: number): Promise<Answered> {
    const { serial, frames } = this.line.sendParts(downlink.id, downlink.body)
    const shown = downlink.hides ? undefined : frames[0]
    if (this.device) this.notes.message('down', downlink.id, shown ?? Buffer.alloc(0), 'sent')
    return this.requests.add({ serial, id: downlink.id, answers: downlink.answers, frames, expireAt }, this.deps.now())
  }
  get speaks2019(): boolean {
    return this.line.is2019
  }

  /** Periodic work: requests missing packages and retransmits requests. */
  sweep(now: number): void {
    for (const missing of this.assembler.overdue(now)) {
      const { firstSerial, indexes, is2019 } = missing
      const named = `${indexes.slice(0, 20).join('、')}${indexes.length > 20 ? ' 等' : ''}`
      const message = `消息 0x${missing.id.toString(16).padStart(4, '0')} 共 ${missing.total} 包，缺第 ${named} 包`
      if (missing.givenUp) {
        // Logged, because otherwise users would not know why a picture never arrived.
        this.deps.counters.badFrame('jt808', 'incomplete')
        this.notes.message(
          'up',
          missing.id,
          Buffer.alloc(0),
          'incomplete',
          `${message}，补传 3 次未到齐，已丢弃：请检查终端的补传（0x8003）与网络`,
        )
        continue
      }
      const body = resendRequest(firstSerial, indexes, is2019)
      this.line.send(ids.resend, body)
      this.notes.message('down', ids.resend, body, 'sent', `${message}，已请求补传`)
    }
    for (const frame of this.requests.due(now)) this.line.repeat(frame)
  }

  close(): void {
    if (this.closed) return
    this.closed = true
    this.release()
    this.assembler.clear()
    this.line.close()
  }

  /** Ends the authenticated session and its pending requests. */
  private release(): void {
    if (this.device && this.book.sessions.get(this.device.id) === this) this.book.sessions.delete(this.device.id)
    this.requests.close()
    this.device = undefined
    this.state = undefined
  }

  private answer(frame: Jt808Frame, result: number, reason: string, more: Omit<Noted, 'result' | 'answer'> = {}): void {
    if (answersOfTerminals.has(frame.id)) return
    const body = generalAnswer(frame.serial, frame.id, result)
    this.line.reply(frame, ids.answer, body)
    this.notes.up(frame, { ...more, result: reason, answer: `0x8001 结果 ${result}` })
  }
}
