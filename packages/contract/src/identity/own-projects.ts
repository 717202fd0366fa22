import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { ref } from '../kit/fields.ts'

/** Projects somebody marks for himself at most, over all his identities. */
export const mostStarred = 30
/** Projects he came to last that are shown. */
export const mostRecent = 8

export const ownProject = z.object({
  /** The identity it is entered as. */
  groupId: z.string(),
  groupName: z.string(),
  groupsType: z.number().int(),
  projectCode: z.string(),
  name: z.string(),
  prjStatus: z.string(),
  prjStatusName: z.string().nullable(),
  starred: z.boolean(),
  enteredTime: z.string().nullable(),
})
export type OwnProject = z.infer<typeof ownProject>

/** Of all identities. Both are short by their limits, and hold what may be entered at this moment and nothing else. */
export const listOwnProjects = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/project',
  summary: '本人收藏与最近进入的项目',
  needs: 'self',
  response: z.object({ starred: z.array(ownProject), recent: z.array(ownProject) }),
})

/** What somebody keeps in front of his own lists; as the active group unless another of his own is named. */
export const markProject = endpoint({
  method: 'PUT',
  path: '/api/v1/sys/my/project/:projectCode/mark',
  summary: '收藏或取消收藏项目',
  needs: 'self',
  acts: 'aside',
  params: z.object({ projectCode: ref('project') }),
  unaudited: 'what somebody keeps in front of his own list',
  body: z.object({ starred: z.boolean({ error: '请指明收藏还是取消收藏' }), groupId: ref('group').optional() }),
})
