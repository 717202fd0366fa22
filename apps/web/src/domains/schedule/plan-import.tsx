import { listSchedules, listScheduleTasks } from '@zhugong/contract/schedule/calls'
import { importPlan, planColumns, planTemplate } from '@zhugong/contract/schedule/plan-import'
import { callBlob, refresh, saveBlob, showFailure, upload } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { notify } from '#kit/notify.ts'
import { SheetImport, SheetTable, useCheckedSheet } from '#kit/sheet-import.tsx'

const columns = planColumns.map(({ key, title }) => [key, title] as const)

/** Imports a plan from a sheet or from Microsoft Project: shown first, then stored completely or not at all. */
export function PlanImport({ projectCode, onClose }: { projectCode: string; onClose: () => void }) {
  const query = { projectCode }
  const { read, check, save } = useCheckedSheet((form) => upload(importPlan, form, { query }))
  const counts = read?.counts
  return (
    <SheetImport
      title="导入进度计划"
      hint="选择填好的 Excel，或 Microsoft Project 另存的 XML。文件就是完整计划：编号相同的更新，文件里没有的删除。选择后先检查，有一处错误整个文件都不写入。"
      accept=".xlsx,.xml"
      onTemplate={() => void callBlob(planTemplate, { query }).then(saveBlob, showFailure)}
      onCheck={check}
      onSave={async () => {
        const done = await save()
        if (!done) return
        notify.success(`已导入 ${done.counts.rows} 项任务`)
        refresh(listScheduleTasks, listSchedules)
        onClose()
      }}
      save={counts && { label: `导入 ${counts.rows} 项`, disabled: counts.faulty > 0 }}
      onClose={onClose}
    >
      {read && counts && (
        <>
          <Notice tone={counts.faulty > 0 ? 'danger' : 'fine'}>
            共 {counts.rows} 行
            {counts.faulty > 0
              ? `；${counts.faulty} 行有错误，改好后重新选择`
              : `：新增 ${counts.fresh} 项，更新 ${counts.changed} 项，删除 ${counts.removed} 项`}
            {read.unknownColumns.length > 0 && `；不认识的列：${read.unknownColumns.join('、')}`}
          </Notice>
          <SheetTable columns={columns} rows={read.rows} />
        </>
      )}
    </SheetImport>
  )
}
