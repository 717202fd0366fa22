import { changeExpert, createExpert, type ExpertDetail, getExpert } from '@zhugong/contract/experts/library'
import { type ExpertAction, expertMoves, expertStates } from '@zhugong/contract/experts/moves'
import { birthdayOfIdCard, genderOfIdCard } from '@zhugong/contract/kit/checks'
import { Button, Checkbox, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { askReason } from '#kit/ask.ts'
import { useAct, useCall } from '#kit/call.ts'
import { Can } from '#kit/can.tsx'
import { useDicts } from '#kit/dicts.ts'
import { Card, DetailSkeleton, ErrorPanel, Notice } from '#kit/feedback.tsx'
import { type BodyOf, FieldGroup, FormPage } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, Choices, DayInput, LongText, NumberInput, Upload } from '#kit/inputs.tsx'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { Timeline, WorkItem } from '#kit/work-item.tsx'
import { ExpertFacts } from './expert-facts.tsx'
import { ExpertStateTag } from './expert-words.tsx'
import { expertSteps } from './step-looks.tsx'
import './experts.css'

const { Field, FieldList, useValue } = formOf(createExpert)
const anywhere = { projectCode: '*' }
const papersAccepted = 'image/*,application/pdf'
const pageOf = (id: string, more: object = {}) => hrefOf('/person/expert/form', { id, ...more })

/** Registers by hand; `?id=` reads the file, `?id=&edit=1` corrects it. */
export default function ExpertFormPage() {
  const query = usePageQuery()
  const id = query.get('id')
  if (!id) return <Create />
  return <Known key={id} id={id} editing={query.has('edit')} />
}

function Create() {
  const page = usePage()
  const act = useAct(createExpert, {
    success: ({ known }) => (known ? '该证件号已有档案，已打开' : '已登记'),
    onDone: ({ id }) => page.leave(pageOf(id)),
  })
  return (
    <FormPage
      act={act}
      title="登记专家"
      remark="纸质申请、其他专家库转入"
      saveText="保存"
      initial={{ certs: [], submit: true }}
      input={(body: BodyOf<typeof createExpert>) => ({ query: anywhere, body: withPapers(body) })}
      schema={createExpert.schemas.body}
    >
      <Fields isNew />
    </FormPage>
  )
}

/** The upload control holds a list; the file holds one paper each. */
const withPapers = <B extends object>(body: B): B => {
  const one = (value: unknown) => (Array.isArray(value) ? (value[0] ?? null) : (value ?? null))
  const { photo, unitOpinion, commitments } = body as unknown as Record<string, unknown>
  return { ...body, photo: one(photo), unitOpinion: one(unitOpinion), commitments: one(commitments) }
}

function Known({ id, editing }: { id: string; editing: boolean }) {
  const read = useCall(getExpert, { params: { id }, query: anywhere }, { quiet: true, staleMs: 0 })
  if (editing && read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (editing) return read.data ? <Edit file={read.data} /> : <DetailSkeleton />
  return (
    <div className="zg-page zg-scrolls">
      <Read file={read.data} error={read.error} retry={read.refetch} />
    </div>
  )
}

function Edit({ file }: { file: ExpertDetail }) {
  const page = usePage()
  const act = useAct(changeExpert, { success: '已保存', onDone: () => page.leave(pageOf(file.id)) })
  const listed = file.state === expertStates.listed || file.state === expertStates.paused
  return (
    <FormPage
      act={act}
      title={`修改 ${file.name}`}
      remark={listed ? '申报专业变更须另一人审核，审核前原专业有效' : undefined}
      initial={{
        name: file.name,
        email: file.email,
        workUnit: file.workUnit,
        duty: file.duty,
        title: file.title,
        titleMajor: file.titleMajor,
        degree: file.degree,
        graduateSchool: file.graduateSchool,
        workYears: file.workYears,
        specialties: file.wish ?? file.specialties,
        resume: file.resume,
        achievements: file.achievements,
        certs: file.certs,
        photo: file.photo,
        unitOpinion: file.unitOpinion,
        commitments: file.commitments,
        action: 'save',
        version: file.version,
      }}
      input={(body) => ({
        params: { id: file.id },
        query: anywhere,
        body: { ...withPapers(body as object), action: 'save', version: file.version } as BodyOf<typeof changeExpert>,
      })}
      schema={changeExpert.schemas.body}
    >
      <Fields isNew={false} />
    </FormPage>
  )
}

function Fields({ isNew }: { isNew: boolean }) {
  const dicts = useDicts('titleLevel', 'education', 'expertSpecialty')
  return (
    <>
      <FieldGroup title="基本">
        <Field name="name" label="姓名" required>
          <Input maxLength={50} />
        </Field>
        {isNew && (
          <Field name="idCardNumber" label="身份证号" required help={<FromNumber />}>
            <Input maxLength={18} />
          </Field>
        )}
        <Field name="phone" label="手机" required={isNew} help={isNew ? undefined : '不改可留空'}>
          <Input maxLength={11} inputMode="numeric" />
        </Field>
        <Field name="email" label="邮箱">
          <Input maxLength={100} />
        </Field>
        <Field name="workUnit" label="工作单位" required help="与营业执照名称一致，用于自动回避">
          <Input maxLength={200} />
        </Field>
        <Field name="duty" label="职务">
          <Input maxLength={50} />
        </Field>
      </FieldGroup>
      <FieldGroup title="职称学历">
        <Field name="title" label="职称" required>
          <Choice clear={false} options={dicts.options('titleLevel')} />
        </Field>
        <Field name="titleMajor" label="职称专业" required>
          <Input maxLength={50} />
        </Field>
        <Field name="degree" label="学历" required>
          <Choice clear={false} options={dicts.options('education')} />
        </Field>
        <Field name="graduateSchool" label="毕业院校">
          <Input maxLength={100} />
        </Field>
        <Field name="workYears" label="专业工作年限" required>
          <NumberInput unit="年" min={0} max={60} />
        </Field>
      </FieldGroup>
      <FieldGroup title="申报专业">
        <Field name="specialties" label="申报专业" required span="all" help="1 至 3 个">
          <Choices options={dicts.options('expertSpecialty')} />
        </Field>
      </FieldGroup>
      <FieldGroup title="工作简历">
        <Field name="resume" label="工作简历" required span="all">
          <LongText rows={5} maxLength={4000} />
        </Field>
      </FieldGroup>
      <FieldGroup title="业绩">
        <Field name="achievements" label="业绩成果" span="all">
          <LongText rows={4} maxLength={4000} />
        </Field>
      </FieldGroup>
      <FieldGroup title="执业资格">
        <FieldList name="certs" add="增加证书" max={20}>
          {({ name, remove, index }) => (
            <div className="expert-cert">
              <Field name={name('name')} label="证书名称" required>
                <Input maxLength={100} />
              </Field>
              <Field name={name('number')} label="编号" required>
                <Input maxLength={50} />
              </Field>
              <Field name={name('validEnd')} label="有效期止">
                <DayInput />
              </Field>
              <button type="button" className="zg-bare zg-link" onClick={remove} aria-label={`删除第 ${index + 1} 项证书`}>
                删除
              </button>
            </div>
          )}
        </FieldList>
      </FieldGroup>
      <FieldGroup title="附件">
        <Field name="photo" label="照片">
          <One />
        </Field>
        <Field name="unitOpinion" label="单位推荐意见">
          <One accept={papersAccepted} />
        </Field>
        <Field name="commitments" label="承诺书">
          <One accept={papersAccepted} />
        </Field>
        {isNew && (
          <Field name="submit" valueName="checked" label="提交" span="all">
            <Checkbox>保存后提交审核（附件须齐全）；不勾选则存为草稿</Checkbox>
          </Field>
        )}
      </FieldGroup>
    </>
  )
}

/** One stored file. */
function One({
  value,
  onChange,
  accept,
  id,
}: {
  value?: string | null
  onChange?: (value: string | null) => void
  accept?: string
  id?: string
}) {
  return <Upload id={id} max={1} accept={accept} value={value ? [value] : []} onChange={(files) => onChange?.(files[0] ?? null)} />
}

const genders = { 1: '男', 2: '女' } as const

function FromNumber() {
  const number = useValue('idCardNumber') ?? ''
  const birthday = birthdayOfIdCard(number)
  if (!birthday) return '出生日期和性别由证件号得出'
  return `${birthday}，${genders[genderOfIdCard(number) ?? 1]}`
}

function Read({ file, error, retry }: { file: ExpertDetail | undefined; error: unknown; retry: () => unknown }) {
  const page = usePage()
  return (
    <WorkItem
      title={file?.name}
      tags={file && <ExpertStateTag row={file} />}
      facts={
        file
          ? [
              { label: '单位', value: file.workUnit },
              { label: '专业', value: file.specialtyNames.join('、') },
              { label: '聘期止', value: file.validEnd ?? '--' },
              ...(file.own ? [{ label: '上年考评', value: file.score === null ? '--' : `${file.score} ${file.gradeName ?? ''}` }] : []),
            ]
          : []
      }
      waiting={!file}
      error={error}
      retry={retry}
      onClose={page.close}
      side={
        file && (
          <>
            <Handling file={file} />
            <Linked title="抽取" rows={file.draws} hrefOfRow={(id) => hrefOf('/person/expert/list', { tab: 'draws', drawId: id })} />
            <Linked title="活动" rows={file.activities} hrefOfRow={(id) => hrefOf('/person/expert/dailyActivity', { id })} />
            <Linked
              title="评价"
              rows={file.scores.map((one) => ({ ...one, stateName: `${one.total} 分` }))}
              hrefOfRow={() => hrefOf('/person/expert/evaluateDetail', { id: file.id })}
            />
            {file.timeline.length > 0 && <Timeline steps={expertSteps(file.timeline)} />}
          </>
        )
      }
    >
      {file && (
        <>
          {file.problems.map((text) => (
            <Notice key={text} tone="warning">
              {text}
            </Notice>
          ))}
          {file.state === expertStates.rejected && file.opinion && <Notice tone="danger">驳回原因：{file.opinion}</Notice>}
          {file.wishNames && <Notice tone="info">专业变更待审核：{file.wishNames.join('、')}</Notice>}
          <ExpertFacts file={file} />
        </>
      )}
    </WorkItem>
  )
}

interface LinkedRow {
  id: string
  title: string
  day: string
  stateName: string
}
function Linked({ title, rows, hrefOfRow }: { title: string; rows: readonly LinkedRow[]; hrefOfRow: (id: string) => string }): ReactNode {
  return (
    <Card title={title} remark={`${rows.length}`}>
      {rows.length === 0 && <p className="zg-2">无</p>}
      <ul className="zg-work-lines expert-linked">
        {rows.map((one) => (
          <li key={one.id}>
            <Link to={hrefOfRow(one.id)}>{one.title}</Link> <span className="zg-2">{`${one.day} ${one.stateName}`}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const reasoned: ReadonlySet<string> = new Set(['reject', 'suspend', 'resume', 'remove', 'refuse'])
const termed: ReadonlySet<string> = new Set(['pass', 'renew'])

function Handling({ file }: { file: ExpertDetail }) {
  const go = useGo()
  const act = useAct(changeExpert, { success: '已办理' })
  const [busy, setBusy] = useState<string>()
  const allowedActions = file.actions.filter((one) => one.action !== 'save')
  const mayEdit = file.actions.some((one) => one.action === 'save')
  if (!file.own) return null
  const take = async (action: ExpertAction) => {
    const label = expertMoves[action].label
    const opinion = reasoned.has(action) ? await askReason(`${label} ${file.name}`, `${label}原因`) : undefined
    if (reasoned.has(action) && !opinion) return
    setBusy(action)
    const body = { action, version: file.version, ...(opinion ? { opinion } : {}), ...(termed.has(action) ? { years: 3 } : {}) }
    await act.run({ params: { id: file.id }, query: anywhere, body: body as BodyOf<typeof changeExpert> })
    setBusy(undefined)
  }
  return (
    <Card title="办理" className="zg-work-handling">
      <div className="zg-row zg-wrap zg-gap-8">
        {mayEdit && (
          <Can call={changeExpert}>
            <Button onClick={() => go(pageOf(file.id, { edit: 1 }))}>修改</Button>
          </Can>
        )}
        {allowedActions.map((one) => (
          <Button
            key={one.action}
            danger={one.action === 'remove' || one.action === 'reject'}
            loading={busy === one.action}
            type={one.action === 'pass' || one.action === 'submit' ? 'primary' : undefined}
            onClick={() => void take(one.action as ExpertAction)}
          >
            {one.label}
          </Button>
        ))}
        {!mayEdit && allowedActions.length === 0 && <p className="zg-2">现在不由您办理</p>}
      </div>
    </Card>
  )
}
