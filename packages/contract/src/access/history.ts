import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { paged, pageQuery, text } from '../kit/fields.ts'

/** Kinds of objects with a change history, and the code that opens their list. */
export const historyKinds = {
  user: 'user.view',
  member: 'role.view',
  adminGrant: 'adminGrant.view',
  role: 'role.view',
  tempRole: 'tempRole.view',
  function: 'function.view',
  app: 'app.view',
  category: 'app.view',
  menu: 'menu.view',
  scheme: 'menu.view',
  uiRule: 'menu.view',
  package: 'appPackage.edit',
  reportPush: 'report.set',
  flow: 'approval.set',
  dockingPlatform: 'docking.view',
} as const
export type HistoryKind = keyof typeof historyKinds
const kinds = Object.keys(historyKinds) as [HistoryKind, ...HistoryKind[]]

/** Who changed an object, when and how, limited to changes by the caller's group. An addition to the original API. */
export const objectHistory = endpoint({
  method: 'GET',
  path: '/api/v1/sys/audit/object',
  summary: '变更记录',
  needs: [...new Set(Object.values(historyKinds))],
  answers: 'list',
  query: pageQuery.extend({
    kind: z.enum(kinds, { error: '没有这类对象的变更记录' }),
    /** The id, or the code, that identifies the object in its list. */
    object: text(64, '对象').min(1, '请指明对象'),
  }),
  response: paged(z.object({ id: z.string(), at: z.string(), by: z.string(), groupName: z.string(), summary: z.string() })),
})
