import { z } from 'zod'
import { day, filled, nullable, pointsTo, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import { dict } from '../settings/dict-field.ts'

/** 草稿, 签字中, 已完成, 已归档, 已作废. */
export type BriefingState = '0' | '1' | '2' | '3' | '9'
export const briefingStates = { draft: '0', signing: '1', done: '2', archived: '3', void: '9' } as const
export const briefingStateNames: Readonly<Record<BriefingState, string>> = {
  0: '草稿',
  1: '签字中',
  2: '已完成',
  3: '已归档',
  9: '已作废',
}

/** 方案交底, 监督交底, 监理交底: briefings of managers. */
export const managerKinds = { plan: '方案交底', authority: '监督交底', supervisor: '监理交底' } as const
const mostReceivers = 200
export const mostContent = 4000
export const mostBriefingFiles = 12
const mostMeasures = 20
const shortestContent = 20

const files = z.array(text(400, '附件')).max(mostBriefingFiles, `附件最多 ${mostBriefingFiles} 个`)
const receivers = z.array(ref('projectWorker')).max(mostReceivers, `被交底人最多 ${mostReceivers} 名`)
const reason = text(200, '原因').min(5, '原因至少 5 个字')

const shared = {
  name: filled(100, '交底名称'),
  part: filled(200, '部位'),
  bigProjectId: nullable(ref('bigproject')),
  content: text(mostContent, '交底内容').min(shortestContent, `交底内容至少 ${shortestContent} 个字`),
  files: files.default([]),
  /** yyyy-MM-dd. */
  date: day,
  discloser: filled(50, '交底人'),
  /** Stays of the people who are briefed. */
  receivers: receivers.default([]),
  /** The void briefing that this one replaces. */
  replacesId: nullable(ref('briefing')),
}

/** A briefing of a gang before its shift. */
export const gangFields = {
  ...shared,
  workType: dict('workerType', '工种'),
  corpCode: ref('corporation'),
  /** Null: people of several gangs. */
  teamId: nullable(ref('team')),
  /** The full-time safety officer who witnesses it. */
  witness: nullable(text(50, '见证的安全员')),
  /** Safety measures whose text was taken over. */
  measureIds: z.array(ref('safetyMeasure')).max(mostMeasures, `引用的措施最多 ${mostMeasures} 条`).default([]),
}
/** A briefing of managers about a plan or the supervision of a site. */
export const managerFields = {
  ...shared,
  kind: z.enum(Object.keys(managerKinds) as [keyof typeof managerKinds, ...(keyof typeof managerKinds)[]], { error: '请选择交底类型' }),
}

/** What the page said would become void. */
const voiding = z.number().int('请刷新后重试').min(0, '请刷新后重试')
const someone = pointsTo('briefingReceiver', z.string().regex(/^[0-9a-f]{32}$/, '编号格式不正确'))

type Writes = { needs: 'safety-management.edit'; acts: 'own' | 'review'; turn: 'author' }
/** `author`: the group that wrote it; `overseer`: whoever looks at the site from outside; `reader`: whoever sees the record. */
const movesOf = <const F extends z.ZodRawShape, const A extends Writes['acts']>(acts: A, fields: F) => {
  const writes = { needs: 'safety-management.edit', acts, turn: 'author' } as const
  const collects = { ...writes, needs: 'safety-management.signCollect' } as const
  return {
    save: { ...writes, label: '保存草稿', from: ['0'], to: null, asks: fields, unlogged: true },
    begin: { ...writes, label: '发起签字', from: ['0'], to: '1', asks: fields },
    amend: { ...writes, label: '修改内容', from: ['1'], to: null, asks: { ...fields, voiding } },
    add: { ...collects, label: '增加人员', from: ['1'], to: null, asks: { receivers: receivers.min(1, '请选择人员') } },
    excuse: { ...collects, label: '标记未到', from: ['1'], to: null, asks: { receiverId: someone, reason } },
    scan: {
      ...collects,
      label: '登记纸质签字',
      from: ['1'],
      to: null,
      asks: { files: files.min(1, '请附签字单扫描件'), signers: z.array(someone).min(1, '请选择扫描件上签字的人') },
    },
    finish: { ...writes, label: '提交', from: ['1'], to: '2', asks: {} },
    archive: { needs: 'safety-management.archive', acts, turn: 'author', label: '归档', from: ['2'], to: '3', asks: {} },
    void: { ...writes, label: '作废', from: ['1', '2'], to: '9', asks: { reason } },
    redo: {
      needs: ['safety-management.edit', 'safety-management.review'],
      acts: 'review',
      turn: 'overseer',
      label: '要求重做',
      from: ['1', '2', '3'],
      to: '9',
      asks: { reason },
    },
    comment: {
      needs: 'safety-management.comment',
      acts: 'review',
      turn: 'reader',
      label: '批阅',
      from: ['1', '2', '3', '9'],
      to: null,
      asks: { opinion: text(500, '意见').min(2, '意见至少 2 个字') },
    },
    remind: {
      needs: 'safety-management.comment',
      acts: 'review',
      turn: 'overseer',
      label: '督促',
      from: ['1'],
      to: null,
      asks: {},
    },
  } as const satisfies Record<string, Move<BriefingState>>
}

export const gangMoves = movesOf('own', gangFields)
export const managerMoves = movesOf('review', managerFields)
export type BriefingAction = keyof typeof gangMoves

/** The two process types: of gangs, and of managers. */
export type BriefingType = 'safetyPTechnical' | 'technical'
