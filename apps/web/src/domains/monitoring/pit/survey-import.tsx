import { importSurvey, listPitSurveys, surveyColumns, surveyTemplate } from '@zhugong/contract/monitoring/pit/pit-surveys'
import { callBlob, refresh, saveBlob, showFailure, upload } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { notify } from '#kit/notify.ts'
import { SheetImport, SheetTable, useCheckedSheet } from '#kit/sheet-import.tsx'

const columns = surveyColumns.map(({ key, title }) => [key, title] as const)

/** Imports a survey from a sheet of the site's points: validated cell by cell, then stored completely or not at all. */
export function SurveyImport({ projectCode, onDone, onClose }: { projectCode: string; onDone: () => void; onClose: () => void }) {
  const { read, check, save } = useCheckedSheet((form) => upload(importSurvey, form, { query: { projectCode } }))
  const counts = read?.counts
  return (
    <SheetImport
      title="导入人工监测"
      hint="模板里已列出本项目的测点，填测量时间和累计值即可。选择文件后先检查，有一处错误整个文件都不写入；入库的读数与自动监测一样计入控制值和告警规则。"
      onTemplate={() => void callBlob(surveyTemplate, { query: { projectCode } }).then(saveBlob, showFailure)}
      onCheck={check}
      onSave={async () => {
        const done = await save()
        if (!done) return
        notify.success(`已收下 ${done.counts.readings} 条读数，正在写入`)
        refresh(listPitSurveys)
        onDone()
      }}
      save={counts && { label: `写入 ${counts.readings} 条读数`, disabled: counts.faulty > 0 || counts.readings === 0 }}
      onClose={onClose}
    >
      {read && counts && (
        <>
          <Notice tone={counts.faulty > 0 ? 'danger' : counts.jumps > 0 ? 'warning' : 'fine'}>
            共 {counts.rows} 行，{counts.points} 个测点
            {counts.faulty > 0 ? `；${counts.faulty} 行有错误，改好后重新选择` : `，${counts.readings} 条新读数`}
            {counts.doubled > 0 && `；${counts.doubled} 条已入库，不再写入`}
            {counts.jumps > 0 && `；${counts.jumps} 条变化超过 5 mm，请核对后再写入`}
            {read.unknownColumns.length > 0 && `；不认识的列：${read.unknownColumns.join('、')}`}
          </Notice>
          <SheetTable columns={columns} rows={read.rows} />
        </>
      )}
    </SheetImport>
  )
}
