import { fieldsOf, type GatePassage, type GateReader, type GateRequest, isObject, type Pushed, storedReply } from '../passage.ts'

const mostItems = 1_000

/** The attendance payload of the open API: `{items: [{time, data}]}`, or a single item. */
function read(request: GateRequest): Pushed | undefined {
  const content = fieldsOf(request)
  if (!content) return undefined
  const { items } = content.fields
  const list = Array.isArray(items) ? items : items === undefined ? [content.fields] : undefined
  if (!list || list.length > mostItems) return undefined
  return {
    passages: list.flatMap((item): GatePassage[] => {
      if (!isObject(item)) return []
      const data = isObject(item.data) ? item.data : item
      return [{ time: item.time ?? data.time, data, picture: content.picture }]
    }),
    ignored: 0,
  }
}

export const generic: GateReader = { read, reply: (_request, outcome) => storedReply(outcome) }
