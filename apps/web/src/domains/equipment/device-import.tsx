import { importDevices, importTemplate } from '@zhugong/contract/equipment/service-endpoints'
import { callBlob, refresh, saveBlob, showFailure, upload } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { useProjectCode } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { SheetImport, SheetTable, useCheckedSheet } from '#kit/sheet-import.tsx'

const columns = [
  ['name', '设备名称'],
  ['deviceSn', '序列号'],
  ['family', '设备类别'],
  ['project', '项目'],
  ['brand', '品牌'],
  ['model', '型号'],
  ['gateway', '网关'],
  ['mn', 'MN'],
  ['installPlace', '安装位置'],
  ['installDate', '安装日期'],
  ['dueDate', '服务到期'],
] as const

/** Imports a spreadsheet: checks every cell first, then registers the valid rows. */
export function DeviceImport({ onClose }: { onClose: () => void }) {
  const projectCode = useProjectCode()
  const { read, check, save } = useCheckedSheet((form) => upload(importDevices, form), { projectCode })
  const good = read?.rows.filter((row) => row.ok).length ?? 0
  const bad = (read?.rows.length ?? 0) - good
  return (
    <SheetImport
      title="导入设备"
      hint="模板带下拉选项，一次最多 1,000 行。选择文件后先检查，不会登记任何设备；需要审核的设备登记后进入设备审核。"
      onTemplate={() => void callBlob(importTemplate, {}).then(saveBlob, showFailure)}
      onCheck={check}
      onSave={async () => {
        const done = await save()
        if (!done) return
        notify.success(`已登记 ${done.saved} 台`)
        refresh()
        onClose()
      }}
      save={read && { label: `登记 ${good} 台`, disabled: good === 0 }}
      onClose={onClose}
    >
      {read && (
        <>
          <Notice tone={bad === 0 ? 'fine' : 'warning'}>
            共 {read.rows.length} 行，{good} 行可以登记{bad > 0 && `，${bad} 行有错误，登记时跳过`}
          </Notice>
          <SheetTable columns={columns} rows={read.rows} />
        </>
      )}
    </SheetImport>
  )
}
