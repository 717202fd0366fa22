import { cellStates, type PaperColumn } from '@zhugong/contract/papers/catalogue'
import { type LotRow, qualityList } from '@zhugong/contract/papers/quality'
import { safetyList } from '@zhugong/contract/papers/safety'
import { exportOf, inOnePiece } from '../exports/registry.ts'
import { dutiesFor } from './duty-rows.ts'
import { lotsFor } from './matrix.ts'

const cellOf = (column: PaperColumn) => (lot: LotRow) => {
  const cell = lot.cells.find((one) => one.column === column)
  if (!cell) return ''
  return cell.count > 0 ? `${cellStates[cell.state]} ${cell.count}` : cellStates[cell.state]
}

export function registerPaperExports(): void {
  exportOf(
    qualityList,
    {
      title: '质量资料',
      widths: { unitName: 24, placeName: 28 },
      ...inOnePiece(async (ctx, query: (typeof qualityList.call.types & object)['parsed']['query']) => (await lotsFor(ctx, query)).list),
    },
    {
      lot: cellOf('lot'),
      hidden: cellOf('hidden'),
      retest: cellOf('retest'),
      measure: cellOf('measure'),
      test: cellOf('test'),
      photo: cellOf('photo'),
    },
  )
  exportOf(
    safetyList,
    {
      title: '安全资料',
      widths: { item: 40, source: 30, reason: 40, filedAt: 20 },
      ...inOnePiece(async (ctx, query: (typeof safetyList.call.types & object)['parsed']['query']) => (await dutiesFor(ctx, query)).list),
    },
    {
      group: (d) => d.groupName,
      rhythm: (d) => d.rhythmName,
      state: (d) => (d.late ? `${d.stateName}（后补）` : d.stateName),
      source: (d) => d.sourceName,
    },
  )
}
