import { groupTypes } from '@zhugong/contract/access/group-types'
import { dayMs } from '@zhugong/contract/kit/time'
import { changeRectify, createRectify, getRectify, type RectifyDetail, rectifyPeople } from '@zhugong/contract/rectify/calls'
import { fullStop, majorLevel, mostLines, mostPhotos, stopNotices, usualDays } from '@zhugong/contract/rectify/moves'
import { getSheet } from '@zhugong/contract/sheets/calls'
import { opinions } from '@zhugong/contract/sheets/moves'
import { Button, Input, Skeleton } from 'antd'
import { useState } from 'react'
import { useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { ErrorPanel, Notice } from '#kit/feedback.tsx'
import { useDeviceDraft } from '#kit/field/draft.ts'
import { FieldPhotos } from '#kit/field/field-photos.tsx'
import { useFieldForm } from '#kit/field/use-field-form.ts'
import { VoiceNotes } from '#kit/field/voice-notes.tsx'
import { type BodyOf, FieldGroup, FormPage, useFormInstance, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { day } from '#kit/format.ts'
import { Choice, DayInput, LongText } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useGroupType, useProjectCode } from '#kit/me.ts'
import { usePage, usePageQuery } from '#kit/page.tsx'
import { ProjectPicker } from '#kit/project-picker.tsx'
import { uid } from '#kit/uid.ts'
import { PlacePicker } from '../places/public.tsx'
import './rectify.css'

const { Field, FieldList, useValue } = formOf(createRectify)

type NoticeBody = BodyOf<typeof createRectify>
/** What waits in the outbox, for comparison with the record. */
const aboutOf = (id: string, page: string, { lines }: Pick<NoticeBody, 'lines'>) => ({
  id,
  title: `整改单 ${lines[0]?.part ?? ''}`,
  page,
  lines: lines.map((one, i) => ({ label: `问题 ${i + 1}`, text: one.description })),
})

/**
 * Orders a correction, or edits a draft (`?id=`): whom, what, until when. Another record fills it in: `project`, `sourceKind`, `sourceId`,
 * `sourceType`, `category`, `about` and `part`. It needs no network; `list` is the page to compare with what waits.
 */
export function NoticeForm({ title, sourceType, list }: { title: string; sourceType: string; list: string }) {
  const query = usePageQuery()
  const id = query.get('id')
  const chosen = useProjectCode()
  const projectCode = query.get('project') ?? chosen
  if (id) return <Draft id={id} title={title} list={list} />
  if (projectCode === '*') return <ProjectPicker why="整改下发到哪个项目" />
  const given = { projectCode, title, sourceType, list }
  const from = query.get('sourceKind')
  if (from === 'rectify') return <PassOn {...given} />
  return from === sheetSource ? <FromSheet {...given} /> : <Create key={projectCode} {...given} />
}

interface NewProps {
  projectCode: string
  title: string
  sourceType: string
  /** The list to which the notice belongs. */
  list: string
}

/** Passes problems of a notice on to a subcontractor: its lines are filled in, and its deadline is the latest. */
function PassOn(props: NewProps) {
  const query = usePageQuery()
  const read = useCall(getRectify, { params: { id: query.get('sourceId') ?? '' } }, { quiet: true })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const above = read.data
  if (!above)
    return (
      <PageShell>
        <Skeleton active />
      </PageShell>
    )
  const chosen = query.get('lines')?.split(',')
  const { lines, ...fields } = draftOf({ ...above, lines: above.lines.filter((line) => chosen?.includes(line.id) ?? true) })
  return (
    <Create
      {...props}
      given={{
        ...fields,
        sourceKind: 'rectify',
        sourceId: above.id,
        corpCode: undefined,
        responsiblePerson: undefined,
        lines: lines.map((line) => ({ ...line, person: undefined })),
      }}
    />
  )
}

const sheetSource = 'manualsheet'

/** Orders the problems of a record sheet that concern one unit (`unit`). */
function FromSheet(props: NewProps) {
  const query = usePageQuery()
  const unit = query.get('unit')
  const read = useCall(getSheet, { params: { id: query.get('sourceId') ?? '' }, query: { projectCode: '*' } }, { quiet: true })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  const sheet = read.data
  if (!sheet)
    return (
      <PageShell>
        <Skeleton active />
      </PageShell>
    )
  return (
    <Create
      {...props}
      given={{
        corpCode: unit ?? undefined,
        checkDate: sheet.checkDate ?? undefined,
        ...(sheet.opinion === opinions.stop ? { noticeType: stopNotices[0] } : {}),
        lines: sheet.problems
          .filter((one) => one.corpCode === unit)
          .map(({ description, clause, photos }) => ({ description, clause, photos, part: sheet.checkPart })),
      }}
    />
  )
}

const kept = '随写随存在本机，没有网络也能下发'

function Create({ projectCode, title, sourceType, list, given }: NewProps & { given?: Values }) {
  const page = usePage()
  const query = usePageQuery()
  const [fresh] = useState<Values>(() => ({
    id: uid(),
    projectCode,
    action: 'issue',
    sourceType: query.get('sourceType') ?? sourceType,
    sourceKind: query.get('sourceKind'),
    sourceId: query.get('sourceId'),
    noticeType: '2',
    level: '1',
    category: query.get('category') ?? '01',
    checkDate: day(Date.now()),
    deadline: day(Date.now() + (usualDays[1] ?? 0) * dayMs),
    lines: [{ description: query.get('about') ?? undefined, part: query.get('part') ?? undefined }],
    ...given,
  }))
  // Each record that fills the form in has its own: what was typed about one finding does not appear at another.
  const about = ['sourceId', 'lines', 'about', 'part'].map((name) => query.get(name) ?? '').join(' ')
  const [held, hold, clear] = useDeviceDraft<Values>(`notice ${projectCode} ${about}`, fresh)
  const leave = () => {
    clear()
    page.leave()
  }
  const act = useFieldForm(createRectify, ({ body }) => aboutOf(body.id ?? uid(), list, body), {
    success: (made) => (made?.code ? `已下发 ${made.code}` : '已保存'),
    onDone: leave,
    onKept: leave,
  })
  return (
    <FormPage act={act} title={title} remark={kept} loading={!held} initial={held ?? fresh} onValues={hold}>
      <NoticeFields projectCode={projectCode} />
    </FormPage>
  )
}

function Draft({ id, title, list }: { id: string; title: string; list: string }) {
  const page = usePage()
  const read = useCall(getRectify, { params: { id } }, { quiet: true, staleMs: 0, offline: true })
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  return <DraftForm key={read.data?.version ?? 'none'} file={read.data} leave={() => page.leave()} title={title} list={list} />
}

function DraftForm({ file, title, list, leave }: { file: RectifyDetail | undefined; title: string; list: string; leave: () => void }) {
  const id = file?.id ?? ''
  // A draft of the server that was changed elsewhere begins anew.
  const [held, hold, clear] = useDeviceDraft<Values>(`notice draft ${id} ${file?.version ?? 0}`, file ? draftOf(file) : {})
  const over = () => {
    clear()
    leave()
  }
  const about = ({ body }: { body: unknown }) => aboutOf(`issue ${id}`, list, body as Pick<NoticeBody, 'lines'>)
  const act = useFieldForm(changeRectify, about, { success: '已保存', onDone: over, onKept: over })
  return (
    <FormPage
      act={act}
      title={title}
      remark="草稿"
      loading={!file || !held}
      schema={createRectify.schemas.body}
      initial={held ?? {}}
      onValues={hold}
      input={(body) => {
        const { projectCode: _site, ...fields } = body as unknown as NoticeBody
        return { body: { ...fields, id, version: file?.version ?? 0 } }
      }}
    >
      {file && <NoticeFields projectCode={file.projectCode} />}
    </FormPage>
  )
}

const draftOf = (file: RectifyDetail) => ({
  projectCode: file.projectCode,
  action: 'issue',
  corpCode: file.corpCode,
  sourceType: file.sourceType,
  noticeType: file.noticeType,
  category: file.category,
  level: file.level,
  majorClause: file.majorClause,
  checkDate: file.checkDate,
  deadline: file.deadline,
  responsiblePerson: file.responsiblePerson,
  lines: file.lines.map(({ description, part, placeId, pin, clause, requirement, person, photos, voices }) => ({
    description,
    part,
    placeId,
    pin,
    clause,
    requirement,
    person,
    photos,
    voices,
  })),
})

/** A value of the form that another control sets. */
const HiddenField = () => null

interface LinePlaceProps {
  projectCode: string
  index: number
  id?: string
  value?: string | null
  onChange?: (placeId: string | null) => void
}

/** Place and point of one problem; its part is named after the place while nothing is written there. */
function LinePlace({ projectCode, index, id, value, onChange }: LinePlaceProps) {
  const form = useFormInstance()
  const pin = useValue(`lines.${index}.pin`)
  return (
    <PlacePicker
      id={id}
      projectCode={projectCode}
      placeId={value}
      pin={pin}
      withPin
      onChange={(chosen, place) => {
        form.setFieldValue(['lines', index, 'pin'], chosen?.pin ?? null)
        if (place && !form.getFieldValue(['lines', index, 'part'])) form.setFieldValue(['lines', index, 'part'], place.fullName)
        onChange?.(chosen?.placeId ?? null)
      }}
    />
  )
}

function NoticeFields({ projectCode }: { projectCode: string }) {
  // 全面停工 stops the whole project: only an authority orders it.
  const gov = useGroupType() === groupTypes.government
  const noticeType = useValue('noticeType')
  const dicts = useDicts('inspectType', 'rectifyNoticeType', 'rectifyCategory', 'hiddenDangerLevel')
  const people = useCall(rectifyPeople, { query: { projectCode } }, { quiet: true, offline: true })
  const corpCode = useValue('corpCode')
  const level = useValue('level')
  const corps = people.data?.corps ?? []
  const names = corps.find((one) => one.code === corpCode)?.people ?? []
  const persons = names.map((name) => ({ value: name, label: name }))
  return (
    <>
      <FieldGroup title="对象">
        <Field name="corpCode" label="责任单位">
          <Choice
            options={corps.map((one) => ({ value: one.code, label: one.name }))}
            placeholder={people.data && corps.length === 0 ? '本项目尚无单位进场' : '在场的参建单位'}
          />
        </Field>
        <Field name="responsiblePerson" label="整改责任人" help="对整份整改负责">
          {persons.length > 0 ? <Choice options={persons} /> : <Input maxLength={50} />}
        </Field>
        <Field name="sourceType" label="来源">
          <Choice clear={false} options={dicts.options('inspectType')} />
        </Field>
        <Field name="checkDate" label="检查日期">
          <DayInput max={day(Date.now())} />
        </Field>
      </FieldGroup>
      <FieldGroup title="问题" remark="每个问题单独回复、单独判定">
        <FieldList name="lines" add="再加一个问题" max={mostLines}>
          {({ index, name, remove }) => (
            <div className="rectify-line">
              <b>问题 {index + 1}</b>
              <Field name={name('photos')} label="照片">
                <FieldPhotos max={mostPhotos} />
              </Field>
              <Field name={name('description')} label="问题描述">
                <LongText rows={2} maxLength={500} />
              </Field>
              <Field name={name('voices')} label="录音">
                <VoiceNotes />
              </Field>
              <Field name={name('part')} label="部位">
                <Input maxLength={100} />
              </Field>
              <Field name={name('placeId')} label="位置">
                <LinePlace projectCode={projectCode} index={index} />
              </Field>
              <div hidden>
                <Field name={name('pin')}>
                  <HiddenField />
                </Field>
              </div>
              <Field name={name('requirement')} label="整改要求">
                <Input maxLength={500} />
              </Field>
              <Field name={name('clause')} label="依据条款">
                <Input maxLength={200} />
              </Field>
              <Field name={name('person')} label="整改人">
                {persons.length > 0 ? <Choice options={persons} /> : <Input maxLength={50} />}
              </Field>
              <Button onClick={remove} disabled={index === 0}>
                删除
              </Button>
            </div>
          )}
        </FieldList>
      </FieldGroup>
      <FieldGroup title="处理">
        <Field name="noticeType" label="通知类型">
          <Choice clear={false} options={dicts.options('rectifyNoticeType').filter((one) => gov || one.value !== fullStop)} />
        </Field>
        {noticeType === fullStop && (
          <Notice tone="danger">下发后项目立即停工，考勤记“停工”；复查合格或撤销后，没有其他停工的项目恢复在建。</Notice>
        )}
        <Field name="category" label="整改类别">
          <Choice clear={false} options={dicts.options('rectifyCategory')} />
        </Field>
        <Field name="level" label="隐患等级">
          <Choice clear={false} options={dicts.options('hiddenDangerLevel')} />
        </Field>
        {level === majorLevel && (
          <Field name="majorClause" label="重大隐患判定条款" required>
            <Input maxLength={200} />
          </Field>
        )}
        <Field name="deadline" label="整改期限" help="一般隐患 7 日，重大隐患 15 日">
          <DayInput min={day(Date.now())} />
        </Field>
        <Field name="action" label="办理">
          <Choice
            clear={false}
            options={[
              { value: 'issue', label: '立即下发' },
              { value: 'save', label: '先存草稿' },
            ]}
          />
        </Field>
      </FieldGroup>
    </>
  )
}
