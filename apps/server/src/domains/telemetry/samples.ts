import type { ProtocolKey } from '@zhugong/contract/protocols/catalogue'
import type { Family } from '@zhugong/contract/telemetry/families'
import { extensions } from './extensions.ts'

/** A sample message of a device, ready to be sent or pasted. */
export interface Sample {
  protocol: ProtocolKey
  label: string
  /** JSON or a frame; as text for text protocols, otherwise hexadecimal. */
  text: string
}

/** Sample messages of a family for each of its protocols, with typical values. */
export const samplesOf = (family: Family, now: number): Sample[] =>
  extensions.flatMap(({ trial }) => {
    const sample = trial?.sampleOf?.(family, now)
    return trial && sample ? [{ protocol: trial.protocol, ...sample }] : []
  })
