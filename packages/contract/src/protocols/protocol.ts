import type { z } from 'zod'

/**
 * What server and web must know of a protocol over which devices are connected. A protocol is one file here, its line in `catalogue.ts`,
 * and its folder in the server's `telemetry/`; no other code names it.
 */
export interface Protocol<Access extends { protocol: string } = { protocol: string }> {
  /** Name in short, for models, and how a device is connected, for its access settings. */
  readonly name: string
  readonly accessName: string
  /** Access settings of a device, as entered. */
  readonly access: z.ZodType<Access>
  /** Key under which the protocol finds a device: unique among the devices of the protocol. */
  keyOf(access: Access, deviceSn: string): string
  /** What is stored of the settings. `before`: what was stored until now; undefined if the device had another protocol. */
  stored(access: Access, before: Readonly<Record<string, unknown>> | undefined): object
  /** Access settings for an unregistered device that sent data under this serial number. */
  adopted(deviceSn: string, gatewayId: string | undefined): object
  /** Port on which the platform listens by default; null if devices do not connect to a port of their own. */
  readonly usualPort: number | null
  /** Shown as the port if there is no own port. */
  readonly portWords?: string
  /** Devices are behind a gateway: one that connects to the platform, or one that the platform polls. */
  readonly gateway?: 'connects' | 'polled'
  /** Length of the password that the platform generates for a device; undefined if devices have no password of their own. */
  readonly passwordLength?: number
  /** Devices or their gateway have a secret that is never shown again. */
  readonly hasSecret: boolean
  /** Families whose devices use the protocol if nothing else is chosen. */
  readonly usualOf: readonly string[]
  /** Column of the import sheet that selects the protocol; its value is the setting of the same name. */
  readonly sheetColumn?: string
  /** A pasted frame can be decoded. */
  readonly triable: boolean
  /** Code in the dictionary gatewayConnectionType. */
  readonly connType?: string
  /** Parameters of a machine that its settings already contain: key of the parameter, and path in the settings. */
  readonly params: Readonly<Record<string, readonly [string, string?]>>
  /** Commands of the protocol, with their names. */
  readonly commands: Readonly<Record<string, string>>
  /** What to do about a frame with a fault, where it differs from the general hint. */
  readonly hints: Readonly<Record<string, string>>
}

/** Checks a catalogue entry and keeps its literal types. */
export const protocol =
  <Access extends { protocol: string }>(_access: z.ZodType<Access>) =>
  <const Entry extends Protocol<Access>>(entry: Entry): Entry =>
    entry
