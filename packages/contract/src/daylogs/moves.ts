import type { z } from 'zod'
import { nullable, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import { blockFields, constructionFields, ownFields, safetyFields } from './fields.ts'

/** 草稿, 已提交, 已归档, 已退回. */
export type LogState = '0' | '1' | '2' | '3'
export const logStates: Readonly<Record<LogState, string>> = { 0: '草稿', 1: '已提交', 2: '已归档', 3: '已退回' }
export const draftLog: LogState = '0'
export const submittedLog: LogState = '1'
export const returnedLog: LogState = '3'

const why = (label: string) => text(500, label).min(5, `${label}至少 5 个字`)
const remark = { content: text(500, '批阅').min(2, '请填写批阅内容') }
const answers = { commentId: text(64, '批阅').min(1, '请选择批阅'), content: text(500, '回复').min(2, '请填写回复') }
const known = ['1', '2', '3'] as const

interface Hands {
  writes: Pick<Move, 'needs' | 'acts' | 'turn'>
  reads: Pick<Move, 'needs' | 'acts' | 'turn'>
  archives: Pick<Move, 'needs' | 'acts' | 'turn'>
}

/** Transitions that every kind of log has. */
function movesOf<const Fields extends z.ZodRawShape, const H extends Hands>(fields: Fields, { writes, reads, archives }: H) {
  return {
    save: { ...writes, label: '存草稿', from: ['0'], to: null, asks: fields, unlogged: true },
    submit: { ...writes, label: '提交', from: ['0', '3'], to: '1', asks: fields },
    edit: { ...writes, label: '修改', from: ['1'], to: null, asks: { ...fields, reason: nullable(text(500, '修改原因')) } },
    comment: { ...reads, label: '批阅', from: known, to: null, asks: remark },
    answer: { ...writes, label: '回复批阅', from: known, to: null, asks: answers },
    archive: { ...archives, label: '归档', from: ['1'], to: '2', asks: {} },
  } as const satisfies Readonly<Record<string, Move<LogState>>>
}

const comment = 'safety-management.comment'
/** Whoever writes logs also answers comments. */
export const logWriter = 'safety-management.edit'
const archive = ['safety-management.archive', 'safety-management.review'] as const
/** Returned by whoever reviews, not by the site itself. */
const sendBack = {
  needs: 'safety-management.review',
  acts: 'review',
  turn: 'reader',
  label: '退回',
  from: ['1'],
  to: '3',
  asks: { opinion: why('退回原因') },
} as const satisfies Move<LogState>

const ofSite = {
  writes: { needs: logWriter, acts: 'site', turn: 'site' },
  reads: { needs: comment, acts: 'review', turn: 'reader' },
  archives: { needs: archive, acts: 'review', turn: 'everybody' },
} as const satisfies Hands
const ofUnit = {
  writes: { needs: logWriter, acts: 'aside', turn: 'author' },
  reads: { needs: comment, acts: 'aside', turn: 'colleague' },
  archives: { needs: archive, acts: 'aside', turn: 'group' },
} as const satisfies Hands

/** `site`: the project and the companies that run it; `reader`: everybody else who sees it. */
export const safetyMoves = { ...movesOf(safetyFields, ofSite), return: sendBack } as const
export const constructionMoves = {
  ...movesOf(constructionFields, ofSite),
  return: sendBack,
  block: {
    ...ofSite.writes,
    label: '补充分项',
    from: ['0', '1', '3'],
    to: null,
    asks: { blockId: nullable(ref('logBlock')), ...blockFields },
  },
} as const
/** `author`: who wrote it; `colleague`: another of his institution; `group`: his institution. */
export const ownMoves = movesOf(ownFields, ofUnit)
