import {
  nearDays,
  type ReaderState,
  type ReceiptState,
  readableStates,
  shownStates,
  stateOf,
  waitingStates,
} from '@zhugong/contract/announcements/model'
import { dayMs } from '@zhugong/contract/kit/time'
import { type RawBuilder, sql } from 'kysely'
import type { Context } from '#kit/context'
import { type Condition, condition } from '#kit/list'

type Reader = Pick<Context, 'group' | 'user' | 'clock'>
type Bool = RawBuilder<unknown>
const now = (ctx: Pick<Context, 'clock'>) => sql`${new Date(ctx.clock.now())}::timestamptz`
export const states = (of: readonly string[]): RawBuilder<unknown> => sql`${[...of]}::text[]`

/** Recipient `r` of notice `a`: neither read nor signed as it asks. */
export const isMissing: Bool = sql`case when a.need_receipt then r.receipt_time is null else r.read_time is null end`

/** Recipient `r` as the sender sees it. */
export const receiptState = (ctx: Pick<Context, 'clock'>): RawBuilder<ReceiptState> => sql`case
  when r.receipt_time is not null then 'signed'
  when a.need_receipt and a.deadline < ${now(ctx)} then 'overdue'
  when r.read_time is null then 'unread'
  when a.need_receipt then 'unsigned' else 'read' end`

/** The caller is still in the group by which he was reached. */
const isMember = ({ user, group }: Reader): Bool =>
  sql`exists (select 1 from member m where m.user_id = ${user.id} and m.group_id = ${group.id} and m.enable = '1')`

/** Notices as `a`, with the caller's own receipt as `r`. */
export const received = (ctx: Reader): RawBuilder<unknown> => sql`from announcement a
  left join announcement_reader r on r.announcement_id = a.id and r.user_id = ${ctx.user.id} and r.group_id = ${ctx.group.id} and ${isMember(ctx)}`

/** The caller joined a group that notice `a` had reached, after it was published. */
export const joinedLater = ({
  user,
  group,
}: Reader): Bool => sql`exists (select 1 from announcement_unit u join member m on m.group_id = u.group_id
  where u.announcement_id = a.id and u.group_id = ${group.id} and m.user_id = ${user.id} and m.enable = '1' and m.create_time > a.publish_time
    and (u.roles is null or exists (select 1 from member_role mr join role ro on ro.id = mr.role_id
      where mr.member_id = m.id and ro.name = any (u.roles))))`

/** What readers have in their box: published, and addressed to the caller or to a group that the caller joined later. */
export const inBox = (ctx: Reader): Condition =>
  condition(sql`(a.state = any (${states(shownStates)}) and (r.user_id is not null or ${joinedLater(ctx)}))`)

/** Notice `a` from the side of the caller; null for others. */
export const readerState = (ctx: Reader): RawBuilder<ReaderState> => sql`case
  when a.state = ${stateOf.recalled} then 'recalled'
  when r.user_id is null then 'late'
  when a.need_receipt and r.receipt_time is not null then 'signed'
  when a.need_receipt and a.deadline < ${now(ctx)} then 'overdue'
  when a.need_receipt then 'unsigned'
  when r.read_time is null then 'unread' else 'read' end`

/** What waits for the caller: the bell, the home page, the to-do list and the list of notices count this. */
export const waits = (ctx: Reader): Condition =>
  condition(
    sql`(a.state = any (${states(readableStates)}) and r.user_id is not null and ${readerState(ctx)} = any (${states(waitingStates)}))`,
  )

/** The deadline is near, and the caller has not signed. */
export const isNear = (ctx: Reader): Bool =>
  sql`coalesce(a.need_receipt and r.receipt_time is null and a.deadline < ${new Date(ctx.clock.now() + nearDays * dayMs)}, false)`
