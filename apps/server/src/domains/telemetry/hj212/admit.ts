import { createHash, timingSafeEqual } from 'node:crypto'
import type { FleetDevice } from '../../equipment/public.ts'
import { blanked } from '../frame-log.ts'
import { type Guesses, reportedAfter, triesOfConnection, waitHint } from '../guesses.ts'
import { type Hj212Frame, withPlainCp } from './frame.ts'
import { type Line, type LineContext, noteFrame } from './line.ts'
import { decryptCp, mayBeEncrypted } from './sm4.ts'
import type { Stations } from './stations.ts'
import { looksLikeEnvironment } from './values.ts'

interface AdmitContext extends LineContext {
  stations: Stations
  guesses: Guesses
}

export interface Admitted {
  device: FleetDevice
  /** The frame with decrypted data. */
  plain: Hj212Frame
}

const digest = (text: string) => createHash('sha256').update(text).digest()
const fits = (secret: string | null, password: string): boolean => secret !== null && timingSafeEqual(digest(secret), digest(password))

/**
 * Identifies the device of a frame and checks its password. Returns undefined and sends no reply if this fails: the device retransmits, and
 * the log shows the reason.
 */
export async function admit(ctx: AdmitContext, line: Line, frame: Hj212Frame): Promise<Admitted | undefined> {
  const { fleet, secrets, guesses, origins, now } = ctx
  const device = fleet.byKey('hj212', frame.mn) ?? (await fleet.seekByKey('hj212', frame.mn))
  const secret = device ? secrets.open(device.sealedSecret) : null
  const plain = device && readable(ctx.stations, device, frame)
  const at = now()
  // A connection on which the station has authenticated is not delayed by wrong passwords from elsewhere.
  const isKnown = device !== undefined && (line.stations.has(device.id) || origins.isKnown(device.id, line.address))
  const waitMs = device && !line.stations.has(device.id) ? guesses.waitMs(device.id, line.address, isKnown, at) : 0
  if (!device) return refuse(ctx, line, frame, undefined, 'unregistered')
  if (waitMs > 0) return refuse(ctx, line, frame, device, 'tooManyTries', waitHint(waitMs))
  if (!fits(secret, frame.pw)) {
    countGuess(ctx, line, device, isKnown, at)
    return refuse(ctx, line, frame, device, 'wrongPassword')
  }
  if (!device.inService) return refuse(ctx, line, frame, device, 'notInService')
  if (!plain) return refuse(ctx, line, frame, device, 'encryptedNoKey')
  if (!line.stations.has(device.id)) guesses.forgive(device.id, line.address)
  return { device, plain }
}

/** The frame with decrypted data; undefined if it is encrypted and the key is missing or wrong. */
function readable(stations: Stations, device: FleetDevice, frame: Hj212Frame): Hj212Frame | undefined {
  if (frame.pairs !== undefined) return frame
  const key = stations.of(device.id)?.key
  const plain = key && mayBeEncrypted(frame.cn) ? decryptCp(frame.cp, key) : undefined
  const read = plain === undefined ? undefined : withPlainCp(frame, plain)
  return read?.pairs ? read : undefined
}

function countGuess({ guesses, warnings }: AdmitContext, line: Line, device: FleetDevice, isKnown: boolean, at: number): void {
  const tries = guesses.failed(device.id, line.address, isKnown, at)
  if (line.stations.size === 0 && ++line.wrongPasswords >= triesOfConnection) line.socket.destroy()
  if (tries >= reportedAfter) warnings.note(device, 'guessing', line.address, `密码连续错 ${tries} 次`, at)
}

function refuse(
  ctx: AdmitContext,
  line: Line,
  frame: Hj212Frame,
  device: FleetDevice | undefined,
  reason: string,
  hint?: string,
): undefined {
  ctx.counters.refused(reason)
  noteFrame(ctx, line, frame, device, { result: reason, hint })
  ctx.strangers.note(
    {
      identifier: frame.mn,
      protocol: 'hj212',
      address: line.address,
      reason,
      sample: `ST=${frame.st};CN=${frame.cn};Flag=${frame.flag};CP=&&${blanked(frame.cp)}&&`,
      guess: looksLikeEnvironment(frame) ? 'environment' : undefined,
    },
    ctx.now(),
  )
}
