import {
  changeAnnouncement,
  createAnnouncement,
  getAnnouncement,
  type NoticeRow,
  previewRecipients,
  removeAnnouncement,
} from '@zhugong/contract/announcements/calls'
import { askedAbove, remindHours, stateOf } from '@zhugong/contract/announcements/model'
import type { NoticeAction, NoticeLine } from '@zhugong/contract/announcements/moves'
import { askReason, confirmDanger } from '#kit/ask.ts'
import { call, useAct } from '#kit/call.ts'
import { thousands } from '#kit/format.ts'
import { useGo } from '#kit/page.tsx'
import type { RowAction } from '#kit/row-actions.tsx'
import { uid } from '#kit/uid.ts'
import { anyProject, paths } from './words.tsx'

type Plain = Exclude<NoticeAction, 'edit' | 'publish' | 'approve' | 'reject' | 'recall'>
export interface Subject {
  id: string
  title: string
  version: number
}
const said: Readonly<Record<string, string>> = {
  [stateOf.draft]: '已退回草稿',
  [stateOf.submitted]: '已提交审核',
  [stateOf.timed]: '已排定，到时自动发布',
  [stateOf.published]: '已发布',
  [stateOf.recalled]: '已撤回',
}

/** What a sender does with a notice; questions that an action needs are asked here. */
export function useNoticeActs() {
  const go = useGo()
  const change = useAct(changeAnnouncement, {
    success: ({ told, state }) => (told > 0 ? `已提醒 ${told} 人` : (said[state] ?? '已办理')),
  })
  const remove = useAct(removeAnnouncement, { success: '已删除' })
  const input = ({ id, version }: Subject) => ({ params: { id }, query: anyProject, version })
  const plain = (one: Subject, action: Plain) => {
    const { version, ...where } = input(one)
    return change.run({ ...where, body: { action, version } })
  }
  /** Publishes or agrees; a large number of recipients is confirmed by its number. */
  const send = async (one: Subject, action: 'publish' | 'approve', lines: readonly NoticeLine[]) => {
    const { people } = await call(previewRecipients, { query: anyProject, body: { lines: [...lines] } })
    if (
      people > askedAbove &&
      !(await confirmDanger({
        thing: `发给 ${thousands(people)} 人`,
        consequence: '发布后正文不能修改，只能撤回。',
        verb: `发布给 ${thousands(people)} 人`,
      }))
    )
      return undefined
    const { version, ...where } = input(one)
    return change.run({ ...where, body: { action, version, confirmed: people } })
  }
  const sendById = async (one: Subject, action: 'publish' | 'approve') => {
    const { lines } = await call(getAnnouncement, { params: { id: one.id }, query: anyProject })
    return send(one, action, lines)
  }
  const withReason = async (one: Subject, action: 'reject' | 'recall') => {
    const text = await askReason(
      `${action === 'recall' ? '撤回' : '退回'}“${one.title}”`,
      action === 'recall' ? '撤回原因（接收人可见）' : '退回原因',
    )
    if (!text) return undefined
    const { version, ...where } = input(one)
    return change.run({ ...where, body: action === 'recall' ? { action, version, reason: text } : { action, version, opinion: text } })
  }
  const drop = async (one: Subject) => {
    if (await confirmDanger({ thing: `草稿“${one.title}”`, consequence: '删除后不能恢复。', verb: '删除' }))
      return remove.run({ params: { id: one.id }, query: anyProject })
    return undefined
  }
  /** A new draft with the same text and recipients; its deadline and time are set anew. */
  const copy = async ({ id: from }: Subject) => {
    const d = await call(getAnnouncement, { params: { id: from }, query: anyProject })
    const id = uid()
    await call(createAnnouncement, {
      query: anyProject,
      body: {
        id,
        title: d.title,
        type: d.type,
        content: d.content,
        files: d.files.map((one) => one.url),
        needReceipt: d.needReceipt,
        needSignature: d.needSignature,
        top: d.top,
        lines: d.lines.map(({ words: _, ...line }) => line),
      },
    })
    go(paths.edit, { id })
  }
  const run = (one: Subject, action: NoticeAction) =>
    action === 'publish' || action === 'approve'
      ? sendById(one, action)
      : action === 'reject' || action === 'recall'
        ? withReason(one, action)
        : action === 'edit'
          ? Promise.resolve(go(paths.edit, { id: one.id }))
          : plain(one, action)
  /** Actions of a row, from what the server offers. */
  const of = (row: NoticeRow): RowAction[] => [
    ...row.actions
      .filter(({ action }) => action !== 'edit')
      .map(({ action, label }) => ({
        label,
        danger: action === 'recall',
        disabled:
          action === 'remind' && row.urgedUntil !== null
            ? `${row.urgedUntil.slice(5, 16)} 之后可再催办（${remindHours} 小时一次）`
            : undefined,
        onClick: () => void run(row, action as NoticeAction),
      })),
    { label: '复制为草稿', needs: createAnnouncement, onClick: () => void copy(row) },
    ...(row.state === stateOf.draft ? [{ label: '删除', danger: true, needs: removeAnnouncement, onClick: () => void drop(row) }] : []),
  ]
  return { of, run, send, running: change.running || remove.running }
}
