import { z } from 'zod'
import { filled, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'

/** 未提交, 待监理审核, 已归, 已退回. */
export type PaperState = '0' | '1' | '2' | '3'
export const paperStates: Readonly<Record<PaperState, string>> = { 0: '未提交', 1: '待监理审核', 2: '已归', 3: '已退回' }

/** Handed to 监理. */
export const waitingPaper: PaperState = '1'

export const mostPaperFiles = 12
export const paperFiles = z.array(filled(400, '文件')).min(1, '请上传文件').max(mostPaperFiles, `一份资料最多 ${mostPaperFiles} 个文件`)

const writes = { needs: 'documents.upload', acts: 'site', turn: 'author' } as const
/** The code with which 监理 accepts steps, too. */
const decides = { needs: 'safety-management.review', acts: 'supervisor', turn: 'supervisor' } as const

/** Transitions of a paper of the quality library. `author`: the group that uploaded it; `supervisor`: 监理 of the project. */
export const paperMoves = {
  submit: { ...writes, label: '提交监理审核', from: ['0', '3'], to: '1', asks: {} },
  newVersion: { ...writes, label: '上传新版本', from: ['0', '3'], to: null, asks: { files: paperFiles } },
  approve: { ...decides, label: '审核通过', from: ['1'], to: '2', asks: { opinion: text(200, '意见').default('') } },
  return: { ...decides, label: '退回', from: ['1'], to: '3', asks: { reason: text(200, '退回原因').min(5, '退回原因至少 5 个字') } },
} as const satisfies Record<string, Move<PaperState>>
export type PaperAction = keyof typeof paperMoves
