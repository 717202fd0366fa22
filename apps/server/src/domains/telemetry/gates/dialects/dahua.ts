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
  parseJson,
  pictureOf,
  temperatureField,
  textOf,
} from '../passage.ts'

const passageCodes: ReadonlySet<string> = new Set(['AccessControl', '_DoorFace_', 'FaceRecognition', 'Attendance'])
/** Way of opening: 1 card, 3 and 4 card with fingerprint or code, 5 remote, 6 fingerprint, 15 and 16 face, 17 card and face. */
const modes: Readonly<Record<string, string>> = { 1: '2', 3: '2', 4: '2', 6: '6', 15: '1', 16: '1', 17: '3' }
/** Opened from inside or remotely: nobody was identified. */
const nobodyIdentified: ReadonlySet<string> = new Set(['5', '14'])

/**
 * Events of the maker's HTTP push: `{Code, Data}`, the same inside `params` (method notify.event) or in a list `Events`, or lines
 * `Code=...;data={...}` of the event manager. A passage is an AccessControl event; Status 1 opened, 0 refused.
 */
function read(request: GateRequest): Pushed | undefined {
  const content = fieldsOf(request)
  const events = content ? eventsIn(content.fields) : eventsInLines(request.body.toString('utf8', 0, 65_536))
  if (events.length === 0) return undefined
  const passages: GatePassage[] = []
  let passedOver: string | undefined
  for (const { code, data } of events) {
    if (passageCodes.has(code) && !nobodyIdentified.has(textOf(data.Method) ?? '')) passages.push(passageOf(data, content?.picture))
    else passedOver ??= code
  }
  return { passages, ignored: events.length - passages.length, passedOver }
}

interface DahuaEvent {
  code: string
  data: Record<string, unknown>
}

function eventsIn(fields: Readonly<Record<string, unknown>>): DahuaEvent[] {
  const one = isObject(fields.params) ? fields.params : fields
  const list = Array.isArray(one.Events) ? one.Events : Array.isArray(one.eventList) ? one.eventList : [one]
  return list.flatMap((item): DahuaEvent[] => {
    if (!isObject(item)) return []
    const code = textOf(item.Code ?? item.code)
    const data = item.Data ?? item.data
    return code && isObject(data) ? [{ code, data }] : []
  })
}

/** `Code=AccessControl;action=Pulse;index=0;data={...}`, each event on lines of its own. */
function eventsInLines(text: string): DahuaEvent[] {
  return text.split(/(?=^Code=)/m).flatMap((block): DahuaEvent[] => {
    const code = /^Code=([\w]+)/.exec(block)?.[1]
    const from = block.indexOf('data={')
    const data = from < 0 ? undefined : parseJson(block.slice(from + 'data='.length, block.lastIndexOf('}') + 1))
    return code && isObject(data) ? [{ code, data }] : []
  })
}

function passageOf(data: Readonly<Record<string, unknown>>, part: Buffer | undefined): GatePassage {
  const person = personOf(data.UserID) ?? personOf(data.CitizenIDNo)
  const isOpened = data.Status === undefined ? Number(data.ErrorCode ?? data.Result ?? 0) === 0 : Number(data.Status) === 1
  const image = isObject(data.ImageInfo) ? data.ImageInfo.PhotoData : data.ImageData
  return {
    time: epochOf(data.UTC ?? data.RealUTC ?? data.CreateTime ?? data.Time),
    data: {
      recordId: textOf(data.BlockId ?? data.RecNo ?? data.SN),
      workerId: person,
      name: textOf(data.CardName ?? data.UserName),
      personType: person ? '1' : '3',
      pass: isOpened ? '1' : '0',
      mode: modes[textOf(data.Method) ?? ''] ?? '1',
      ...directionOf(data.Type),
      ...temperatureField(data.CurrentTemperature),
    },
    picture: pictureOf(image) ?? part,
  }
}

export const dahua: GateReader = { read, reply: () => jsonReply({ code: '200', message: '', auth: 'true' }) }
