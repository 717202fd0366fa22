import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { numericRange, paged, pageQuery, pointsTo, ref, several, text } from '../kit/fields.ts'
import { sortBy } from '../kit/list.ts'
import { onOff, pick } from './fields.ts'
import { governmentBody, governmentRow } from './model.ts'

export const listGovernments = endpoint({
  method: 'GET',
  path: '/api/v2/oa/government',
  summary: '政府机构列表',
  needs: 'government.view',
  answers: 'list',
  query: pageQuery.extend({
    name: text(50).optional(),
    govCode: pointsTo('government', text(50)).optional(),
    type: several.optional(),
    level: several.optional(),
    areaCode: several.optional(),
    enable: text(2).optional(),
    projectCount: numericRange.optional(),
    sort: sortBy('name', 'govCode', 'level', 'createTime', 'projectCount'),
  }),
  response: paged(governmentRow),
})

export const pickGovernments = endpoint({
  method: 'GET',
  path: '/api/v2/oa/government/list',
  summary: '政府机构选择列表',
  needs: 'self',
  answers: 'list',
  query: z.object({ name: text(50).optional() }),
  response: z.object({ list: z.array(pick), total: z.number().int() }),
})

export const getGovernment = endpoint({
  method: 'GET',
  path: '/api/v2/oa/government/:govCode',
  summary: '政府机构详情',
  needs: 'government.view',
  params: z.object({ govCode: ref('government') }),
  response: governmentRow,
})

export const createGovernment = endpoint({
  method: 'POST',
  path: '/api/v2/oa/government',
  summary: '新增政府机构',
  needs: 'government.create',
  acts: 'aside',
  body: governmentBody,
  response: z.object({ govCode: z.string() }),
})

export const updateGovernment = endpoint({
  method: 'PUT',
  path: '/api/v2/oa/government/:govCode',
  summary: '修改政府机构',
  needs: 'government.edit',
  acts: 'aside',
  params: z.object({ govCode: ref('government') }),
  body: governmentBody.partial({ linkPhone: true }).extend({ version: z.number().int().optional() }),
})

export const removeGovernment = endpoint({
  method: 'DELETE',
  path: '/api/v2/oa/government/:govCode',
  summary: '删除政府机构',
  needs: 'government.remove',
  acts: 'aside',
  params: z.object({ govCode: ref('government') }),
})

export const switchGovernment = endpoint({
  method: 'POST',
  path: '/api/v2/oa/government/switch/status',
  summary: '切换政府机构启停状态',
  needs: 'government.switch',
  acts: 'aside',
  body: z.object({ govCode: ref('government'), status: onOff }),
})
