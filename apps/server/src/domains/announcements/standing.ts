import { type AnnouncementState, shownStates } from '@zhugong/contract/announcements/model'
import { AppError } from '@zhugong/contract/kit/errors'
import { sql } from 'kysely'
import { found } from '#kit/context'
import type { Row } from '#kit/db'
import { inBox, received } from './conditions.ts'
import { noun } from './kind.ts'
import type { NoticeReader } from './rows.ts'

type Notice = Row<'announcement'>
type Receipt = Pick<Row<'announcementReader'>, 'name' | 'readTime' | 'receiptTime' | 'signFile'>

/** How the caller stands to a notice: sender, supervisor of the sender, recipient. Undefined: not at all. */
interface ViewerRights {
  row: Notice
  own: boolean
  /** Sender or above: sees the receipts. */
  oversees: boolean
  receives: boolean
  receipt: Receipt | undefined
}

/** The notice with the caller's standing. @throws AppError `notFound` for everybody else */
export async function standingOf(ctx: NoticeReader, id: string): Promise<ViewerRights> {
  const { rows } = await sql<Notice>`select a.* from announcement a where a.id = ${id}`.execute(ctx.db)
  const row = found(rows[0], noun)
  const own = row.groupId === ctx.group.id
  const edits = ctx.codes.has('documents.noticeEdit') || ctx.codes.has('documents.noticePublish')
  const shown = shownStates.includes(row.state as AnnouncementState)
  const oversees = edits && (own || (shown && row.above.includes(ctx.group.id)))
  const mine = await sql<
    Receipt & { counted: boolean }
  >`select r.user_id is not null as counted, r.name, r.read_time, r.receipt_time, r.sign_file
    ${received(ctx)} where a.id = ${id} and ${inBox(ctx)}`.execute(ctx.db)
  const receives = mine.rows[0] !== undefined
  if (!oversees && !receives) throw new AppError('notFound', `${noun}不存在或已删除`)
  return { row, own, oversees, receives, receipt: mine.rows[0]?.counted ? mine.rows[0] : undefined }
}
