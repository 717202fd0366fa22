import { PrinterOutlined } from '@ant-design/icons'
import { liftMonthFeature } from '@zhugong/contract/monitoring/lift-month'
import { Button } from 'antd'
import { useState } from 'react'
import { useCan } from '#kit/can.tsx'
import { day } from '#kit/format.ts'
import { MonthInput } from '#kit/inputs.tsx'
import { PageModal } from '#kit/overlay.tsx'
import { usePrint } from '#kit/use-print.ts'
import type { FamilyScope } from '../family-scope.tsx'

/** The month of this lift or of the site's: a document to sign, or a workbook. */
export function MonthReport({ scope }: { scope: FamilyScope }) {
  const may = [useCan('lifter.export'), useCan('export.run')].every(Boolean)
  const [open, setOpen] = useState(false)
  if (!may || scope.projectCode === '*') return null
  return (
    <>
      <Button icon={<PrinterOutlined />} onClick={() => setOpen(true)}>
        生成月报
      </Button>
      {open && <Choose scope={scope} onClose={() => setOpen(false)} />}
    </>
  )
}

function Choose({ scope, onClose }: { scope: FamilyScope; onClose: () => void }) {
  const [month, setMonth] = useState(() => day(scope.period.to - 1).slice(0, 7))
  const print = usePrint(liftMonthFeature)
  const make = async (exportType: 'pdf' | 'xlsx', deviceId: string | undefined) => {
    const query = { projectCode: scope.projectCode, month, deviceId: deviceId || undefined }
    if (await print.run({ body: { feature: liftMonthFeature, exportType, query, columns: [] } })) onClose()
  }
  return (
    <PageModal open width={460} title="升降机月报" footer={null} onCancel={onClose}>
      <p className="zg-2">按日与司机统计运行、超员、超载、开门运行、违章与故障；完成后在导出中心下载</p>
      <p>
        <MonthInput value={month} onChange={(value) => value && setMonth(value)} aria-label="月份" />
      </p>
      <div className="fam-acts">
        <Button type="primary" loading={print.running} disabled={!scope.deviceId} onClick={() => void make('pdf', scope.deviceId)}>
          {scope.deviceName ?? '本机'} PDF
        </Button>
        <Button loading={print.running} onClick={() => void make('pdf', undefined)}>
          全部升降机 PDF
        </Button>
        <Button loading={print.running} onClick={() => void make('xlsx', undefined)}>
          全部升降机 Excel
        </Button>
      </div>
    </PageModal>
  )
}
