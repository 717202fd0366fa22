import { z } from 'zod'
import { nullable, text } from '../kit/fields.ts'
import type { Move } from '../kit/process.ts'
import type { SeatRight } from '../kit/signatures.ts'
import { dict } from '../settings/dict-field.ts'

/** Dictionary houseState. */
export type HouseState = '0' | '1' | '2' | '3' | '4'
export const houseStates = { fresh: '0', running: '1', toFix: '2', toRecheck: '3', passed: '4' } as const
/** Of one item of a house. */
export const itemResultNames: Readonly<Record<string, string>> = { 1: '合格', 2: '不合格', 3: '不涉及' }
export type HouseItemResult = '1' | '2' | '3'

export const mostHousePhotos = 6
const mostItems = 100

export const houseItem = z.object({
  itemCode: dict('houseAcceptItem', '验收项'),
  result: z.enum(['1', '2', '3'], { error: '请选择结果' }),
  note: nullable(text(200, '说明')),
  photos: z.array(text(400, '照片')).max(mostHousePhotos, `照片最多 ${mostHousePhotos} 张`).default([]),
})
const items = z.array(houseItem).max(mostItems, `一次最多 ${mostItems} 项`)

const accept = { needs: 'inspection.houseAccept', acts: 'review', turn: 'party' } as const

/** Transitions of the acceptance of one house (建质〔2009〕291号). `party`: site, owner, contractor and 监理. */
export const houseMoves = {
  start: { ...accept, label: '开始验收', from: ['0'], to: '1', asks: {} },
  save: { ...accept, label: '保存验收项', from: ['1', '3'], to: null, asks: { items }, unlogged: true },
  accept: { ...accept, label: '提交验收', from: ['1'], to: ['4', '2'], asks: { items: items.default([]) } },
  fix: {
    label: '整改完成',
    from: ['2'],
    to: '3',
    needs: accept.needs,
    acts: 'site',
    turn: 'party',
    asks: {
      note: text(500, '整改情况').min(5, '整改情况至少 5 个字'),
      photos: z.array(text(400, '照片')).max(9, '照片最多 9 张').default([]),
    },
  },
  recheck: { ...accept, label: '复验', from: ['3'], to: ['4', '2'], asks: { items: items.default([]) } },
} as const satisfies Record<string, Move<HouseState>>
export type HouseAction = keyof typeof houseMoves

/** The parties that sign a house: 建设, 施工 and 监理. */
export const houseParties = { owner: '建设单位', contractor: '施工单位', supervisor: '监理单位' } as const
export const partyRights = {
  owner: { needs: accept.needs, acts: 'review', turn: 'owner' },
  contractor: { needs: accept.needs, acts: 'site', turn: 'contractor' },
  supervisor: { needs: accept.needs, acts: 'supervisor', turn: 'supervisor' },
} as const satisfies Record<string, SeatRight>
