import { DownloadOutlined, InboxOutlined, SnippetsOutlined } from '@ant-design/icons'
import {
  type ImportCells,
  importBase,
  importColumns,
  importExcel,
  importTemplate,
  listImports,
  mostImportRows,
  stayFieldsOfImport,
} from '@zhugong/contract/personnel/import'
import { Button, Input, Upload } from 'antd'
import { useState } from 'react'
import { confirmDanger } from '#kit/ask.ts'
import { call, callBlob, refresh, saveBlob, showFailure, upload } from '#kit/call.ts'
import { thousands } from '#kit/format.ts'
import { useProjectCode } from '#kit/me.ts'
import { PageModal } from '#kit/overlay.tsx'
import { hrefOf, useGo, usePage } from '#kit/page.tsx'
import { linesOf } from './import-words.ts'

type Begun = Awaited<
  ReturnType<
    typeof upload<never, never, { id: string | null; same: { id: string; fileName: string; createTime: string; text: string } | null }>
  >
>

/** Confirms importing the same file again; false opens the earlier import. */
async function sameAgain(same: NonNullable<Begun['same']>): Promise<boolean> {
  return confirmDanger({
    thing: `再次导入同一份内容（${same.text}）`,
    consequence: `${same.createTime} 已导入“${same.fileName}”。已在场的人员会标为重复，不会登记两次。`,
    verb: '仍要导入',
    keep: '打开上次的导入',
  })
}

/** Uploads, asks if the same content was imported before, and opens the import. `instead`: replaces the current page, whose import is deleted. */
export function useBringing({ onDone, instead = false }: { onDone?: () => void; instead?: boolean } = {}) {
  const go = useGo()
  const { leave } = usePage()
  const [running, setRunning] = useState(false)
  const bring = async (send: (again: boolean) => Promise<Begun>) => {
    setRunning(true)
    try {
      const first = await send(false)
      const begun = first.same && (await sameAgain(first.same)) ? await send(true) : first
      const id = begun.id ?? begun.same?.id
      // The import may have replaced another: refresh only the list, because the open page of the replaced one would fail.
      refresh(listImports)
      onDone?.()
      if (id && instead) leave(hrefOf('/personImportEdit', { id }))
      else if (id) go('/personImportEdit', { id })
    } catch (error) {
      showFailure(error)
    } finally {
      setRunning(false)
    }
  }
  const file = (chosen: File, fields: Readonly<Record<string, string>>) =>
    bring((again) => {
      const form = new FormData()
      for (const [key, value] of Object.entries(fields)) form.append(key, value)
      if (again) form.append('again', '1')
      form.append('file', chosen)
      return upload(importExcel, form)
    })
  const lines = (rows: ImportCells[], projectCode: string | null) =>
    bring((again) => call(importBase, { body: { rows, projectCode, again } }))
  return { running, file, lines }
}

/** Starts an import: template and workbook, or rows pasted from the clipboard. */
export function ImportStart({ base }: { base: boolean }) {
  const chosen = useProjectCode()
  const projectCode = base || chosen === '*' ? null : chosen
  const [pasting, setPasting] = useState(false)
  const bring = useBringing({ onDone: () => setPasting(false) })
  return (
    <div className="per-ways">
      <section className="zg-card per-way">
        <DownloadOutlined className="per-way-icon" />
        <div>
          <strong>1. 下载模板</strong>
          <p className="zg-2">
            {projectCode ? '带本项目的单位、班组和工种下拉' : '基础档案模板：只建档案，不办理进场'}，最多 {thousands(mostImportRows)} 行
          </p>
          <Button onClick={() => void callBlob(importTemplate, { query: projectCode ? { projectCode } : {} }).then(saveBlob, showFailure)}>
            下载模板
          </Button>
        </div>
      </section>
      <Upload.Dragger
        className="per-way-drop"
        accept=".xlsx"
        showUploadList={false}
        disabled={bring.running}
        beforeUpload={(file) => {
          void bring.file(file, projectCode ? { projectCode } : {})
          return false
        }}
      >
        <InboxOutlined className="per-way-icon" />
        <strong>2. {bring.running ? '正在读取…' : '上传表格'}</strong>
        <p className="zg-2">拖到这里或点击选择 .xlsx；先校验，确认前不登记任何人</p>
      </Upload.Dragger>
      <section className="zg-card per-way">
        <SnippetsOutlined className="per-way-icon" />
        <div>
          <strong>粘贴表格</strong>
          <p className="zg-2">从 Excel 或 WPS 复制，连同表头一起粘贴</p>
          <Button onClick={() => setPasting(true)}>粘贴</Button>
        </div>
      </section>
      {pasting && (
        <Paste
          withStay={projectCode !== null}
          running={bring.running}
          onClose={() => setPasting(false)}
          onLines={(rows) => void bring.lines(rows, projectCode)}
        />
      )}
    </div>
  )
}

function Paste({
  withStay,
  running,
  onClose,
  onLines,
}: {
  withStay: boolean
  running: boolean
  onClose: () => void
  onLines: (rows: ImportCells[]) => void
}) {
  const [text, setText] = useState('')
  const read = linesOf(text)
  const titles = importColumns.filter((c) => withStay || !stayFieldsOfImport.includes(c.key)).map((c) => c.title)
  return (
    <PageModal
      open
      width={720}
      title="粘贴表格"
      onCancel={onClose}
      okText={read.rows.length ? `校验 ${read.rows.length} 行` : '校验'}
      okButtonProps={{ disabled: read.rows.length === 0, loading: running }}
      onOk={() => onLines(read.rows)}
    >
      <Input.TextArea
        autoFocus
        rows={10}
        aria-label="粘贴的内容"
        placeholder={titles.slice(0, 8).join('\t')}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p className="zg-2">
        {text === ''
          ? `第一行为表头，可用的列：${titles.join('、')}`
          : read.rows.length
            ? `读到 ${read.rows.length} 行，列：${read.titles.join('、')}${read.unknown.length ? `；不认识的列：${read.unknown.join('、')}` : ''}`
            : '没有读到人员：第一行应为表头，至少有姓名和证件号码'}
      </p>
    </PageModal>
  )
}
