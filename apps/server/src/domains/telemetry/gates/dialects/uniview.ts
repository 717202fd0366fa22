import { formatInstant } from '#kit/clock'
import { personOf } from '../../../readings/public.ts'
import {
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

/** MatchStatus: 1 verified, 7 face opened the door. Everything else was refused: 2 to 6, 8 to 11. Codes from 21 on are enrolments. */
const opened: ReadonlySet<number> = new Set([1, 7])
const enrolmentsFrom = 21
const listOf = (raw: unknown): Record<string, unknown>[] => (Array.isArray(raw) ? raw.filter(isObject) : [])

/** Records of the maker's LAPI (PersonVerification); a message with DeviceCode and without a record is the heartbeat. */
function read(request: GateRequest): Pushed | undefined {
  const content = fieldsOf(request)
  if (!content) return undefined
  const { fields } = content
  const faces = listOf(fields.FaceInfoList)
  const matches = listOf(fields.LibMatInfoList)
  const cards = listOf(fields.CardInfoList)
  if (textOf(fields.DeviceCode) === undefined && textOf(fields.RefId) === undefined) return undefined
  if (faces.length + matches.length + cards.length === 0) return { passages: [], ignored: 1 }
  const records = matches.length ? matches : [{}]
  const passages = records.flatMap((match): GatePassage[] => {
    const status = Number(match.MatchStatus ?? 0)
    return status >= enrolmentsFrom ? [] : [passageOf(fields, match, status, faces[0] ?? {}, cards.length > 0)]
  })
  return { passages, ignored: records.length - passages.length, passedOver: passages.length ? undefined : '人脸录入' }
}

function passageOf(
  fields: Readonly<Record<string, unknown>>,
  match: Readonly<Record<string, unknown>>,
  status: number,
  face: Readonly<Record<string, unknown>>,
  hasCard: boolean,
): GatePassage {
  const info = isObject(match.MatchPersonInfo) ? match.MatchPersonInfo : {}
  const person = personOf(info.PersonCode) ?? personOf(match.MatchPersonID)
  const hasFace = face.Timestamp !== undefined
  const image = isObject(face.FaceImage) ? face.FaceImage : isObject(face.PanoImage) ? face.PanoImage : {}
  return {
    time: epochOf(face.Timestamp ?? fields.Timestamp),
    data: {
      recordId: textOf(fields.Seq ?? match.ID),
      workerId: person,
      name: textOf(info.PersonName),
      personType: person ? '1' : '3',
      pass: opened.has(status) ? '1' : '0',
      mode: hasCard ? (hasFace ? '3' : '2') : '1',
      ...temperatureField(face.Temperature),
    },
    picture: pictureOf(image.Data),
  }
}

export const uniview: GateReader = {
  read,
  reply: ({ rest }, { now }) =>
    jsonReply({
      Response: {
        ResponseURL: rest,
        CreatedID: -1,
        StatusCode: 0,
        StatusString: 'Succeed',
        Data: { Time: formatInstant(new Date(now)) },
      },
    }),
}
