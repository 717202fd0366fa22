import { acknowledgementOf, readOperator } from '../gates/dialects/operator.ts'
import { isObject, parseJson } from '../gates/passage.ts'
import { takePassages, withTimes } from '../gates/take.ts'
import type { StoredFiles } from '../stored-files.ts'
import { noteMessage } from './message-notes.ts'
import type { MessageDependencies } from './messages.ts'

/**
 * Face gates that publish in their maker's own topics: `mqtt/face/{device id}/Rec` (compared faces) and `.../Snap` (strangers), with the
 * replies in `mqtt/face/{device id}`; `mqtt/face/heartbeat` and `mqtt/face/basic` name the device in the message. They connect with the
 * user name and password of a gateway (connection type MQTT with a fixed password) and are registered behind it under their device id.
 */
export interface FaceTopic {
  /** Undefined: the message names the device. */
  deviceSn: string | undefined
  kind: string
}

const topics = /^mqtt\/face\/(?:([\w.:-]{1,64})\/(\w{1,32})|(heartbeat|basic))$/

export function faceTopicOf(topic: string): FaceTopic | undefined {
  const found = topics.exec(topic)
  return found ? { deviceSn: found[1], kind: found[2] ?? found[3] ?? '' } : undefined
}

/** The filter with which a gate waits for replies: `mqtt/face/{device id}`, also with `/#`. */
export const isFaceFilter = (filter: string): boolean => /^mqtt\/face\/[\w.:-]{1,64}(?:\/#)?$/.test(filter)

export interface FaceMessage {
  gatewayId: string
  topic: FaceTopic
  address: string
  payload: Buffer
  reply(deviceSn: string, body: Record<string, unknown>): void
  done(error?: Error): void
}

type FaceDependencies = MessageDependencies & { files: StoredFiles }

/** Stores the passages of a message and acknowledges it in the maker's form after the commit. Never throws. */
export async function receiveFace(deps: FaceDependencies, up: FaceMessage): Promise<void> {
  const { fleet, strangers, counters, now } = deps
  const { gatewayId, address, payload, topic, done } = up
  const receivedAt = now()
  const body = parseJson(payload.toString('utf8'))
  const message = isObject(body) ? body : undefined
  const deviceSn = topic.deviceSn ?? namedIn(message)
  const key = `${gatewayId}/${deviceSn}`
  try {
    const device = deviceSn ? (fleet.byKey('mqtt', key) ?? (await fleet.seekByKey('mqtt', key))) : undefined
    const note = (result: string, more: { hint?: string | undefined; decoded?: Record<string, unknown>; answer?: string } = {}) =>
      noteMessage(deps, {
        device,
        gatewayId,
        deviceSn: deviceSn ?? '-',
        address,
        direction: 'up',
        kind: topic.kind,
        payload,
        result,
        receivedAt,
        ...more,
      })
    if (!device?.inService || device.family.key !== 'faceGate') {
      const reason = !device ? 'unregistered' : device.inService ? 'notGate' : 'notInService'
      counters.refused(reason)
      strangers.note(
        { identifier: deviceSn ?? gatewayId, protocol: 'mqtt', address, gatewayId, reason, sample: payload.toString('utf8', 0, 512) },
        receivedAt,
      )
      note(reason)
      return done()
    }
    const pushed = message && readOperator(message)
    if (!message || !pushed) {
      counters.badFrame('gate', 'operator')
      note('format')
      return done()
    }
    const taken = await takePassages(deps, device, withTimes(pushed), receivedAt)
    done()
    if (pushed.passages.length) up.reply(device.sn, acknowledgementOf(message))
    note(taken.result, { hint: taken.hint, decoded: taken.decoded, answer: pushed.passages.length ? 'PushAck' : 'PUBACK' })
  } catch (error) {
    // The database is unavailable; the gate keeps the record and sends it again.
    deps.log.debug({ err: error }, 'passage not taken')
    done(error as Error)
  }
}

function namedIn(message: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const info = isObject(message?.info) ? message.info : {}
  const id = info.facesluiceId ?? info.DeviceID ?? info.deviceID
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}
