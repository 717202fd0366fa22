import { sheetList } from '@zhugong/contract/sheets/calls'
import { partySeats } from '@zhugong/contract/sheets/seats'
import { exportOf } from '../exports/registry.ts'
import { conditions, countRows, readRows } from './rows.ts'

const words = { open: '未签', signed: '已签', refused: '拒签' } as const

export function registerSheetExport(): void {
  exportOf(
    sheetList,
    {
      title: '监督记录单',
      widths: { code: 30, projectName: 28, docType: 26, checkPart: 24, signed: 30 },
      async *rows(ctx, query) {
        yield* await readRows(ctx, conditions(ctx, query), { sort: query.sort })
      },
      count: (ctx, query) => countRows(ctx, conditions(ctx, query)),
    },
    {
      docType: (r) => r.docTypeName,
      officers: (r) => r.officers.join('、'),
      opinion: (r) => r.opinionName,
      signed: (r) =>
        [
          [partySeats.owner, r.owner],
          [partySeats.contractor, r.contractor],
          [partySeats.supervisor, r.supervisor],
        ]
          .map(([name, state]) => `${name}${words[state as keyof typeof words]}`)
          .join('，'),
      rectifyCount: (r) => r.rectifyCount,
      state: (r) => r.stateName,
    },
  )
}
