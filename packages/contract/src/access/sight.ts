import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { day, filled, nullable, paged, pageQuery, ref, text } from '../kit/fields.ts'
import { partTypes } from '../labour/codes.ts'

/** Parts whose access to a project cannot be restricted manually: owner, general contractor and supervisor see it completely. */
export const seeingParts: readonly string[] = Object.values(partTypes)

const module = text(40, '模块')
export const sightRule = z.object({
  id: z.string(),
  /** Whom the rule is for: a person, everyone with a role, or companies with one part in the project. */
  kind: z.enum(['member', 'role', 'party']),
  subjectId: z.string(),
  subjectName: z.string(),
  projectCode: z.string(),
  projectName: z.string(),
  shows: z.boolean(),
  /** Applies to granted access: read only. */
  readOnly: z.boolean(),
  /** Null: every module. */
  modules: z.array(z.string()).nullable(),
  moduleNames: z.array(z.string()),
  reason: z.string(),
  until: z.string().nullable(),
  /** Its last day has passed, so the rule no longer applies. */
  over: z.boolean(),
  grantBy: z.string(),
  createTime: z.string(),
})
export type SightRule = z.output<typeof sightRule>

/** Manual access rules (granted or hidden) of the caller's own group; for a person including the rules of the person's roles. */
export const listSight = endpoint({
  method: 'GET',
  path: '/api/v1/sys/user/projects/hand',
  summary: '手工可见范围列表',
  needs: 'visible.view',
  answers: 'list',
  query: pageQuery.extend({
    memberId: ref('member').optional(),
    roleId: ref('role').optional(),
    projectCode: ref('project').optional(),
  }),
  response: paged(sightRule),
})
export const setSight = endpoint({
  method: 'POST',
  path: '/api/v1/sys/user/projects/hand',
  summary: '手工增减可见项目与模块',
  needs: 'visible.edit',
  acts: 'aside',
  body: z
    .object({
      memberId: nullable(ref('member')),
      roleId: nullable(ref('role')),
      /** Code of dictionary projectCorpType. */
      party: nullable(text(10, '参建类型')),
      projectCode: ref('project'),
      shows: z.boolean({ error: '请选择增加或移除' }),
      readOnly: z.boolean().default(false),
      modules: nullable(z.array(module).min(1, '请选择模块，或选全部模块').max(100)),
      reason: filled(200, '原因'),
      until: nullable(day),
    })
    .refine((body) => [body.memberId, body.roleId, body.party].filter(Boolean).length === 1, {
      message: '请选择一个对象：人员、角色或参建类型',
      path: ['memberId'],
    }),
  response: z.object({ id: z.string() }),
})
/** Removes a rule: granted access ends, hidden projects are visible again. */
export const liftSight = endpoint({
  method: 'DELETE',
  path: '/api/v1/sys/user/projects/hand/:id',
  summary: '撤销手工可见范围',
  needs: 'visible.edit',
  acts: 'aside',
  params: z.object({ id: ref('sightRule') }),
})
