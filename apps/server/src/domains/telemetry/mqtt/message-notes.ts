import type { Fleet, FleetDevice } from '../../equipment/public.ts'
import { blanked, type FrameLog } from '../frame-log.ts'

/** A message of a box, or to it; `deviceSn` is `-` where it is none of a device's. */
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

/** Keeps a message for whoever brings a box on line, with secrets blanked. */
export function noteMessage({ frames, now, fleet }: { frames: FrameLog; now(): number; fleet: Fleet }, f: NotedMessage): void {
  const identifier = f.deviceSn === '-' ? f.gatewayId : f.deviceSn
  if (!frames.wants(f.device?.id ?? identifier, f.result)) return
  const at = now()
  frames.note({
    time: f.receivedAt ?? at,
    device: f.device,
    gatewayId: f.gatewayId,
    // What comes over a known gateway concerns its project, whoever it claims to be.
    projectCode: fleet.gateway(f.gatewayId)?.projectCode,
    identifier,
    protocol: 'mqtt',
    address: f.address ?? '',
    direction: f.direction,
    kind: f.kind,
    result: f.result,
    length: f.payload.length,
    body: Buffer.from(blanked(f.payload.toString('utf8', 0, 1024))),
    isText: true,
    decoded: f.decoded,
    answer: f.answer,
    hint: f.hint,
    delayMs: f.receivedAt === undefined ? undefined : at - f.receivedAt,
  })
}
