import { importPiles, listPiles, pileColumns, pileTemplate } from '@zhugong/contract/monitoring/pile/pile-register'
import { callBlob, refresh, saveBlob, showFailure, upload } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { notify } from '#kit/notify.ts'
import { SheetImport, SheetTable, useCheckedSheet } from '#kit/sheet-import.tsx'

const columns = pileColumns.map(({ key, title }) => [key, title] as const)

/** Imports designed piles from a sheet: validated cell by cell, then stored completely or not at all. */
export function PileImport({ projectCode, onClose }: { projectCode: string; onClose: () => void }) {
  const { read, check, save } = useCheckedSheet((form) => upload(importPiles, form, { query: { projectCode } }))
  const counts = read?.counts
  return (
    <SheetImport
      title="导入桩清单"
      hint="一行一根桩，至少填桩号、桩型和设计桩长。选择文件后先检查，有一处错误整个文件都不写入；桩号与桩机上报的一致时，成桩记录自动归入。"
      onTemplate={() => void callBlob(pileTemplate, { query: { projectCode } }).then(saveBlob, showFailure)}
      onCheck={check}
      onSave={async () => {
        const done = await save()
        if (!done) return
        notify.success(`已登记 ${done.counts.fresh} 根桩`)
        refresh(listPiles)
        onClose()
      }}
      save={counts && { label: `登记 ${counts.fresh} 根桩`, disabled: counts.faulty > 0 || counts.fresh === 0 }}
      onClose={onClose}
    >
      {read && counts && (
        <>
          <Notice tone={counts.faulty > 0 ? 'danger' : 'fine'}>
            共 {counts.rows} 行{counts.faulty > 0 ? `；${counts.faulty} 行有错误，改好后重新选择` : `，${counts.fresh} 根新桩`}
            {counts.known > 0 && `；${counts.known} 根已登记，不再写入`}
            {read.unknownColumns.length > 0 && `；不认识的列：${read.unknownColumns.join('、')}`}
          </Notice>
          <SheetTable columns={columns} rows={read.rows} />
        </>
      )}
    </SheetImport>
  )
}
