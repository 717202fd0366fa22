import { PrinterOutlined } from '@ant-design/icons'
import { monthFeatures } from '@zhugong/contract/monitoring/month-reports'
import { Button } from 'antd'
import { useState } from 'react'
import { useCan } from '#kit/can.tsx'
import { day } from '#kit/format.ts'
import { MonthInput } from '#kit/inputs.tsx'
import { PageModal } from '#kit/overlay.tsx'
import { usePrint } from '#kit/use-print.ts'
import type { FamilyScope } from './family-scope.tsx'

interface MonthReportProps {
  scope: FamilyScope
  family: keyof typeof monthFeatures
  /** Permission code. */
  code: string
  /** Name of one machine: 塔机. */
  unit: string
  /** How it is counted, in one sentence. */
  counts: string
}

/** Monthly report of this machine or of all of the site: a document to sign, or a workbook. */
export function MonthReport(props: MonthReportProps) {
  const may = [useCan(props.code), useCan('export.run')].every(Boolean)
  const [open, setOpen] = useState(false)
  if (!may || props.scope.projectCode === '*') return null
  return (
    <>
      <Button icon={<PrinterOutlined />} onClick={() => setOpen(true)}>
        生成月报
      </Button>
      {open && <Choose {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function Choose({ scope, family, unit, counts, onClose }: MonthReportProps & { onClose: () => void }) {
  const feature = monthFeatures[family]
  const [month, setMonth] = useState(() => day(scope.period.to - 1).slice(0, 7))
  const print = usePrint(feature)
  const make = async (exportType: 'pdf' | 'xlsx', deviceId: string | undefined) => {
    const query = { projectCode: scope.projectCode, month, deviceId: deviceId || undefined }
    if (await print.run({ body: { feature, exportType, query, columns: [] } })) onClose()
  }
  return (
    <PageModal open width={460} title={`${unit}月报`} footer={null} onCancel={onClose}>
      <p className="zg-2">{counts}；完成后在导出中心下载</p>
      <p>
        <MonthInput value={month} onChange={(value) => value && setMonth(value)} aria-label="月份" />
      </p>
      <div className="fam-acts">
        <Button type="primary" loading={print.running} disabled={!scope.deviceId} onClick={() => void make('pdf', scope.deviceId)}>
          {scope.deviceName ?? '本机'} PDF
        </Button>
        <Button loading={print.running} onClick={() => void make('pdf', undefined)}>
          全部{unit} PDF
        </Button>
        <Button loading={print.running} onClick={() => void make('xlsx', undefined)}>
          全部{unit} Excel
        </Button>
      </div>
    </PageModal>
  )
}
