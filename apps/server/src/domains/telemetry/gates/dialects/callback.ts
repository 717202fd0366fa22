import { personOf } from '../../../readings/public.ts'
import {
  directionOf,
  fieldsOf,
  type GateReader,
  type GateRequest,
  jsonReply,
  numberField,
  type Pushed,
  pictureOf,
  textOf,
} from '../passage.ts'

/** A UTC time without a zone, or milliseconds as text. */
function zoneZero(raw: unknown): unknown {
  const text = textOf(raw)
  if (text === undefined) return undefined
  if (/^\d{12,14}$/.test(text)) return Number(text)
  return /^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}/.test(text) && !/(Z|[+-]\d{2}:?\d{2})$/.test(text) ? `${text.replace(' ', 'T')}Z` : text
}

/** Callbacks of face recognition terminals: the end of `type` says accepted (0), refused (1) or unknown (2). */
function read(request: GateRequest): Pushed | undefined {
  const content = fieldsOf(request)
  if (!content) return undefined
  const { fields } = content
  const type = textOf(fields.type)
  if (textOf(fields.deviceKey) === undefined || type === undefined) return undefined
  const outcome = /_([012])$/.exec(type)?.[1]
  if (outcome === undefined) return { passages: [], ignored: 1 }
  const given = personOf(fields.personId)
  const isStranger = given === undefined || outcome === '2'
  const path = textOf(fields.path)
  return {
    passages: [
      {
        time: zoneZero(fields.time),
        data: {
          recordId: textOf(fields.recordId ?? fields.id),
          workerId: isStranger ? undefined : given,
          personType: isStranger ? '3' : '1',
          pass: outcome === '0' ? '1' : '0',
          mode: { face: '1', card: '2', idcard: '4', faceAndcard: '3' }[type.replace(/_[012]$/, '')] ?? '1',
          ...directionOf(fields.direction),
          photoUrl: path && /^https?:\/\//.test(path) ? path.slice(0, 512) : undefined,
          ...numberField('temperature', fields.temperature),
        },
        picture: pictureOf(fields.imgBase64) ?? content.picture,
      },
    ],
    ignored: 0,
  }
}

export const callback: GateReader = { read, reply: () => jsonReply({ result: 1, success: true, msg: 'ok' }) }
