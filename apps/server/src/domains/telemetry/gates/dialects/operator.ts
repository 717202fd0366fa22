import { personOf } from '../../../readings/public.ts'
import {
  directionOf,
  epochOf,
  fieldsOf,
  type GatePassage,
  type GateReader,
  type GateRequest,
  isObject,
  jsonReply,
  type Pushed,
  pictureOf,
  temperatureField,
  textOf,
} from '../passage.ts'

const recognised: ReadonlySet<string> = new Set(['RecPush', 'VerifyPush'])
const strangers: ReadonlySet<string> = new Set(['StrSnapPush', 'SnapPush'])
/** VerifyStatus: 1 allowed, 2 refused, 3 not registered, 0 nothing was compared. */
const allowed = 1
/** VerifyType: 1 face, 2 identity card, 3 face and card. */
const modes: Readonly<Record<string, string>> = { 1: '1', 2: '4', 3: '3' }

const firstOf = (from: Readonly<Record<string, unknown>>, names: readonly string[]): unknown =>
  names.map((name) => from[name]).find((value) => textOf(value) !== undefined)

/**
 * A message `{operator, info}` of face recognition devices, over HTTP or MQTT. RecPush and VerifyPush are compared faces, StrSnapPush and
 * SnapPush pictures of strangers. A snapshot with `AlarmAction` is a camera alarm, not a passage. Makers spell some names in two ways
 * (personName, persionName; SanpPic, SnapPic).
 */
export function readOperator(message: Readonly<Record<string, unknown>>): Pushed | undefined {
  const operator = textOf(message.operator)
  const info = isObject(message.info) ? message.info : undefined
  if (operator === undefined || !info) return undefined
  const isStranger = strangers.has(operator)
  if (!isStranger && !recognised.has(operator)) return { passages: [], ignored: 1, passedOver: operator }
  if (textOf(info.AlarmAction) !== undefined) return { passages: [], ignored: 1, passedOver: `${operator}，${textOf(info.AlarmAction)}` }
  return { passages: [isStranger ? strangerOf(message, info) : personIn(message, info)], ignored: 0 }
}

const timeNames = ['time', 'CreateTime', 'snapTime', 'RecordTime']
const recordNames = ['RecordID', 'nRecordIndex', 'SnapID', 'recordId']
const pictureIn = (message: Readonly<Record<string, unknown>>, info: Readonly<Record<string, unknown>>): Buffer | undefined =>
  pictureOf(firstOf(info, ['pic', 'Pic']) ?? firstOf(message, ['SanpPic', 'SnapPic', 'pic', 'Pic', 'ScenePic']))

function personIn(message: Readonly<Record<string, unknown>>, info: Readonly<Record<string, unknown>>): GatePassage {
  const person = ['customId', 'CustomizeID', 'PersonUUID', 'personUUID', 'personId', 'PersonID']
    .map((name) => personOf(info[name]))
    .find((id) => id !== undefined)
  return {
    time: epochOf(firstOf(info, timeNames)),
    data: {
      recordId: textOf(firstOf(info, recordNames)),
      workerId: person,
      name: textOf(firstOf(info, ['personName', 'persionName', 'Name'])),
      personType: person ? '1' : '3',
      pass: Number(firstOf(info, ['VerifyStatus', 'verifyStatus'])) === allowed ? '1' : '0',
      mode: modes[textOf(firstOf(info, ['VerifyType', 'VerfyType', 'otype'])) ?? ''] ?? '1',
      ...directionOf(firstOf(info, ['direction', 'Direction'])),
      ...scoreOf(firstOf(info, ['similarity1', 'Similarity1'])),
      ...temperatureField(firstOf(info, ['temperature', 'Temperature'])),
    },
    picture: pictureIn(message, info),
  }
}

const scoreOf = (raw: unknown): { score?: number } => (Number(raw) > 0 ? { score: Number(raw) } : {})

const strangerOf = (message: Readonly<Record<string, unknown>>, info: Readonly<Record<string, unknown>>): GatePassage => ({
  time: epochOf(firstOf(info, timeNames)),
  data: { recordId: textOf(firstOf(info, recordNames)), personType: '3', pass: '0', mode: '1' },
  picture: pictureIn(message, info),
})

/** The reply over MQTT, which a device with resumed transfer waits for before it sends the next record. */
export function acknowledgementOf(message: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const info = isObject(message.info) ? message.info : {}
  return {
    messageId: textOf(message.messageId),
    operator: 'PushAck',
    info: {
      facesluiceId: textOf(firstOf(info, ['facesluiceId', 'DeviceID'])),
      PushAckType: strangers.has(textOf(message.operator) ?? '') ? '1' : '2',
      SnapOrRecordID: textOf(firstOf(info, recordNames)),
    },
  }
}

function read(request: GateRequest): Pushed | undefined {
  const content = fieldsOf(request)
  return content && readOperator(content.fields)
}

export const operator: GateReader = { read, reply: () => jsonReply({ code: 200, desc: 'OK' }) }
