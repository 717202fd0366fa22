import { z } from 'zod'
import { endpoint } from '../../kit/endpoint.ts'
import { filled, ofProject, paged, pageQuery, text } from '../../kit/fields.ts'
import { epoch } from '../../telemetry/model.ts'

export const pourAdvice = z.object({
  id: z.string(),
  projectCode: z.string(),
  bayName: z.string(),
  text: z.string(),
  byName: z.string(),
  at: epoch,
  /** No pour of the bay has started since: shown in the check list of the next one. */
  isOpen: z.boolean(),
})
export type PourAdvice = z.infer<typeof pourAdvice>

export const listPourAdvice = endpoint({
  method: 'GET',
  path: '/api/v1/oa/process/pourAdvice',
  summary: '浇筑建议列表',
  needs: 'high-formwork.view',
  answers: 'list',
  query: pageQuery.extend({ ...ofProject.shape, bayName: text(60).optional() }),
  response: paged(pourAdvice),
})
export const advisePour = endpoint({
  method: 'POST',
  path: '/api/v1/oa/process/pourAdvice',
  summary: '给出浇筑建议',
  needs: 'high-formwork.pour',
  query: ofProject,
  body: z.object({ bayName: filled(60, '浇筑部位'), text: text(500, '建议').min(5, '请填写建议（至少 5 个字）') }),
  response: z.object({ id: z.string() }),
})
