import { useQueryClient } from '@tanstack/react-query'
import { type ExportType, listExports, mostPdfRows, submitExport } from '@zhugong/contract/exports/endpoints'
import { Button, Checkbox, Input } from 'antd'
import { useState } from 'react'
import { keyOf, queryText, useAct } from './call.ts'
import { useCan } from './can.tsx'
import { ExportRow } from './export-centre.tsx'
import { isRunning, useExportCentre, useExports } from './export-state.ts'
import { thousands } from './format.ts'
import { PageModal } from './overlay.tsx'

export interface ExportDialogProps {
  feature: string
  title: string
  query: Readonly<Record<string, unknown>>
  columns: readonly string[]
  total: number
  sensitive?: boolean
  onClose: () => void
}

/** Shows what will be exported. The export runs in the background; the user may leave the page. */
export function ExportDialog({ feature, title, query, columns, total, sensitive, onClose }: ExportDialogProps) {
  const client = useQueryClient()
  const [clear, setClear] = useState(false)
  const [purpose, setPurpose] = useState('')
  const maySee = useCan('export.sensitive')
  const { tasks } = useExports(true)
  const act = useAct(submitExport, {
    success: false,
    refreshes: [listExports],
    onDone: ({ id }, { body: { exportType = 'xlsx' } }) => {
      const { sent } = useExportCentre.getState()
      const one = { feature, exportType, query: filters, columns: [...columns] }
      useExportCentre.setState({ submittedAt: Date.now(), sent: { ...sent, [id]: one } })
    },
  })
  const { page: _page, size: _size, ...filters } = query
  const own = tasks.filter((task) => task.feature === feature).slice(0, 3)
  const start = (exportType: ExportType) =>
    void act
      .run({
        body: {
          feature,
          exportType,
          query: filters,
          columns: [...columns],
          sensitive: clear || undefined,
          purpose: clear ? purpose.trim() : undefined,
        },
      })
      .then(() => client.invalidateQueries({ queryKey: keyOf(listExports) }))
  const cannot = (clear && purpose.trim().length < 2) || own.some(isRunning)
  return (
    <PageModal
      open
      width={400}
      title={`导出${title}`}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>{own.some(isRunning) ? '后台继续' : '关闭'}</Button>
          <Button
            disabled={cannot || total > mostPdfRows}
            title={total > mostPdfRows ? `打印最多 ${thousands(mostPdfRows)} 行` : undefined}
            onClick={() => start('pdf')}
          >
            导出 PDF
          </Button>
          <Button type="primary" loading={act.running} disabled={cannot} onClick={() => start('xlsx')}>
            导出 Excel
          </Button>
        </>
      }
    >
      <div>
        符合筛选 <b>{thousands(total)}</b> 条，{columns.length} 列
      </div>
      {sensitive && (
        <div className="zg-above">
          <Checkbox checked={clear} disabled={!maySee} onChange={(event) => setClear(event.target.checked)}>
            含证件号明文，须填用途
          </Checkbox>
          {!maySee && <div className="zg-2">您没有“导出未脱敏列”权限，可向本组管理员申请</div>}
          {clear && (
            <Input
              aria-label="用途"
              maxLength={200}
              placeholder="用途，记入操作日志"
              value={purpose}
              onChange={(event) => setPurpose(event.target.value)}
            />
          )}
        </div>
      )}
      {own.length > 0 && (
        <div style={{ marginTop: 12, borderTop: '1px solid var(--line)' }}>
          {own.map((task) => (
            <ExportRow key={task.id} task={task} />
          ))}
        </div>
      )}
    </PageModal>
  )
}

/** Address of a file call for `<a href>` and `<img src>`, for calls that need no header. @public */
export const fileAddress = (path: string, query: Record<string, unknown>): string => path + queryText(query)
