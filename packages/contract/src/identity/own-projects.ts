import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { ref } from '../kit/fields.ts'

/** Maximum number of projects a user marks, over all groups. */
export const mostStarred = 30
/** Number of recently entered projects that are shown. */
export const mostRecent = 8

export const ownProject = z.object({
  /** The group as which the project is entered. */
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

/**
 * Marked and recent projects in all groups of the caller. Both lists are short, and contain only projects that the caller may enter now.
 */
export const listOwnProjects = endpoint({
  method: 'GET',
  path: '/api/v1/sys/my/project',
  summary: '本人收藏与最近进入的项目',
  needs: 'self',
  response: z.object({ starred: z.array(ownProject), recent: z.array(ownProject) }),
})

/** Puts a project at the top of the caller's own lists, as the active group or another group of the caller. */
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
