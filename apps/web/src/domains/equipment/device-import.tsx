import { importDevices, importTemplate } from '@zhugong/contract/equipment/service-endpoints'
import type { OutputFor } from '@zhugong/contract/kit/endpoint'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import { callBlob, refresh, saveBlob, showFailure, upload } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { useProjectCode } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { PageDrawer } from '#kit/overlay.tsx'
import './equipment.css'

const columns: readonly [string, string][] = [
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
]

/** A filled sheet is checked first, cell by cell; only then its good rows are registered. */
export function DeviceImport({ onClose }: { onClose: () => void }) {
  const projectCode = useProjectCode()
  const input = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File>()
  const [read, setRead] = useState<OutputFor<typeof importDevices>>()
  const [running, setRunning] = useState(false)
  const send = async (chosen: File, mode: 'check' | 'save') => {
    const form = new FormData()
    form.append('mode', mode)
    form.append('projectCode', projectCode)
    form.append('file', chosen)
    setRunning(true)
    try {
      const done = await upload(importDevices, form)
      setRead(done)
      if (mode === 'save') {
        notify.success(`已登记 ${done.saved} 台`)
        refresh()
        onClose()
      }
    } catch (error) {
      showFailure(error)
    } finally {
      setRunning(false)
    }
  }
  const good = read?.rows.filter((row) => row.ok).length ?? 0
  const bad = (read?.rows.length ?? 0) - good
  return (
    <PageDrawer
      open
      size={960}
      title="导入设备"
      onClose={onClose}
      footer={
        read && (
          <div style={{ display: 'flex', gap: 8, justifyContent: 'flex-end' }}>
            <Button onClick={() => input.current?.click()}>改好后重新选择</Button>
            <Button type="primary" disabled={good === 0} loading={running} onClick={() => file && void send(file, 'save')}>
              登记 {good} 台
            </Button>
          </div>
        )
      }
    >
      <div className="zg-row zg-below-12">
        <Button onClick={() => void callBlob(importTemplate, {}).then(saveBlob, showFailure)}>下载模板</Button>
        <Button type={read ? 'default' : 'primary'} loading={running} onClick={() => input.current?.click()}>
          选择文件
        </Button>
        <input
          ref={input}
          type="file"
          accept=".xlsx"
          style={{ display: 'none' }}
          aria-label="选择导入文件"
          onChange={(event) => {
            const chosen = event.target.files?.[0]
            event.target.value = ''
            if (!chosen) return
            setFile(chosen)
            void send(chosen, 'check')
          }}
        />
      </div>
      {!read && (
        <p className="zg-2">模板带下拉选项，一次最多 1,000 行。选择文件后先检查，不会登记任何设备；需要审核的设备登记后进入设备审核。</p>
      )}
      {read && (
        <>
          <Notice tone={bad === 0 ? 'fine' : 'warning'}>
            共 {read.rows.length} 行，{good} 行可以登记{bad > 0 && `，${bad} 行有错误，登记时跳过`}
          </Notice>
          <div style={{ overflow: 'auto', marginTop: 8 }}>
            <table className="eq-table">
              <thead>
                <tr>
                  <th>行</th>
                  {columns.map(([key, title]) => (
                    <th key={key}>{title}</th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {read.rows.slice(0, 300).map((row) => (
                  <tr key={row.row}>
                    <td>{row.row}</td>
                    {columns.map(([key]) => {
                      const error = row.errors.find((one) => one.column === key)
                      return (
                        <td key={key} className={error ? 'eq-wrong' : ''}>
                          {row.values[key] ?? ''}
                          {error && <small className="tone-danger">{error.text}</small>}
                        </td>
                      )
                    })}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {read.rows.length > 300 && <p className="zg-2">只显示前 300 行</p>}
        </>
      )}
    </PageDrawer>
  )
}
