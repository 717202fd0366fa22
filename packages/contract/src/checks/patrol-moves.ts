import { z } from 'zod'
import type { ActionRights } from '../kit/endpoint.ts'
import { filled, instant, nullable, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import type { RectifyState } from '../rectify/moves.ts'
import { problemInputs } from './problems.ts'

const mostRoundPhotos = 9
const mostCheckers = 10

/** What the checker writes of any patrol; a draft may be saved as often as needed. */
export const patrolFields = {
  /** Null: now. */
  checkTime: nullable(instant),
  /** Names; empty: the caller. */
  checkers: z.array(filled(50, '检查人')).max(mostCheckers, `检查人最多 ${mostCheckers} 名`).default([]),
  part: filled(100, '检查部位'),
  /** The place of the round; its problems have their own. */
  placeId: nullable(ref('sitePlace')),
  remark: nullable(text(500, '检查情况')),
  /** Of the round as a whole; a problem has its own. */
  photos: z.array(text(400, '照片')).max(mostRoundPhotos, `照片最多 ${mostRoundPhotos} 张`).default([]),
}
export const securityFields = { ...patrolFields, problems: problemInputs }

const usualRights = { needs: 'inspection.check', acts: 'review', turn: 'checker' } as const

/**
 * Transitions of a patrol. After it is submitted its state is that of its least advanced notice, and moves with the notices.
 * `checker`: the group that holds the check. `rights`: who writes it, where that is not whoever reviews the site.
 */
export const patrolMoves = <const Fields extends z.ZodRawShape, const Rights extends ActionRights & { turn: string } = typeof usualRights>(
  asks: Fields,
  rights: Rights = usualRights as unknown as Rights,
) =>
  ({
    save: { ...rights, label: '保存草稿', from: ['0'], to: null, unlogged: true, asks },
    submit: { ...rights, label: '提交', from: ['0'], to: ['1', '7'], asks },
  }) as const satisfies Record<string, Move<RectifyState>>

/** 安全检查. */
export const securityMoves = patrolMoves(securityFields)
export type PatrolAction = keyof typeof securityMoves
