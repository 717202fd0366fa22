import { z } from 'zod'
import { filled, instant, nullable, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import { dict } from '../settings/dict-field.ts'
import { type AnnouncementState, type LineKind, lineKinds, longestText, mostFiles, mostLines, mostRoles, mostTargets } from './model.ts'

const ids = (subject: 'group' | 'member') => z.array(ref(subject)).max(mostTargets, `一行最多 ${mostTargets} 个`).default([])
export const lineFields = z.object({
  kind: z.enum(Object.keys(lineKinds) as [LineKind, ...LineKind[]], { error: '请选择范围' }),
  /** Area codes of a line 区划. */
  areas: z.array(text(12, '区划')).max(mostTargets).default([]),
  /** Groups of a line 机构, 企业 or 项目. */
  groups: ids('group'),
  /** Members of the sender's own group. */
  members: ids('member'),
  /** Names of roles; empty: everybody. */
  roles: z.array(filled(40, '角色')).max(mostRoles, `角色最多 ${mostRoles} 个`).default([]),
  /** Groups that this line leaves out. */
  except: ids('group'),
})
export const lines = z.array(lineFields).max(mostLines, `接收范围最多 ${mostLines} 行`)
export type NoticeLine = z.output<typeof lineFields>

export const noticeFields = {
  title: filled(100, '标题'),
  type: dict('noticeType', '类型'),
  content: z.string({ error: '正文格式不正确' }).max(longestText, `正文最多 ${longestText} 个字符，更长的请作为附件上传`).default(''),
  files: z.array(text(400, '附件')).max(mostFiles, `附件最多 ${mostFiles} 个`).default([]),
  needReceipt: z.boolean().default(false),
  /** A receipt needs a drawn signature. */
  needSignature: z.boolean().default(false),
  /** Asked of notices with a receipt. */
  deadline: nullable(instant),
  top: z.boolean().default(false),
  /** Publish at this time instead of at once. */
  publishAt: nullable(instant),
  lines: lines.default([]),
}

/** How many recipients the sender was shown; needed above `askedAbove`. */
const confirmed = { confirmed: z.number().int().nullable().default(null) }
const edit = { needs: 'documents.noticeEdit', acts: 'aside', turn: 'sender' } as const
const publish = { needs: 'documents.noticePublish', acts: 'aside', turn: 'sender' } as const

export const noticeMoves = {
  edit: { ...edit, label: '修改', from: ['0'], to: null, asks: noticeFields, unlogged: true },
  submit: { ...edit, label: '提交审核', from: ['0'], to: '1', asks: {} },
  withdraw: { ...edit, label: '撤回审核', from: ['1', '5'], to: '0', asks: {} },
  publish: { ...publish, label: '发布', from: ['0'], to: ['2', '5'], asks: confirmed },
  approve: { ...publish, label: '审核通过', from: ['1'], to: ['2', '5'], asks: confirmed },
  reject: { ...publish, label: '退回', from: ['1'], to: '0', asks: { opinion: filled(200, '退回原因') } },
  recall: {
    needs: 'documents.noticeRecall',
    acts: 'aside',
    turn: 'sender',
    label: '撤回',
    from: ['2', '4'],
    to: '3',
    asks: { reason: filled(200, '撤回原因') },
  },
  remind: { ...edit, label: '催办', from: ['2', '4'], to: null, asks: {} },
} as const satisfies Record<string, Move<AnnouncementState>>
export type NoticeAction = keyof typeof noticeMoves
