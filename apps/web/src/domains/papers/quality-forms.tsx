import { columnKeys, lotWorks, paperColumns } from '@zhugong/contract/papers/catalogue'
import { mostPaperFiles, waitingPaper } from '@zhugong/contract/papers/moves'
import {
  changePaper,
  createQualityPaper,
  linkQualityRecord,
  listLinkable,
  type PaperEntry,
  recordSources,
} from '@zhugong/contract/papers/quality'
import { Button, Checkbox, Input } from 'antd'
import { useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { Empty, Known } from '#kit/feedback.tsx'
import { FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, Upload } from '#kit/inputs.tsx'
import { PageDrawer } from '#kit/overlay.tsx'
import { PlaceInput } from '../places/public.tsx'
import { acceptedFiles, type CellKey, maxFileMb } from './paper-words.tsx'

const { Field } = formOf(createQualityPaper)
const Version = formOf(changePaper)
const workOptions = lotWorks.map((one) => ({ value: one.code, label: one.name }))
const columnOptions = columnKeys.map((value) => ({ value, label: paperColumns[value] }))

/** A new paper; without a cell the user also says which lot it is of. */
export function UploadPaper({ projectCode, cell, onClose }: { projectCode: string; cell?: CellKey; onClose: () => void }) {
  const act = useAct(createQualityPaper, { success: ({ state }) => (state === waitingPaper ? '已提交监理审核' : '已上传，尚未提交监理') })
  return (
    <FormDrawer
      act={act}
      open
      narrow={cell !== undefined}
      width={cell ? 480 : 720}
      title="上传质量资料"
      remark="晚于施工日期 7 天上传的记为后补"
      saveText="上传"
      onClose={onClose}
      initial={{ ...cell, workDate: day(Date.now()), files: [], submit: true }}
      input={(body) => ({ query: { projectCode }, body })}
    >
      {!cell && (
        <>
          <Field name="placeId" label="检验批部位" span="all">
            <PlaceInput projectCode={projectCode} />
          </Field>
          <Field name="work" label="分项">
            <Choice clear={false} options={workOptions} />
          </Field>
          <Field name="column" label="资料类别">
            <Choice clear={false} options={columnOptions} />
          </Field>
        </>
      )}
      <Field name="name" label="资料名称">
        <Input maxLength={100} />
      </Field>
      <Field name="workDate" label="施工日期">
        <DayInput max={day(Date.now())} />
      </Field>
      <Field name="files" label="文件" span="all">
        <Upload accept={acceptedFiles} maxMb={maxFileMb} max={mostPaperFiles} />
      </Field>
      <Field name="submit" label="提交" valueName="checked">
        <Checkbox>上传后提交监理审核</Checkbox>
      </Field>
    </FormDrawer>
  )
}

export function NewVersion({ projectCode, entry, onClose }: { projectCode: string; entry: PaperEntry; onClose: () => void }) {
  const act = useAct(changePaper, { success: '已存为新版本' })
  return (
    <FormDrawer
      act={act}
      open
      narrow
      width={480}
      title="上传新版本"
      remark={entry.name}
      saveText="上传"
      onClose={onClose}
      initial={{ action: 'newVersion', version: entry.version, files: [] }}
      input={(body) => ({ params: { id: entry.id }, query: { projectCode }, body })}
    >
      <Version.Field name="files" label="文件">
        <Upload accept={acceptedFiles} maxMb={maxFileMb} max={mostPaperFiles} />
      </Version.Field>
    </FormDrawer>
  )
}

/** An existing record instead of an uploaded paper. */
export function LinkRecord({ projectCode, cell, onClose }: { projectCode: string; cell: CellKey; onClose: () => void }) {
  const [keyword, setKeyword] = useState('')
  const read = useCall(
    listLinkable,
    { query: { projectCode, column: cell.column, keyword: keyword || undefined } },
    { quiet: true, keepPrevious: true },
  )
  const act = useAct(linkQualityRecord, { success: '已关联', onDone: onClose })
  return (
    <PageDrawer open size={560} title={`关联${paperColumns[cell.column]}记录`} onClose={onClose}>
      <div className="zg-stack-12">
        <Input
          allowClear
          maxLength={50}
          placeholder="记录名称或部位"
          aria-label="搜索记录"
          onChange={(event) => setKeyword(event.target.value.trim())}
        />
        <Known of={read}>
          {read.data?.list.length === 0 && (
            <Empty small text="没有可关联的记录" hint="该类记录在工序验收、实测实量、质量检查与物资管理中产生" />
          )}
          {read.data?.list.map((one) => (
            <div key={`${one.source} ${one.id}`} className="zg-pick">
              <div>
                <strong>{one.name}</strong>
                <div className="zg-2">
                  {recordSources[one.source]}　{one.placeName}　{one.date ?? '--'}
                </div>
              </div>
              <Button
                loading={act.running}
                onClick={() => void act.run({ query: { projectCode }, body: { ...cell, source: one.source, refId: one.id } })}
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
