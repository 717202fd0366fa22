import { frequentDays, frequentProblems } from '@zhugong/contract/checks/security-check'
import { dayMs } from '@zhugong/contract/kit/time'
import { changeMeasure, createMeasure, getMeasure, type MeasureDetail } from '@zhugong/contract/measures/measures'
import { mostMeasurePhotos } from '@zhugong/contract/measures/moves'
import { rectifyPeople } from '@zhugong/contract/rectify/calls'
import { Button, Input, Segmented } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Card, Empty, ErrorPanel, Known, Tag } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { FieldPhotos } from '#kit/field/field-photos.tsx'
import { useFieldForm } from '#kit/field/use-field-form.ts'
import { type BodyOf, FieldGroup, FormPage, useFormInstance, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, LongText, MoneyInput, Upload } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf, usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { uid } from '#kit/uid.ts'
import { PlaceInput } from '../places/public.tsx'
import { anyProject, paths } from './measure-words.tsx'
import './measures.css'

const { Field, useValue } = formOf(createMeasure)
const usualDays = 14

type MeasureBody = BodyOf<typeof createMeasure>
/** What waits in the outbox, for comparison with the record. */
const aboutOf = (id: string, body: Pick<MeasureBody, 'name' | 'content'>) => ({
  id,
  title: `安全措施 ${body.name}`,
  page: paths.list,
  lines: [{ label: '措施内容', text: body.content }],
})

/** A measure someone can be held to; repeated problems of the site stand beside it. `?id=` opens a draft, `?by=&key=` a series. */
export default function MeasureFormPage() {
  const id = usePageQuery().get('id')
  const projectCode = useProjectCode()
  if (id) return <Draft id={id} />
  if (projectCode === '*') return <ProjectPicker why="为哪个项目编制安全措施" />
  return <Create key={projectCode} projectCode={projectCode} />
}

function Create({ projectCode }: { projectCode: string }) {
  const page = usePage()
  const query = usePageQuery()
  const [fresh] = useState<Values>(() => ({
    id: uid(),
    action: 'submit',
    riskLevel: '3',
    startDate: day(Date.now()),
    endDate: day(Date.now() + usualDays * dayMs),
    photos: [],
    vouchers: [],
  }))
  // A measure against a series has its own draft on the device.
  const [held, hold, clear] = useDeviceDraft<Values>(`measure ${projectCode} ${query.get('by') ?? ''} ${query.get('key') ?? ''}`, fresh)
  const leave = (to: string) => {
    clear()
    page.leave(to)
  }
  const act = useFieldForm(createMeasure, ({ body }) => aboutOf(body.id, body), {
    success: '已保存',
    onDone: (made) => leave(made ? hrefOf(paths.detail, { id: made.id }) : paths.list),
    onKept: () => leave(paths.list),
  })
  return (
    <FormPage
      act={act}
      title="安全措施"
      remark="随写随存在本机，没有网络也能提交"
      loading={!held}
      initial={held ?? fresh}
      onValues={hold}
      input={(body) => ({ query: { projectCode }, body })}
      aside={<Frequent projectCode={projectCode} onFilled={hold} />}
    >
      <Fields projectCode={projectCode} />
    </FormPage>
  )
}

function Draft({ id }: { id: string }) {
  const read = useCall(getMeasure, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0, offline: true })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  return <DraftForm key={read.data?.version ?? 'none'} id={id} file={read.data} />
}

function DraftForm({ id, file }: { id: string; file: MeasureDetail | undefined }) {
  const page = usePage()
  // A draft of the server that was changed elsewhere begins anew.
  const [held, hold, clear] = useDeviceDraft<Values>(`measure draft ${id} ${file?.version ?? 0}`, file ? draftOf(file) : {})
  const leave = (to: string) => {
    clear()
    page.leave(to)
  }
  const act = useFieldForm(changeMeasure, ({ body }) => aboutOf(`measure ${id}`, body as unknown as MeasureBody), {
    success: '已保存',
    onDone: () => leave(hrefOf(paths.detail, { id })),
    onKept: () => leave(paths.list),
  })
  return (
    <FormPage
      act={act}
      title="安全措施"
      remark="草稿"
      loading={!file || !held}
      schema={createMeasure.schemas.body}
      initial={held ?? {}}
      onValues={hold}
      input={(body) => {
        const { id: _id, ...fields } = body as unknown as MeasureBody
        return { params: { id }, query: anyProject, body: { ...fields, version: file?.version ?? 0 } }
      }}
      aside={file && <Frequent projectCode={file.projectCode} onFilled={hold} />}
    >
      {file && <Fields projectCode={file.projectCode} />}
    </FormPage>
  )
}

const draftOf = (file: MeasureDetail) => ({
  id: file.id,
  action: 'submit',
  name: file.name,
  hazardSource: file.hazardSource,
  riskLevel: file.riskLevel,
  placeId: file.placeId,
  content: file.content,
  corpCode: file.corpCode,
  responsible: file.responsible,
  startDate: file.startDate,
  endDate: file.endDate,
  cost: file.cost,
  seriesBy: file.seriesBy,
  seriesKey: file.seriesKey,
  photos: file.photos,
  vouchers: file.vouchers,
})

function Fields({ projectCode }: { projectCode: string }) {
  const dicts = useDicts('hazardSource', 'riskLevel')
  const people = useCall(rectifyPeople, { query: { projectCode } }, { quiet: true, offline: true })
  const corpCode = useValue('corpCode')
  const startDate = useValue('startDate')
  const corps = people.data?.corps ?? []
  const names = corps.find((one) => one.code === corpCode)?.people ?? []
  return (
    <>
      <FieldGroup title="措施">
        <Field name="name" label="措施名称">
          <Input placeholder="例如 主楼临边防护专项措施" />
        </Field>
        <Field name="hazardSource" label="针对危险源">
          <Choice options={dicts.options('hazardSource')} />
        </Field>
        <Field name="riskLevel" label="风险等级">
          <Choice clear={false} options={dicts.options('riskLevel')} />
        </Field>
        <Field name="placeId" label="位置" help="不选为全场">
          <PlaceInput projectCode={projectCode} />
        </Field>
        <Field name="content" label="措施内容" span="all" help="写清做什么、谁来做、做到何时">
          <LongText rows={5} />
        </Field>
        {/* Filled by choosing a series beside the form. */}
        <div hidden>
          <Field name="seriesBy">
            <Input aria-label="频发问题的归类" />
          </Field>
          <Field name="seriesKey">
            <Input aria-label="频发问题" />
          </Field>
        </div>
        <Field name="photos" label="落实前照片" span="all">
          <FieldPhotos max={mostMeasurePhotos} />
        </Field>
      </FieldGroup>
      <FieldGroup title="责任与期限">
        <Field name="corpCode" label="责任单位">
          <Choice
            options={corps.map((one) => ({ value: one.code, label: one.name }))}
            placeholder={people.data && corps.length === 0 ? '本项目尚无单位进场' : '在场的参建单位'}
          />
        </Field>
        <Field name="responsible" label="责任人">
          {names.length > 0 ? <Choice options={names.map((name) => ({ value: name, label: name }))} /> : <Input maxLength={50} />}
        </Field>
        <Field name="startDate" label="开始">
          <DayInput />
        </Field>
        <Field name="endDate" label="截止" help="不晚于项目竣工">
          <DayInput min={startDate ?? undefined} />
        </Field>
        <Field name="cost" label="措施费" help="列入安全文明施工费台账">
          <MoneyInput />
        </Field>
        <Field name="vouchers" label="费用凭证" help="上传需要网络">
          <Upload max={mostMeasurePhotos} accept="image/*,.pdf" />
        </Field>
        <Field name="action" label="办理">
          <Choice
            clear={false}
            options={[
              { value: 'submit', label: '提交，交责任人落实' },
              { value: 'save', label: '先存草稿' },
            ]}
          />
        </Field>
      </FieldGroup>
    </>
  )
}

type Way = 'item' | 'part'
const ways = [
  { value: 'item', label: '按检查项' },
  { value: 'part', label: '按部位' },
]

/** Problems that came again; one click fills what the measure is against. */
function Frequent({ projectCode, onFilled }: { projectCode: string; onFilled: (values: Values) => void }) {
  const query = usePageQuery()
  const [way, setWay] = useState<Way>(query.get('by') === 'part' ? 'part' : 'item')
  const read = useCall(frequentProblems, { query: { projectCode, group: way } }, { quiet: true, offline: true })
  const form = useFormInstance()
  const by = useValue('seriesBy')
  const key = useValue('seriesKey')
  const rows = read.data?.list ?? []
  const fill = (values: Values) => {
    form.setFieldsValue(values)
    onFilled(form.getFieldsValue(true) as Values)
  }
  const choose = (one: (typeof rows)[number]) =>
    fill({
      seriesBy: way,
      seriesKey: one.key,
      hazardSource: one.hazardSource,
      riskLevel: one.riskLevel,
      name: form.getFieldValue('name') || `${one.name}专项措施`,
      content: form.getFieldValue('content') || contentOf(one),
    })
  const wanted = useRef(query.get('key'))
  const latest = useRef(choose)
  latest.current = choose
  useEffect(() => {
    const one = rows.find((row) => row.key === wanted.current)
    if (!one) return
    wanted.current = null
    latest.current(one)
  }, [rows])
  return (
    <Card title="频发问题" remark={`近 ${frequentDays} 天`}>
      <Segmented block options={ways} value={way} onChange={(next) => setWay(next as Way)} />
      <Known of={read}>
        {rows.length === 0 ? (
          <Empty small text="没有重复出现的问题" hint="同一检查项或部位出现两次以上时列在这里" />
        ) : (
          <ul className="measure-series">
            {rows.map((one) => {
              const chosen = by === way && key === one.key
              return (
                <li key={one.key}>
                  <button type="button" className="zg-bare" aria-pressed={chosen} onClick={() => choose(one)}>
                    <b>{one.name}</b> <Tag tone={one.openCount ? 'warning' : 'neutral'}>{one.count} 次</Tag>
                    <span className="zg-2">
                      {way === 'item' ? one.parts.join('、') : one.description}
                      {one.openCount > 0 && `，未闭合 ${one.openCount}`}
                    </span>
                  </button>
                </li>
              )
            })}
          </ul>
        )}
      </Known>
      {key && (
        <Button size="small" onClick={() => fill({ seriesBy: null, seriesKey: null })}>
          不针对频发问题
        </Button>
      )}
    </Card>
  )
}

const contentOf = ({
  name,
  count,
  checkCount,
  parts,
  description,
}: {
  name: string
  count: number
  checkCount: number
  parts: string[]
  description: string
}) =>
  `近 ${frequentDays} 天 ${checkCount} 次检查发现“${name}”问题 ${count} 个，涉及${parts.join('、')}，例如：${description}。\n措施：\n责任班组：\n完成标准：\n检查频次：`
