import { guessPolicy, mostImported, type PolicyCategory, policyCategories } from '@zhugong/contract/policies/model'
import { createPolicy } from '@zhugong/contract/policies/policies'
import { Input } from 'antd'
import { useState } from 'react'
import { call } from '#kit/call.ts'
import { Notice } from '#kit/feedback.tsx'
import { FormSheet } from '#kit/form-sheet.tsx'
import { day } from '#kit/format.ts'
import { Choice, DayInput, storeFile } from '#kit/inputs.tsx'
import { useMe } from '#kit/me.ts'
import { notify } from '#kit/notify.ts'
import { uid } from '#kit/uid.ts'

interface Line {
  id: string
  file: File
  title: string
  docNo: string
  category: PolicyCategory
  issueDate: string
  problem?: string
}
const categories = Object.entries(policyCategories).map(([value, label]) => ({ value, label }))

/** Several PDF files become drafts: title and number are guessed from the names of the files and confirmed here. */
export function ImportDrawer({ onClose }: { onClose: () => void }) {
  const [lines, setLines] = useState<Line[]>([])
  const [saving, setSaving] = useState(false)
  const issuer = useMe((me) => me.info?.groupName) ?? ''
  const change = (id: string, part: Partial<Line>) =>
    setLines((now) => now.map((one) => (one.id === id ? { ...one, problem: undefined, ...part } : one)))
  const choose = (files: FileList | null) => {
    const pdf = [...(files ?? [])].filter((one) => /\.pdf$/i.test(one.name))
    if (pdf.length > mostImported) notify.error(`一次最多 ${mostImported} 份，其余请再导入一次`)
    setLines(
      pdf.slice(0, mostImported).map((file) => {
        const { title, docNo } = guessPolicy(file.name)
        return { id: uid(), file, title, docNo: docNo ?? '', category: 'notice', issueDate: day(Date.now()) }
      }),
    )
  }
  const save = async () => {
    setSaving(true)
    let failed = 0
    for (const line of lines) {
      const { id, title, docNo, category, issueDate } = line
      try {
        const stored = await storeFile(line.file, () => undefined)
        const body = {
          id,
          title,
          docNo: docNo || null,
          level: '3',
          category,
          subject: null,
          issuer,
          issueDate,
          effectDate: issueDate,
        } as const
        await call(createPolicy, { query: { projectCode: '*' }, body: { ...body, content: '', files: [stored], replaces: [] } })
        setLines((now) => now.filter((one) => one.id !== id))
      } catch (error) {
        failed++
        change(id, { problem: error instanceof Error ? error.message : String(error) })
      }
    }
    setSaving(false)
    if (failed > 0) return notify.error(`${failed} 份没有导入，原因见表内`)
    notify.success(`已导入 ${lines.length} 份草稿`)
    onClose()
  }
  return (
    <FormSheet
      title="批量导入 PDF"
      remark="导入为草稿，核对后逐份发布"
      saveText={`导入 ${lines.length} 份`}
      saving={saving}
      onSave={save}
      onClose={onClose}
      errors={{}}
      dirty={lines.length > 0}
      width={880}
    >
      <div className="policy-choose">
        <label htmlFor="policy-files">选择文件（PDF，最多 {mostImported} 份）</label>
        <input id="policy-files" type="file" accept=".pdf,application/pdf" multiple onChange={(event) => choose(event.target.files)} />
      </div>
      {lines.map((line) => (
        <fieldset key={line.id} className="policy-import">
          <legend>{line.file.name}</legend>
          {line.problem && <Notice tone="danger">{line.problem}</Notice>}
          <Input aria-label="标题" value={line.title} maxLength={200} onChange={({ target }) => change(line.id, { title: target.value })} />
          <Input
            aria-label="文号"
            placeholder="文号"
            value={line.docNo}
            maxLength={60}
            onChange={({ target }) => change(line.id, { docNo: target.value })}
          />
          <Choice
            clear={false}
            aria-label="类别"
            options={categories}
            value={line.category}
            onChange={(category) => change(line.id, { category: (category ?? 'notice') as PolicyCategory })}
          />
          <DayInput
            aria-label="发布日期"
            value={line.issueDate}
            onChange={(issueDate) => change(line.id, { issueDate: issueDate ?? '' })}
          />
        </fieldset>
      ))}
    </FormSheet>
  )
}
