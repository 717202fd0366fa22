import { Button } from 'antd'
import { type ReactNode, useRef, useState } from 'react'
import { showFailure } from './http.ts'
import { PageDrawer } from './overlay.tsx'
import './sheet-import.css'

interface SheetImportProps {
  title: string
  /** Shown until a file is chosen. */
  hint: string
  onTemplate: () => unknown
  /** Kinds of files; workbooks by default. */
  accept?: string
  /** Checks a chosen file without importing it. */
  onCheck: (file: File) => Promise<void>
  /** Imports the checked file. `save` undefined: no button. */
  onSave: () => Promise<void>
  save: { label: string; disabled: boolean } | undefined
  onClose: () => void
  /** Result of the check: a sentence and the table. */
  children: ReactNode
}

/** A workbook that is checked before it is imported. `send` calls the endpoint with the file, its mode and the extra fields in `beside`. */
export function useCheckedSheet<Out>(send: (form: FormData) => Promise<Out>, beside: Readonly<Record<string, string>> = {}) {
  const [file, setFile] = useState<File>()
  const [read, setRead] = useState<Out>()
  const ask = (chosen: File, mode: 'check' | 'save') => {
    const form = new FormData()
    // Fields first: the server does not read fields that follow the file.
    for (const [name, value] of Object.entries({ mode, ...beside })) form.append(name, value)
    form.append('file', chosen)
    return send(form)
  }
  return {
    /** Result of the check. */
    read,
    check: async (chosen: File) => {
      setFile(chosen)
      setRead(await ask(chosen, 'check'))
    },
    save: async () => (file ? await ask(file, 'save') : undefined),
  }
}

/** Import of a filled-in workbook: template, file choice, result of the check, and then the import. */
export function SheetImport({ title, hint, accept = '.xlsx', onTemplate, onCheck, onSave, save, onClose, children }: SheetImportProps) {
  const input = useRef<HTMLInputElement>(null)
  const [running, setRunning] = useState(false)
  const run = async (work: () => Promise<void>) => {
    setRunning(true)
    try {
      await work()
    } catch (error) {
      showFailure(error)
    } finally {
      setRunning(false)
    }
  }
  return (
    <PageDrawer
      open
      size={960}
      title={title}
      onClose={onClose}
      footer={
        save && (
          <div className="sheet-foot">
            <Button onClick={() => input.current?.click()}>改好后重新选择</Button>
            <Button type="primary" disabled={save.disabled} loading={running} onClick={() => void run(onSave)}>
              {save.label}
            </Button>
          </div>
        )
      }
    >
      <div className="zg-row zg-below-12">
        <Button onClick={onTemplate}>下载模板</Button>
        <Button type={save ? 'default' : 'primary'} loading={running} onClick={() => input.current?.click()}>
          选择文件
        </Button>
        <input
          ref={input}
          type="file"
          accept={accept}
          hidden
          aria-label="选择导入文件"
          onChange={(event) => {
            const chosen = event.target.files?.[0]
            event.target.value = ''
            if (chosen) void run(() => onCheck(chosen))
          }}
        />
      </div>
      {save ? children : <p className="zg-2">{hint}</p>}
    </PageDrawer>
  )
}

interface Fault {
  column: string
  text: string
}
export interface SheetRow {
  row: number
  values: Readonly<Record<string, string | undefined>>
  errors: readonly Fault[]
  warnings?: readonly Fault[]
}
const mostShown = 300

/** Rows of a workbook, with errors and warnings at their cells; rows with errors first, then rows with warnings. */
export function SheetTable({ columns, rows }: { columns: readonly (readonly [key: string, title: string])[]; rows: readonly SheetRow[] }) {
  const weight = (one: SheetRow) => (one.errors.length > 0 ? 2 : one.warnings?.length ? 1 : 0)
  const shown = [...rows].sort((a, b) => weight(b) - weight(a) || a.row - b.row).slice(0, mostShown)
  return (
    <>
      <section className="sheet-rows" aria-label="文件内容">
        <table>
          <thead>
            <tr>
              <th scope="col">行</th>
              {columns.map(([key, title]) => (
                <th key={key} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={row.row}>
                <td>{row.row}</td>
                {columns.map(([key]) => {
                  const error = row.errors.find((one) => one.column === key)
                  const warning = row.warnings?.find((one) => one.column === key)
                  return (
                    <td key={key} data-fault={error ? 'error' : warning ? 'warning' : undefined}>
                      {row.values[key] ?? ''}
                      {error && <small className="tone-danger">{error.text}</small>}
                      {warning && !error && <small className="tone-warning">{warning.text}</small>}
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > mostShown && <p className="zg-2">只显示 {mostShown} 行，有问题的在前</p>}
    </>
  )
}
