import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { several, text } from '../kit/fields.ts'

export const dictItem = z.object({ code: z.string(), name: z.string(), parent: z.string().optional(), hidden: z.boolean().optional() })
export type DictItem = z.infer<typeof dictItem>
const dictionary = z.object({ code: z.string(), title: z.string(), items: z.array(dictItem) })

/** Several dictionaries by code; unknown codes are left out. */
export const dictsByCode = endpoint({
  method: 'POST',
  path: '/api/v1/sys/dict/code',
  summary: '按编码批量获取字典',
  needs: 'self',
  unaudited: 'a read by POST',
  body: z.object({ featCodes: several }),
  response: z.record(z.string(), z.array(dictItem)),
})
export const dictsByParent = endpoint({
  method: 'GET',
  path: '/api/v1/sys/dict/byParent',
  summary: '按上级获取字典',
  needs: 'self',
  answers: 'list',
  query: z.object({ featCode: text(60).optional(), parent: text(40).optional() }),
  response: z.object({ list: z.array(dictItem), total: z.number().int() }),
})
export const dictTree = endpoint({
  method: 'GET',
  path: '/api/v1/sys/dict/tree',
  summary: '字典树',
  needs: 'self',
  answers: 'tree',
  query: z.object({ name: text(50).optional() }),
  response: z.array(dictionary),
})
export const dictTreeByCode = endpoint({
  method: 'GET',
  path: '/api/v1/sys/dict/tree/byCode',
  summary: '按编码获取字典树',
  needs: 'self',
  answers: 'tree',
  query: z.object({ featCodes: several.optional() }),
  response: z.array(dictionary),
})

export interface AreaNode {
  code: string
  name: string
  children?: AreaNode[]
}
const areaNode: z.ZodType<AreaNode> = z.lazy(() => z.object({ code: z.string(), name: z.string(), children: z.array(areaNode).optional() }))
/** Administrative divisions below a code (the whole country without one). */
export const areaTree = endpoint({
  method: 'GET',
  path: '/api/v1/tool/area/',
  summary: '行政区划',
  needs: 'self',
  answers: 'tree',
  query: z.object({ parent: text(6).optional() }),
  response: z.array(areaNode),
})
/** The divisions that the first six digits of ID numbers refer to. */
export const nativeAreaTree = endpoint({
  method: 'GET',
  path: '/api/v1/tool/area/native',
  summary: '籍贯行政区划',
  needs: 'self',
  answers: 'tree',
  query: z.object({ parent: text(6).optional() }),
  response: z.array(areaNode),
})
