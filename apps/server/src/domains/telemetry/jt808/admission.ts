import type { Fleet, FleetDevice } from '../../equipment/public.ts'
import type { Counters } from '../counters.ts'
import { type Guesses, reportedAfter, triesOfConnection, waitHint } from '../guesses.ts'
import type { Origins } from '../origins.ts'
import type { Warnings } from '../warnings.ts'
import { generalAnswer, ids, readAuthentication, readRegistration, registerAnswer, results } from './bodies.ts'
import type { Jt808Frame } from './frame.ts'
import type { FrameNotes } from './frame-notes.ts'
import { registerResults } from './identity.ts'
import type { Line } from './line.ts'
import type { Terminals } from './terminals.ts'

interface AdmissionDependencies {
  fleet: Fleet
  terminals: Terminals
  counters: Counters
  guesses: Guesses
  origins: Origins
  warnings: Warnings
  now(): number
}

/**
 * Registration and authentication of a connection: a registration returns a code, and the code authenticates. Wrong attempts are delayed
 * and reported.
 */
export class Admission {
  private readonly deps: AdmissionDependencies
  private readonly line: Line
  private readonly notes: FrameNotes
  /** The device authenticated on the connection, if any. */
  private readonly owner: () => FleetDevice | undefined
  private wrongCodes = 0
  /** Device that received a code on this connection. The reply may be lost, so it may register again. */
  private registered: string | undefined

  constructor(deps: AdmissionDependencies, line: Line, notes: FrameNotes, owner: () => FleetDevice | undefined) {
    this.deps = deps
    this.line = line
    this.notes = notes
    this.owner = owner
  }

  /** Whether the connection has used up its wrong codes and must be closed. */
  get isSpent(): boolean {
    return this.wrongCodes >= triesOfConnection
  }

  async register(message: Jt808Frame): Promise<void> {
    const given = readRegistration(message.body, message.is2019)
    if (!given) {
      this.deps.counters.badFrame('jt808', 'format')
      return this.refuse(message, results.wrong, 'format')
    }
    const device = await this.deviceOf(message.phone)
    const reply = (result: number, reason: string, code?: string, hint?: string) => {
      // Addressed to the sender of the frame, which may differ from the device of this connection.
      this.line.reply(message, ids.registerAnswer, registerAnswer(message.serial, result, code))
      this.notes.up(message, { result: reason, answer: `0x8100 结果 ${result}`, decoded: { ...given }, hint, device })
    }
    if (!device?.inService) {
      this.notes.stranger(message, device, device ? 'notInService' : 'unregistered', given.plate)
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
      guesses.failed(device.id, this.line.address, this.isKnownPlace(device), at)
    warnings.note(device, 'registration', this.line.address, outcome.hint, at)
    return reply(outcome.result, outcome.reason, undefined, outcome.hint)
  }

  /** The device whose code the message contains; undefined if it was refused and a reply was sent. */
  async authenticate(message: Jt808Frame): Promise<FleetDevice | undefined> {
    const given = readAuthentication(message.body, message.is2019)
    if (!given) {
      this.refuse(message, results.wrong, 'format')
      return undefined
    }
    const device = await this.deviceOf(message.phone)
    const { counters, guesses, origins, warnings, now } = this.deps
    const { address } = this.line
    const waitMs = device ? this.waitMs(device, now()) : 0
    const fits = device?.inService === true && waitMs === 0 && (await this.deps.terminals.codeFits(device.id, message.phone, given.code))
    if (!device || !fits) {
      const reason = waitMs > 0 ? 'tooManyTries' : 'wrongPassword'
      counters.refused(waitMs > 0 ? reason : 'wrongCode')
      this.notes.stranger(message, device, device ? (device.inService ? reason : 'notInService') : 'unregistered')
      this.refuse(message, results.failed, reason, { hint: waitMs > 0 ? waitHint(waitMs) : undefined, device })
      if (device?.inService && waitMs === 0) {
        const tries = guesses.failed(device.id, address, this.isKnownPlace(device), now())
        if (tries >= reportedAfter) warnings.note(device, 'guessing', address, `鉴权码连续错 ${tries} 次`, now())
      }
      this.wrongCodes++
      return undefined
    }
    guesses.forgive(device.id, address)
    origins.note(device.id, address, now())
    this.registered = undefined
    return device
  }

  private async deviceOf(phone: string): Promise<FleetDevice | undefined> {
    const { fleet } = this.deps
    const known = fleet.byKey('jt808', phone) ?? (await fleet.seekByKey('jt808', phone))
    if (known) return known
    // The phone may be stored with the leading zeros of the older header.
    const padded = phone.padStart(12, '0')
    return fleet.byKey('jt808', padded) ?? (await fleet.seekByKey('jt808', padded))
  }

  private isKnownPlace(device: FleetDevice): boolean {
    return this.deps.origins.isKnown(device.id, this.line.address)
  }
  /** Milliseconds until a code of this device is checked again; 0 on the device's own connection. */
  private waitMs(device: FleetDevice, now: number): number {
    if (this.owner()?.id === device.id) return 0
    return this.deps.guesses.waitMs(device.id, this.line.address, this.isKnownPlace(device), now)
  }

  private refuse(
    message: Jt808Frame,
    result: number,
    reason: string,
    more: { hint?: string | undefined; device?: FleetDevice | undefined } = {},
  ): void {
    this.line.reply(message, ids.answer, generalAnswer(message.serial, message.id, result))
    this.notes.up(message, { ...more, result: reason, answer: `0x8001 结果 ${result}` })
  }
}
