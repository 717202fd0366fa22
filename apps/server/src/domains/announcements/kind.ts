import { type AnnouncementState, noticeStates, stateOf } from '@zhugong/contract/announcements/model'
import { noticeMoves } from '@zhugong/contract/announcements/moves'
import { sql } from 'kysely'
import { found } from '#kit/context'
import type { Row } from '#kit/db'
import type { Kind, Stated, Todo } from '../process/public.ts'

export const noun = '通知'
export type Announcement = Row<'announcement'> & Stated & { state: AnnouncementState }

export const toStated = (row: Row<'announcement'>): Announcement => ({
  ...row,
  projectCode: null,
  corpCode: null,
  shownAt: null,
  groups: [row.groupId],
})

export const noticePage = (id: string): string => `/infoNotice?id=${id}`

/** The sender's side. Readers read and sign without changing the record. */
export const announcementKind: Kind<Announcement, typeof noticeMoves> = {
  kind: 'notice',
  noun,
  table: 'announcement',
  moves: noticeMoves,
  stateName: (state) => noticeStates[state as AnnouncementState] ?? state,
  lock: async (ctx, id) => {
    const { rows } = await sql<Row<'announcement'>>`select a.* from announcement a
      where a.id = ${id} and a.group_id = ${ctx.group.id} for update`.execute(ctx.db)
    return toStated(found(rows[0], noun))
  },
  turns: { sender: (ctx, row) => row.groupId === ctx.group.id },
  hinder: (ctx, row, action) => {
    if (action === 'approve' && row.submitBy === ctx.user.id) return '提交人不能审核自己的通知，请由另一位有发布权限的人审核'
    if (action === 'submit' && ctx.codes.has('documents.noticePublish')) return '您有发布权限，可直接发布'
    if (action === 'remind' && row.state === stateOf.expired && !row.needReceipt) return '没有需要催办的人'
    return undefined
  },
  todos: (row) => todosOf(row),
}

export function todosOf(row: Announcement): Todo[] {
  if (row.state !== stateOf.submitted) return []
  return [
    {
      turn: 'sender',
      forGroup: row.groupId,
      codes: [noticeMoves.approve.needs],
      title: `审核通知“${row.title}”`,
      link: noticePage(row.id),
      due: null,
    },
  ]
}
