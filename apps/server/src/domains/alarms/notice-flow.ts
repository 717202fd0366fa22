import { answersNotices, mostNoticePhotos, type NoticeKind, noticeKinds } from '@zhugong/contract/alarms/notices'
import { AppError } from '@zhugong/contract/kit/errors'
import { approvalStates } from '@zhugong/contract/workflow/flow'
import { sql } from 'kysely'
import { z } from 'zod'
import { changeRow } from '#kit/change-row'
import { formatInstant } from '#kit/clock'
import type { Context } from '#kit/context'
import type { Db, Tx } from '#kit/db'
import { fileIdsOf, keptFiles } from '../files/public.ts'
import { type Decision, type FlowStart, type Item, registerKind, type WorkDocument } from '../workflow/public.ts'
import { writeStep } from './notice-course.ts'

/** Approval kind of 现场通知: the site's people answer the notice or return it with a reason. */
export const noticeKind = 'notice'

interface NoticeRow {
  id: string
  projectCode: string
  kind: NoticeKind
  text: string
  deadline: Date
  replyWanted: boolean
  photoWanted: boolean
  alarmId: string | null
  files: string[]
  subject: string
  fromId: string
  fromName: string
  fromGroup: string | null
  fromGroupName: string
  state: string
  answer: string | null
  createTime: Date
}

export function registerNoticeKind(): void {
  registerKind({
    kind: noticeKind,
    name: '现场通知',
    noun: '此通知',
    prefix: 'XCTZ',
    facts: { kind: { label: '通知类型', type: 'code', options: noticeKinds }, reply: { label: '须答复', type: 'flag' } },
    flow: [{ key: 'site', name: '项目答复', places: ['site'], by: { kind: 'code', code: answersNotices }, locked: true }],
    words: { pass: '已答复', reject: '已退回', open: '待您答复', act: '答复' },
    withdraw: 'running',
    withdrawBy: 'group',
    reads: ['alarm.view', answersNotices],
    link: ({ objectId, projectCode }) => `/notice?noticeId=${objectId}&projectCode=${projectCode ?? ''}`,
    document: noticeDocument,
    findings: async ({ db, clock }, item) => {
      const row = await rowOf(db, item.objectId)
      return row && row.deadline.getTime() < clock.now() ? [{ level: 'bad', text: `已过期限 ${formatInstant(row.deadline)}` }] : []
    },
    waiting: waitingNotices,
    decided: writeDecision,
  })
}

const columns = sql`n.id, n.project_code, n.kind, n.text, n.deadline, n.reply_wanted, n.subject, n.from_id, n.from_name, n.from_group, n.from_group_name, n.state, n.answer,
  n.photo_wanted, n.alarm_id, n.files, n.create_time`
async function rowOf(db: Db | Tx, id: string): Promise<NoticeRow | undefined> {
  return (await sql<NoticeRow>`select ${columns} from site_notice n where n.id = ${id}`.execute(db)).rows[0]
}

export const flowStart = (
  n: Pick<NoticeRow, 'id' | 'projectCode' | 'kind' | 'text' | 'deadline' | 'replyWanted' | 'subject'>,
  groupId: string,
): FlowStart => ({
  kind: noticeKind,
  groupId,
  projectCode: n.projectCode,
  objectId: n.id,
  title: `${noticeKinds[n.kind]}：${n.subject || n.text}`,
  facts: { kind: n.kind, reply: n.replyWanted },
  due: n.deadline,
})

async function noticeDocument({ db }: Pick<Context, 'db'>, id: string): Promise<WorkDocument | undefined> {
  const row = await rowOf(db, id)
  return (
    row && {
      fields: [
        { label: '类型', value: noticeKinds[row.kind] },
        { label: '事由', value: row.subject || null },
        { label: '内容', value: row.text },
        { label: '期限', value: formatInstant(row.deadline) },
        { label: '须答复', value: row.replyWanted ? '是' : '否' },
        // Only added if required, because earlier signed documents do not contain this field.
        ...(row.photoWanted ? [{ label: '须附照片', value: '是' }] : []),
        { label: '发出', value: `${row.fromGroupName} ${row.fromName}` },
      ],
    }
  )
}

async function waitingNotices(db: Db | Tx, objectId?: string): Promise<FlowStart[]> {
  const { rows } = await sql<NoticeRow & { siteGroup: string }>`
    select ${columns}, t.id as site_group from site_notice n join tenant t on t.type = 3 and t.code = n.project_code
    where n.state = ${approvalStates.running} and ${objectId === undefined ? sql`true` : sql`n.id = ${objectId}`}
      and not exists (select 1 from work_item i where i.kind = ${noticeKind} and i.object_id = n.id and i.state = '1')`.execute(db)
  return rows.map((n) => ({
    ...flowStart(n, n.fromGroup ?? n.siteGroup),
    since: n.createTime,
    applicant: { id: n.fromId, name: n.fromName, groupId: n.fromGroup ?? n.siteGroup },
  }))
}

const chosen = z.object({ photos: z.array(z.string().max(400)).max(mostNoticePhotos) })

/** The first answer is stored on the notice; further opinions are stored in the item only. */
async function writeDecision(ctx: Context, item: Item, { act, opinion, state, at, choice }: Decision): Promise<void> {
  const row = await rowOf(ctx.db, item.objectId)
  if (!row) throw new AppError('refused', '通知不存在，不能办理')
  if (act === 'pass' && row.replyWanted && !row.answer && opinion.length < 2)
    throw new AppError('invalidInput', '请填写答复（至少 2 个字）', { field: 'text' })
  if (act === 'withdraw' && opinion.length < 2) throw new AppError('invalidInput', '请填写撤回原因（至少 2 个字）', { field: 'text' })
  const photos = act === 'pass' ? (chosen.safeParse(choice).data?.photos ?? []) : []
  if (act === 'pass' && row.photoWanted && photos.length === 0 && row.files.length === 0)
    throw new AppError('invalidInput', '此通知要求附现场照片，请在“现场通知”中答复并上传', { field: 'photos' })
  const files = photos.length > 0 ? await keptFiles(ctx, fileIdsOf(photos), row.files, 'photos') : row.files
  const isOver = state !== approvalStates.running
  const answer = act === 'pass' ? (row.answer ?? (opinion || null)) : isOver ? opinion || null : null
  await changeRow(ctx, 'siteNotice', {
    key: { id: row.id },
    version: null,
    noun: '通知',
    values: {
      state,
      answer,
      files,
      doneName: isOver ? `${ctx.group.name} ${ctx.user.name}`.trim() : null,
      doneTime: isOver ? at : null,
      readTime: sql`coalesce(read_time, ${act === 'pass' || act === 'reject' ? at : null})`,
      readName: sql`coalesce(read_name, ${act === 'pass' || act === 'reject' ? ctx.user.name : null})`,
    },
  })
  const action = act === 'pass' ? 'answer' : act === 'reject' ? 'return' : 'withdraw'
  await writeStep(ctx, row, { action, text: opinion, files: act === 'pass' ? files : [] })
}
