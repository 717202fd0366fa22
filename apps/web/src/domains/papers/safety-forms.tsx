import { dutyCodes } from '@zhugong/contract/papers/duties'
import { mostPaperFiles } from '@zhugong/contract/papers/moves'
import { createSafetyPaper, type DutyRow, linkSafetyRecord, listSafetyRecords, setSafetySince } from '@zhugong/contract/papers/safety'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Empty, Known } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { DayInput, LongText, Upload } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { acceptedFiles, maxFileMb } from './paper-words.tsx'

const { Field } = formOf(createSafetyPaper)
const Since = formOf(setSafetySince)

/** Files one obligation by hand. */
export function FileDuty({ row, onClose }: { row: DutyRow; onClose: () => void }) {
  const act = useAct(createSafetyPaper, { success: '已归档' })
  return (
    <FormDrawer
      act={act}
      open
      narrow
      width={480}
      title="上传安全资料"
      remark={`${row.item}　应归 ${row.due}`}
      saveText="归档"
      onClose={onClose}
      initial={{ duty: row.duty, period: row.period, name: row.item, files: [], validEnd: null }}
      input={(body) => ({ query: { projectCode: row.projectCode }, body })}
    >
      <Field name="name" label="资料名称">
        <Input maxLength={100} />
      </Field>
      <Field name="files" label="文件">
        <Upload accept={acceptedFiles} maxMb={maxFileMb} max={mostPaperFiles} />
      </Field>
      <Field name="validEnd" label="有效期至" help="证书、保险等有到期日的填写，到期前 30 天列出">
        <DayInput />
      </Field>
    </FormDrawer>
  )
}

interface LinkProps {
  projectCode: string
  rows: readonly DutyRow[]
  onClose: (linked: boolean) => void
}

/** One record that stands for all chosen obligations. */
export function LinkDuties({ projectCode, rows, onClose }: LinkProps) {
  const [keyword, setKeyword] = useState('')
  const read = useCall(listSafetyRecords, { query: { projectCode, keyword: keyword || undefined } }, { quiet: true, keepPrevious: true })
  const act = useAct(linkSafetyRecord, { success: ({ linked }) => `已关联 ${linked} 份`, onDone: () => onClose(true) })
  const items = rows.flatMap(({ duty, period }) => {
    const known = dutyCodes.find((one) => one === duty)
    return known ? [{ duty: known, period }] : []
  })
  const [first] = rows
  return (
    <PageDrawer
      open
      size={560}
      title={rows.length === 1 ? `关联记录：${first?.item ?? ''}` : `为 ${rows.length} 份应归资料关联同一记录`}
      onClose={() => onClose(false)}
    >
      <div className="zg-stack-12">
        <Input
          allowClear
          maxLength={50}
          placeholder="记录名称或日期"
          aria-label="搜索记录"
          onChange={(event) => setKeyword(event.target.value.trim())}
        />
        <Known of={read}>
          {read.data?.list.length === 0 && <Empty small text="没有可关联的记录" hint="日志、交底、培训、检查与危险源巡查会出现在这里" />}
          {read.data?.list.map((one) => (
            <div key={`${one.source} ${one.id} ${one.date}`} className="zg-pick">
              <div>
                <strong>{one.name}</strong>
                <div className="zg-2">
                  {one.sourceName}　{one.date}
                </div>
              </div>
              <Button
                loading={act.running}
                onClick={() => void act.run({ query: { projectCode }, body: { items, source: one.source, refId: one.id } })}
              >
                关联
              </Button>
            </div>
          ))}
        </Known>
      </div>
    </PageDrawer>
  )
}

/** From which day papers are owed. */
export function SinceForm({ projectCode, since, onClose }: { projectCode: string; since: string; onClose: () => void }) {
  const act = useAct(setSafetySince, { success: '已设置起算日' })
  return (
    <FormDrawer
      act={act}
      open
      narrow
      width={480}
      title="资料起算日"
      remark="此前的资料以纸质为准，原因对所有查看的人公开"
      onClose={onClose}
      initial={{ since, reason: '' }}
      input={(body) => ({ query: { projectCode }, body })}
    >
      <Since.Field name="since" label="起算日">
        <DayInput max={day(Date.now())} />
      </Since.Field>
      <Since.Field name="reason" label="原因">
        <LongText maxLength={200} />
      </Since.Field>
    </FormDrawer>
  )
}
