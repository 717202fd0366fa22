import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { paged, pageQuery, ref } from '../kit/fields.ts'

/** A group invites the owner of an account to work for it; the user becomes a member only after accepting. */

/** Days within which the user can answer. */
export const joinDays = 30

export const joinRequest = z.object({
  id: z.string(),
  groupId: z.string(),
  groupName: z.string(),
  groupsType: z.number().int(),
  administrator: z.boolean(),
  roleNames: z.array(z.string()),
  deadline: z.string().nullable(),
  /** The inviting user. */
  by: z.string(),
  createTime: z.string(),
  expiresTime: z.string(),
})
export type JoinRequest = z.output<typeof joinRequest>

export const answerJoin = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/my/join/:id',
  summary: '答复加入机构的邀请',
  needs: 'self',
  acts: 'aside',
  params: z.object({ id: ref('joinRequest') }),
  body: z.object({ accept: z.boolean() }),
})

/** Open invitations of the caller's group. */
export const listJoins = endpoint({
  method: 'GET',
  path: '/api/v1/sys/join',
  summary: '待接受的加入邀请',
  needs: ['user.view', 'role.view', 'org.view', 'adminGrant.view'],
  answers: 'list',
  query: pageQuery,
  response: paged(joinRequest.extend({ account: z.string(), userName: z.string() })),
})
export const withdrawJoin = endpoint({
  method: 'DELETE',
  path: '/api/v1/sys/join/:id',
  summary: '撤回加入邀请',
  needs: ['user.edit', 'role.member', 'org.member', 'adminGrant.edit'],
  acts: 'aside',
  params: z.object({ id: ref('joinRequest') }),
})
