import { familyOf } from '@zhugong/contract/telemetry/families'
import { extensions } from './extensions.ts'
import { type FrameTrial, failed, type Trial, type TrialAccess } from './trial.ts'

/** Accepts pasted hexadecimal (`7E 02 00 ...`) or text. */
export function bytesOf(frame: string, isText: boolean): Buffer | undefined {
  if (isText) return Buffer.from(frame.replace(/\r?\n$/, '').replace(/\\r\\n$/, ''))
  const hex = frame.replace(/0x|[\s,:-]/gi, '')
  return /^([0-9a-f]{2})+$/i.test(hex) ? Buffer.from(hex, 'hex') : undefined
}

const trials = extensions.flatMap(({ trial }) => trial ?? [])

/**
 * The trial for a frame. Text that is recognised cannot be hexadecimal, so it takes precedence over a selected binary protocol. Everything
 * else is tried as the answer of a meter.
 */
function trialFor(text: string, protocol: string): FrameTrial | undefined {
  const selected = trials.find((one) => one.whenSelected && one.protocol === protocol)
  if (selected?.isText) return selected
  return trials.find((one) => one.recognises?.(text)) ?? selected ?? trials.find((one) => one.protocol === 'poll')
}

/** Decodes a pasted frame with the decoder of its protocol. Stores and sends nothing. */
export function decodeTrial(frame: string, access: TrialAccess, now: number): Trial {
  const text = frame.trim()
  const trial = trialFor(text, access.protocol)
  const usual = trials.find((one) => one.protocol === access.protocol)?.usualFamily ?? 'environment'
  const family = familyOf(access.family ?? usual)
  const bytes = trial && bytesOf(text, trial.isText ?? false)
  if (!bytes || !family) return failed(access.protocol, family ? '请粘贴十六进制或文本报文' : '设备类别不存在')
  return trial.decode(bytes, { access, family, now })
}
