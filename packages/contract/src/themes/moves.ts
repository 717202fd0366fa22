import { z } from 'zod'
import { patrolFields, patrolMoves } from '../checks/patrol-moves.ts'
import { mostProblems, problemInput } from '../checks/problems.ts'
import { day, filled, nullable, ref, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import { resultInput } from '../scoring/moves.ts'
import { orderCodes, registerCodes, themeCodes } from './catalogue.ts'

export type CampaignState = '0' | '1' | '2' | '3'
export const campaignStates = { draft: '0', running: '1', closed: '2', archived: '3' } as const
export const campaignStateNames: Readonly<Record<CampaignState, string>> = { 0: '草稿', 1: '进行中', 2: '已关闭', 3: '已归档' }

export const mostPoints = 30
export const mostOwnObjects = 100
export const mostObjects = 200
export const mostPersons = 20
const shortestReport = 20

export const pointFields = { name: filled(60, '检查要点'), requirement: filled(200, '要求') }
export const campaignFields = {
  title: filled(60, '专项名称'),
  theme: z.enum(themeCodes, { error: '请选择主题' }),
  orderedBy: z.enum(orderCodes, { error: '请选择组织方式' }),
  /** Title or number of what ordered it. */
  basis: nullable(text(200, '检查依据')),
  /** The notice that ordered it. */
  noticeId: nullable(ref('rectify')),
  startDate: day,
  endDate: day,
  persons: z.array(filled(50, '检查人')).min(1, '请填写检查人').max(mostPersons, `检查人最多 ${mostPersons} 名`),
  /** Checked as a whole; what joins them later appears as 新增未检. */
  registers: z.array(z.enum(registerCodes, { error: '台账不正确' })).max(registerCodes.length, '台账重复'),
  /** Objects that no register has. */
  ownObjects: z.array(filled(60, '检查对象')).max(mostOwnObjects, `自列对象最多 ${mostOwnObjects} 个`),
  points: z.array(z.object(pointFields)).min(1, '至少一个检查要点').max(mostPoints, `检查要点最多 ${mostPoints} 个`),
}

/** The site holds a campaign; `leader`: the group that set it up. */
export const leaderRights = { needs: 'safety-management.edit', acts: 'site', turn: 'leader' } as const

export const campaignMoves = {
  save: { ...leaderRights, label: '保存草稿', from: ['0'], to: null, asks: campaignFields, unlogged: true },
  start: { ...leaderRights, label: '发起', from: ['0'], to: '1', asks: campaignFields },
  report: {
    ...leaderRights,
    label: '保存总结',
    from: ['1'],
    to: null,
    asks: { report: text(5000, '总结').min(shortestReport, `总结至少 ${shortestReport} 个字`) },
  },
  close: { ...leaderRights, label: '关闭', from: ['1'], to: '2', asks: {} },
  archive: { needs: 'safety-management.archive', acts: 'site', turn: 'leader', label: '归档', from: ['2'], to: '3', asks: {} },
} as const satisfies Record<string, Move<CampaignState>>
export type CampaignAction = keyof typeof campaignMoves

const objectInput = z.object({
  /** As the campaign names its object. */
  key: filled(100, '检查对象'),
  /** Why the object does not apply; null: it does. */
  notApplicable: nullable(text(100, '不涉及原因')),
  items: z
    .array(resultInput.omit({ deduction: true }))
    .max(mostPoints, `检查要点最多 ${mostPoints} 个`)
    .default([]),
})
export type ObjectInput = z.output<typeof objectInput>

const { checkTime, checkers, remark } = patrolFields
export const themeCheckFields = {
  campaignId: ref('themeCampaign'),
  checkTime,
  checkers,
  remark,
  objects: z.array(objectInput).min(1, '至少检查一个对象').max(mostObjects, `一次最多检查 ${mostObjects} 个对象`),
  /** Of each point that does not fit; `part` is the name of its object. */
  problems: z.array(problemInput.extend({ itemCode: filled(32, '检查要点') })).max(mostProblems, `一次检查最多 ${mostProblems} 个问题`),
}
/** `checker`: the group that holds the check. */
export const themeRights = { needs: 'safety-management.edit', acts: 'site', turn: 'checker' } as const
export const themeMoves = patrolMoves(themeCheckFields, themeRights)
