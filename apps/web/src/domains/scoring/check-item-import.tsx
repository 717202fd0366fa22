import { listCheckItems, listCheckSheets } from '@zhugong/contract/scoring/library'
import { importCheckItems, itemColumns, itemTemplate } from '@zhugong/contract/scoring/library-import'
import { callBlob, refresh, saveBlob, showFailure, upload } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { notify } from '#kit/notify.ts'
import { SheetImport, SheetTable, useCheckedSheet } from '#kit/sheet-import.tsx'

const columns = itemColumns.map(({ key, title }) => [key, title] as const)
const query = { projectCode: '*' }

/** Imports own check items from a sheet: validated cell by cell, then stored completely or not at all. */
export function CheckItemImport({ onClose }: { onClose: () => void }) {
  const { read, check, save } = useCheckedSheet((form) => upload(importCheckItems, form, { query }))
  const counts = read?.counts
  const writes = counts ? counts.fresh + counts.revised : 0
  return (
    <SheetImport
      title="导入检查项"
      hint="模板里已有本机构的自有检查项：保留编码并修改内容的生成新版本，编码留空的为新增，相同的跳过。选择文件后先检查，有一处错误整个文件都不写入。"
      onTemplate={() => void callBlob(itemTemplate, { query }).then(saveBlob, showFailure)}
      onCheck={check}
      onSave={async () => {
        const done = await save()
        if (!done) return
        notify.success(`已新增 ${done.counts.fresh} 项，修改 ${done.counts.revised} 项`)
        refresh(listCheckItems, listCheckSheets)
        onClose()
      }}
      save={counts && { label: `导入 ${writes} 项`, disabled: counts.faulty > 0 || writes === 0 }}
      onClose={onClose}
    >
      {read && counts && (
        <>
          <Notice tone={counts.faulty > 0 ? 'danger' : 'fine'}>
            共 {counts.rows} 行
            {counts.faulty > 0
              ? `；${counts.faulty} 行有错误，改好后重新选择`
              : `：新增 ${counts.fresh} 项，修改 ${counts.revised} 项，之后开始的检查使用新版本`}
            {counts.unchanged > 0 && `；${counts.unchanged} 项没有变化，不再写入`}
            {read.unknownColumns.length > 0 && `；不认识的列：${read.unknownColumns.join('、')}`}
          </Notice>
          <SheetTable columns={columns} rows={read.rows} />
        </>
      )}
    </SheetImport>
  )
}
