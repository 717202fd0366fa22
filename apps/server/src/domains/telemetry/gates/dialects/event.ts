import { personOf } from '../../../readings/public.ts'
import { alertOf } from '../alert-xml.ts'
import {
  directionOf,
  fieldsOf,
  type GateReader,
  type GateRequest,
  isObject,
  numberField,
  type Pushed,
  storedReply,
  textOf,
} from '../passage.ts'

/** Event codes that are passages, with the mode of the attendance record. Other door events are no passages. */
const passed: Readonly<Record<number, string | undefined>> = { 75: '1', 38: '6', 1: '2' }
const faceFailed = 76
const verified = 5

const modes: Readonly<Record<string, string>> = { face: '1', card: '2', cardandface: '3', faceandcard: '3', cardorface: '1' }

/**
 * Events of access controllers (ISAPI EventNotificationAlert) as JSON or XML, alone or as a part of multipart. Firmware differs in the
 * wrapper: the alert may be inside `EventNotificationAlert`, and `eventType` may be missing. Passages are face, fingerprint or card
 * accepted (5/75, 5/38, 5/1) and face refused (5/76).
 */
function read(request: GateRequest): Pushed | undefined {
  const given = contentOf(request)
  if (!given) return undefined
  const { picture } = given
  const fields = isObject(given.fields.EventNotificationAlert) ? given.fields.EventNotificationAlert : given.fields
  const controller = isObject(fields.AccessControllerEvent) ? fields.AccessControllerEvent : undefined
  const type = textOf(fields.eventType)
  if (type !== undefined && type !== 'AccessControllerEvent') return { passages: [], ignored: 1 }
  const inner = controller ?? fields
  if (inner.subEventType === undefined && inner.minorEventType === undefined && inner.minor === undefined)
    return type === undefined ? undefined : { passages: [], ignored: 1 }
  const major = Number(inner.majorEventType ?? inner.major)
  const minor = Number(inner.subEventType ?? inner.minorEventType ?? inner.minor)
  const isPassed = major === verified && passed[minor] !== undefined
  if (!isPassed && !(major === verified && minor === faceFailed)) return { passages: [], ignored: 1, passedOver: `${major}/${minor}` }
  const person = personOf(inner.employeeNoString) ?? personOf(inner.employeeNo)
  // A card or fingerprint without an employee number is ignored. An unknown face is stored as a stranger.
  if (isPassed && minor !== 75 && !person) return { passages: [], ignored: 1, passedOver: `${major}/${minor}，没有工号` }
  const mode = minor === 38 ? '6' : (modes[String(inner.currentVerifyMode ?? '').toLowerCase()] ?? passed[minor] ?? '1')
  return {
    passages: [
      {
        time: fields.dateTime ?? inner.dateTime ?? inner.time,
        data: {
          recordId: textOf(inner.serialNo),
          workerId: person,
          name: textOf(inner.name),
          personType: person ? '1' : '3',
          pass: isPassed ? '1' : '0',
          mode,
          ...directionOf(inner.attendanceStatus),
          ...numberField('temperature', inner.currTemperature),
        },
        picture,
      },
    ],
    ignored: 0,
  }
}

/** The alert's fields, and the picture beside it. */
function contentOf(request: GateRequest): ReturnType<typeof fieldsOf> {
  const fields = fieldsOf(request)
  if (!fields) {
    const alert = alertOf(request.body.toString('utf8'))
    return alert && { fields: alert, picture: undefined }
  }
  // In multipart the alert may be an XML part under any name.
  for (const value of Object.values(fields.fields)) {
    const alert = typeof value === 'string' ? alertOf(value) : undefined
    if (alert) return { fields: alert, picture: fields.picture }
  }
  return fields
}

export const event: GateReader = { read, reply: (_request, outcome) => storedReply(outcome) }
