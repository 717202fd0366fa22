import { changeSheet, createSheet, getSheet, type SheetDetail, type SheetStart, sheetStart } from '@zhugong/contract/sheets/calls'
import {
  meetings,
  mostPersons,
  mostProblemPhotos,
  mostScans,
  mostSheetPhotos,
  mostSheetProblems,
  personTitles,
  type SheetType,
  sheetTypes,
} from '@zhugong/contract/sheets/moves'
import { AutoComplete, Button, Checkbox, Input } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { ErrorPanel } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { FieldPhotos } from '#kit/field/field-photos.tsx'
import { useFieldForm } from '#kit/field/use-field-form.ts'
import { type BodyOf, FieldGroup, FormPage, useFormInstance, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, Choices, DayInput, LongText, TimeInput, Upload } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { uid } from '#kit/uid.ts'
import { anyProject, paths, templates } from './sheet-words.tsx'
import './sheets.css'

const { Field, FieldList, useValue } = formOf(createSheet)

type SheetBody = BodyOf<typeof createSheet>
/** What waits in the outbox, for comparison with the record. */
const aboutOf = (id: string, body: Pick<SheetBody, 'checkPart' | 'content'>) => ({
  id,
  title: `监督记录单 ${body.checkPart ?? ''}`,
  page: paths.list,
  lines: [{ label: '检查情况', text: body.content ?? '' }],
})

/** Two officers write a record, on site or afterwards. `?id=` continues a draft. */
export default function SheetEditPage() {
  const query = usePageQuery()
  const chosen = useProjectCode()
  const id = query.get('id')
  const projectCode = query.get('projectCode') ?? chosen
  if (id) return <Draft id={id} />
  if (projectCode === '*') return <ProjectPicker why="为哪个项目填写监督记录单" />
  return <Create key={projectCode} projectCode={projectCode} />
}

const useStart = (projectCode: string | undefined) =>
  useCall(sheetStart, { query: { projectCode: projectCode ?? '*' } }, { quiet: true, offline: true, enabled: projectCode !== undefined })

function Create({ projectCode }: { projectCode: string }) {
  const page = usePage()
  const start = useStart(projectCode)
  const [id] = useState(uid)
  const fresh: Values = {
    id,
    docType: '102',
    checkDate: day(Date.now()),
    officers: start.data?.self ? [start.data.self] : [],
    photos: [],
    problems: [],
    persons: [],
    scans: [],
    onPaper: false,
  }
  const [held, hold, clear] = useDeviceDraft<Values>(`sheet ${projectCode}`, fresh)
  const leave = (to: string) => {
    clear()
    page.leave(to)
  }
  const act = useFieldForm(createSheet, ({ body }) => aboutOf(body.id, body), {
    success: '草稿已保存，请监督人员签名',
    onDone: (made) => leave(made ? hrefOf(paths.detail, { id: made.id }) : paths.list),
    onKept: () => leave(paths.list),
  })
  if (start.error) return <ErrorPanel error={start.error} retry={start.refetch} />
  return (
    <FormPage
      act={act}
      title="监督记录单"
      remark={start.data ? `${start.data.projectName} · 随写随存在本机，没有网络也能保存` : undefined}
      saveText="保存，去签名"
      loading={!held || !start.data}
      initial={held ?? fresh}
      onValues={hold}
      input={(body) => ({ query: { projectCode }, body })}
    >
      {start.data && <Fields start={start.data} onFilled={hold} />}
    </FormPage>
  )
}

function Draft({ id }: { id: string }) {
  const read = useCall(getSheet, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0, offline: true })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  return <DraftForm key={read.data?.version ?? 'none'} id={id} file={read.data} />
}

function DraftForm({ id, file }: { id: string; file: SheetDetail | undefined }) {
  const page = usePage()
  const start = useStart(file?.projectCode)
  // A draft of the server that was changed elsewhere begins anew.
  const [held, hold, clear] = useDeviceDraft<Values>(`sheet draft ${id} ${file?.version ?? 0}`, file ? valuesOf(file) : {})
  const leave = (to: string) => {
    clear()
    page.leave(to)
  }
  const act = useFieldForm(changeSheet, ({ body }) => aboutOf(`sheet ${id}`, body as unknown as SheetBody), {
    success: '已保存，请监督人员签名',
    onDone: () => leave(hrefOf(paths.detail, { id })),
    onKept: () => leave(paths.list),
  })
  if (start.error) return <ErrorPanel error={start.error} retry={start.refetch} />
  return (
    <FormPage
      act={act}
      title="监督记录单"
      remark={file ? `${file.projectName} · 草稿，修改后须重新签名` : undefined}
      saveText="保存，去签名"
      loading={!file || !held || !start.data}
      schema={createSheet.schemas.body}
      initial={held ?? {}}
      onValues={hold}
      input={(body) => {
        const { id: _id, ...fields } = body as unknown as SheetBody
        return { params: { id }, query: anyProject, body: { ...fields, action: 'save' as const, version: file?.version ?? 0 } }
      }}
    >
      {start.data && <Fields start={start.data} onFilled={hold} />}
    </FormPage>
  )
}

const valuesOf = (file: SheetDetail): Values => ({
  id: file.id,
  docType: file.docType,
  checkDate: file.checkDate,
  officers: file.officers,
  progress: file.progress,
  checkPart: file.checkPart,
  content: file.content,
  problems: file.problems.map(({ description, clause, corpCode, photos }) => ({ description, clause, corpCode, photos })),
  opinion: file.opinion,
  photos: file.photos,
  onPaper: file.onPaper,
  scans: file.scans,
  meetTime: file.meetTime,
  meetPlace: file.meetPlace,
  persons: file.persons,
})

const types: readonly string[] = sheetTypes

function Fields({ start, onFilled }: { start: SheetStart; onFilled: (values: Values) => void }) {
  const dicts = useDicts('superviseDocType', 'projectPhase', 'checkResult')
  const form = useFormInstance()
  const docType = useValue('docType') as SheetType | undefined
  const onPaper = useValue('onPaper')
  const persons = docType && personTitles[docType]
  const fill = () => {
    form.setFieldValue('content', templates[docType ?? '102'])
    onFilled(form.getFieldsValue(true) as Values)
  }
  return (
    <>
      <FieldGroup title="基本">
        <Field name="docType" label="文书类型">
          <Choice clear={false} options={dicts.options('superviseDocType').filter((one) => types.includes(one.value))} />
        </Field>
        <Field name="checkDate" label="检查日期" required>
          <DayInput max={day(Date.now())} />
        </Field>
        <Field name="officers" label="监督人员" required help="至少两名，各自签名后才能提交">
          <Choices options={start.officers.map((name) => ({ value: name, label: name }))} />
        </Field>
        <Field name="progress" label="形象进度" required>
          <Choice options={dicts.options('projectPhase')} />
        </Field>
        <Field name="checkPart" label="检查部位" required>
          <Input maxLength={200} placeholder="例如 1# 楼地下室及 1～5 层" />
        </Field>
        {docType && meetings.includes(docType) && (
          <>
            <Field name="meetTime" label="约谈时间" required>
              <TimeInput />
            </Field>
            <Field name="meetPlace" label="约谈地点" required>
              <Input maxLength={100} />
            </Field>
          </>
        )}
      </FieldGroup>
      {persons && <Persons title={persons} />}
      <FieldGroup title="检查情况" actions={<Button onClick={fill}>填入范文</Button>}>
        <Field name="content" label="检查情况" required span="all" help="至少 20 个字">
          <LongText rows={6} maxLength={4000} />
        </Field>
        <Field name="photos" label="现场照片" required span="all">
          <FieldPhotos max={mostSheetPhotos} />
        </Field>
      </FieldGroup>
      <Problems start={start} />
      <FieldGroup title="处理意见">
        <Field name="opinion" label="处理意见" required help="限期整改和停工整改须派生整改单后才能归档">
          <Choice options={dicts.options('checkResult')} />
        </Field>
        <Field name="onPaper" valueName="checked" label="补录">
          <Checkbox>现场已在纸上签字，现在补录</Checkbox>
        </Field>
        {onPaper && (
          <Field name="scans" label="原件扫描" required span="all" help="签字页须清楚；上传需要网络">
            <Upload max={mostScans} accept="image/*,application/pdf" />
          </Field>
        )}
      </FieldGroup>
    </>
  )
}

function Persons({ title }: { title: string }) {
  return (
    <FieldGroup title={title} remark="可在监督员的平板上逐人签名">
      <FieldList name="persons" add="加一人" max={mostPersons}>
        {({ index, name, remove }) => (
          <div className="sheet-rows">
            <b>第 {index + 1} 人</b>
            <Field name={name('name')} label="姓名">
              <Input maxLength={50} />
            </Field>
            <Field name={name('unit')} label="单位">
              <Input maxLength={100} />
            </Field>
            <Field name={name('post')} label="职务">
              <Input maxLength={50} />
            </Field>
            <Button onClick={remove}>删除</Button>
          </div>
        )}
      </FieldList>
    </FieldGroup>
  )
}

function Problems({ start }: { start: SheetStart }) {
  const dicts = useDicts('safetyCheckItem', 'qualityCheckItem')
  const clauses = [...dicts.options('safetyCheckItem'), ...dicts.options('qualityCheckItem')].map((one) => ({ value: one.label }))
  return (
    <FieldGroup title="存在问题" remark="没有问题的不填；每条可单独派生整改">
      <FieldList name="problems" add="加一个问题" max={mostSheetProblems}>
        {({ index, name, remove }) => (
          <div className="sheet-rows">
            <b>问题 {index + 1}</b>
            <Field name={name('photos')} label="照片">
              <FieldPhotos max={mostProblemPhotos} />
            </Field>
            <Field name={name('description')} label="问题描述">
              <LongText rows={2} maxLength={500} />
            </Field>
            <Field name={name('clause')} label="依据条款" help="可从检查项中选取">
              <AutoComplete options={clauses} filterOption={(typed, option) => option?.value.includes(typed) ?? false} maxLength={200} />
            </Field>
            <Field name={name('corpCode')} label="责任单位">
              <Choice options={start.corps.map((one) => ({ value: one.code, label: one.name }))} />
            </Field>
            <Button onClick={remove}>删除</Button>
          </div>
        )}
      </FieldList>
    </FieldGroup>
  )
}
