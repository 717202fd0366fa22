import { pick } from '#kit/pick'
import type { Fleet, FleetDevice } from '../../equipment/public.ts'
import { blanked, type FrameLog } from '../frame-log.ts'

/** A message from or to a gateway; `deviceSn` is `-` if it concerns no device. */
export interface NotedMessage {
  device?: FleetDevice | undefined
  gatewayId: string
  deviceSn: string
  address?: string
  direction: 'up' | 'down'
  kind: string
  result: string
  payload: Buffer
  decoded?: Record<string, unknown> | undefined
  answer?: string
  receivedAt?: number
  hint?: string | undefined
}

/** Logs a message with secrets masked, for diagnosing a gateway. */
export function noteMessage({ frames, now, fleet }: { frames: FrameLog; now(): number; fleet: Fleet }, f: NotedMessage): void {
  const identifier = f.deviceSn === '-' ? f.gatewayId : f.deviceSn
  if (!frames.wants(f.device?.id ?? identifier, f.result)) return
  const at = now()
  frames.note({
    time: f.receivedAt ?? at,
    ...pick(f, 'device', 'gatewayId', 'direction', 'kind', 'result', 'decoded', 'answer', 'hint'),
    // A message over a known gateway belongs to the gateway's project, whatever device it names.
    projectCode: fleet.gateway(f.gatewayId)?.projectCode,
    identifier,
    protocol: 'mqtt',
    address: f.address ?? '',
    length: f.payload.length,
    body: Buffer.from(blanked(f.payload.toString('utf8', 0, 1024))),
    isText: true,
    delayMs: f.receivedAt === undefined ? undefined : at - f.receivedAt,
  })
}
