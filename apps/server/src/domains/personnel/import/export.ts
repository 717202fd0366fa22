import { ref } from '@zhugong/contract/kit/fields'
import { importColumns, importIssueKinds, importList, importRowStates, rowFilters } from '@zhugong/contract/personnel/import'
import { exportOf, type ListContext, registerExport } from '../../exports/registry.ts'
import type { StoredRow } from './check.ts'
import { openCells } from './check.ts'
import { countFound, countImports, findImport, findRows, importRecords, masked } from './rows.ts'

/** Rows decrypted at a time. */
const opened = 500
const resultQuery = rowFilters.extend({ id: ref('workerImport') })

async function* rowsOf(ctx: ListContext, query: ReturnType<typeof resultQuery.parse>) {
  const one = await findImport(ctx, query.id)
  for (let offset = 0; ; offset += opened) {
    const rows = await findRows(ctx, one.id, query, { limit: opened, offset })
    for (const row of rows) yield { ...row, shown: masked(openCells(ctx, row)) }
    if (rows.length < opened) return
  }
}
type Shown = StoredRow & { shown: ReturnType<typeof masked> }

const outcomes = { created: '新建档案', joined: '并入已有档案' } as const

export function registerImportExports(): void {
  exportOf(
    importList,
    {
      title: '人员导入记录',
      widths: { fileName: 36, projectName: 30, createTime: 20 },
      async *rows(ctx, query) {
        yield* await importRecords(ctx, query)
      },
      count: countImports,
    },
    {
      kind: (r) => r.kindName,
      state: (r) => r.stateName,
    },
  )
  // The result of every row. Numbers are masked, since the file is passed on to the teams.
  registerExport<ReturnType<typeof resultQuery.parse>, Shown>({
    feature: 'workerImportResult',
    title: '人员导入结果',
    query: resultQuery,
    columns: [
      { key: 'row', title: '行号', width: 8, value: (r) => r.rowNo },
      { key: 'state', title: '结果', width: 10, value: (r) => importRowStates[r.state] },
      { key: 'result', title: '档案', width: 14, value: (r) => (r.result ? outcomes[r.result] : null) },
      {
        key: 'issues',
        title: '原因',
        width: 50,
        value: (r) => r.issues.map((i) => `${importIssueKinds[i.kind]}：${i.text}`).join('；'),
      },
      ...importColumns.map((c) => ({ key: c.key, title: c.title, width: 16, value: (r: Shown) => r.shown[c.key] })),
    ],
    rows: rowsOf,
    count: async (ctx, query) => countFound(ctx, (await findImport(ctx, query.id)).id, query),
  })
}
