import { changeAnnouncement, createAnnouncement, getAnnouncement, type NoticeDetail } from '@zhugong/contract/announcements/calls'
import { mostFiles } from '@zhugong/contract/announcements/model'
import { Button, Checkbox, Input, Switch } from 'antd'
import { lazy, Suspense, useRef, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import { useCan } from '#kit/can.tsx'
import type { Control } from '#kit/control.ts'
import { useDicts } from '#kit/dicts.ts'
import { Empty, ErrorPanel } from '#kit/feedback.tsx'
import { type BodyOf, FieldGroup, FormPage, type Values } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, TimeInput, Upload } from '#kit/inputs.tsx'
import { PageShell } from '#kit/list-shell.tsx'
import { useMe } from '#kit/me.ts'
import { hrefOf, useGo, usePage, usePageQuery } from '#kit/page.tsx'
import { uid } from '#kit/uid.ts'
import { NoticePreview } from './preview.tsx'
import { RecipientCount, ScopeLines } from './scope-lines.tsx'
import { useNoticeActs } from './use-notice-acts.ts'
import { anyProject, paths } from './words.tsx'
import './announcements.css'

const RichEditor = lazy(() => import('#kit/rich-editor.tsx').then((file) => ({ default: file.RichEditor })))
const { Field, useValue } = formOf(createAnnouncement)
const accepted = 'image/*,.pdf,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.zip'
const maxMb = 50

/** Tell exactly these people, and be able to prove it. `?id=` continues a draft. */
export default function NoticeEditPage() {
  const id = usePageQuery().get('id')
  return id ? <Draft key={id} id={id} /> : <Fresh />
}

function Fresh() {
  const [id] = useState(() => uid())
  const [initial] = useState<Values>({
    id,
    type: '1',
    content: '',
    needReceipt: false,
    needSignature: false,
    top: false,
    files: [],
    lines: [],
  })
  const after = useAfterSave()
  const act = useAct(createAnnouncement, { success: false, onDone: (made, { body }) => after.done({ ...made, title: body.title }) })
  const [held, hold] = useState<Values>(initial)
  return (
    <FormPage
      act={act}
      title="新建通知"
      remark="先保存为草稿，发布后正文不能修改"
      saveText={after.saveText}
      initial={initial}
      onValues={hold}
      barActions={<BarActions after={after} values={held} />}
      aside={<RecipientCount />}
      input={(body: BodyOf<typeof createAnnouncement>) => ({ query: anyProject, body: { ...body, id } })}
    >
      <Fields />
    </FormPage>
  )
}

function Draft({ id }: { id: string }) {
  const read = useCall(getAnnouncement, { params: { id }, query: anyProject }, { quiet: true, staleMs: 0 })
  const go = useGo()
  if (read.error) return <ErrorPanel error={read.error} retry={read.refetch} />
  if (read.data && !read.data.actions.some((one) => one.action === 'edit'))
    return (
      <PageShell>
        <Empty text="这份通知不能修改" hint="只有草稿可以修改；已发布的撤回后复制为草稿">
          <Button onClick={() => go(paths.detail, { id })}>查看通知</Button>
        </Empty>
      </PageShell>
    )
  return <DraftForm key={read.data?.version ?? 'none'} id={id} file={read.data} />
}

function DraftForm({ id, file }: { id: string; file: NoticeDetail | undefined }) {
  const after = useAfterSave()
  const act = useAct(changeAnnouncement, {
    success: false,
    onDone: (made) => after.done({ ...made, title: file?.title ?? '' }),
  })
  const initial = file && valuesOf(file)
  const [held, hold] = useState<Values | undefined>(initial)
  return (
    <FormPage
      act={act}
      title="修改通知草稿"
      remark={file?.createName && `${file.createName} 起草`}
      saveText={after.saveText}
      loading={!file}
      schema={createAnnouncement.schemas.body}
      initial={initial ?? {}}
      onValues={hold}
      barActions={<BarActions after={after} values={held ?? initial ?? {}} />}
      aside={<RecipientCount />}
      input={(body) => {
        const { id: _id, ...fields } = body as unknown as BodyOf<typeof createAnnouncement>
        return { params: { id }, query: anyProject, body: { ...fields, action: 'edit' as const, version: file?.version ?? 0 } }
      }}
    >
      <Fields />
    </FormPage>
  )
}

const valuesOf = (file: NoticeDetail): Values => ({
  id: file.id,
  title: file.title,
  type: file.type,
  content: file.content,
  files: file.files.map((one) => one.url),
  needReceipt: file.needReceipt,
  needSignature: file.needSignature,
  deadline: file.deadline,
  top: file.top,
  publishAt: file.publishAt,
  lines: file.lines.map(({ words: _, ...line }) => line),
})

/** After saving: nothing more, or the draft is published or handed in at once. */
function useAfterSave() {
  const page = usePage()
  const acts = useNoticeActs()
  const publishes = useCan('documents.noticePublish')
  const verb = publishes ? '发布' : '提交审核'
  const [sends, setSends] = useState(false)
  const latest = useRef(sends)
  latest.current = sends
  const done = async (one: { id: string; version: number; title: string }) => {
    const sent = latest.current ? await acts.run(one, publishes ? 'publish' : 'submit') : undefined
    page.leave(sent || !latest.current ? hrefOf(paths.detail, { id: one.id }) : hrefOf(paths.edit, { id: one.id }))
  }
  return { done, verb, sends, setSends, saveText: sends ? `保存并${verb}` : '存草稿' }
}

function BarActions({ after, values }: { after: ReturnType<typeof useAfterSave>; values: Values }) {
  const [previewing, setPreviewing] = useState(false)
  return (
    <>
      <Button onClick={() => setPreviewing(true)}>预览</Button>
      <Checkbox checked={after.sends} onChange={({ target }) => after.setSends(target.checked)}>
        保存后{after.verb}
      </Checkbox>
      {previewing && <Preview values={values} onClose={() => setPreviewing(false)} />}
    </>
  )
}

function Preview({ values, onClose }: { values: Values; onClose: () => void }) {
  const dicts = useDicts('noticeType')
  const sender = useMe((me) => me.info?.groupName) ?? ''
  const text = (name: string) => (typeof values[name] === 'string' ? (values[name] as string) : '')
  return (
    <NoticePreview
      paper={{
        title: text('title') || '（未填写标题）',
        typeName: dicts.options('noticeType').find((one) => one.value === values.type)?.label ?? '',
        sender,
        publishTime: text('publishAt') || null,
        deadline: text('deadline') || null,
        content: text('content'),
        files: [],
      }}
      onClose={onClose}
    />
  )
}

function Fields() {
  const dicts = useDicts('noticeType')
  const needReceipt = useValue('needReceipt') === true
  return (
    <>
      <FieldGroup title="通知内容">
        <Field name="title" label="标题" required span={2}>
          <Input maxLength={100} />
        </Field>
        <Field name="type" label="类型" required>
          <Choice clear={false} options={dicts.options('noticeType')} />
        </Field>
        <Field name="content" label="正文" span="all" help="可从文档粘贴，标题、列表和表格会保留">
          <Content />
        </Field>
        <Field name="files" label="附件" span="all">
          <Upload max={mostFiles} maxMb={maxMb} accept={accepted} />
        </Field>
      </FieldGroup>
      <ScopeLines />
      <FieldGroup title="签收与发布">
        <Field name="needReceipt" label="需要签收" valueName="checked">
          <Switch />
        </Field>
        {needReceipt && (
          <>
            <Field name="deadline" label="签收截止" required>
              <TimeInput />
            </Field>
            <Field name="needSignature" label="手写签名" valueName="checked" help="签收时须手写签名">
              <Switch />
            </Field>
          </>
        )}
        <Field name="top" label="置顶" valueName="checked" help="每个单位最多 5 条">
          <Switch />
        </Field>
        <Field name="publishAt" label="定时发布" help="不填为立即发布">
          <TimeInput />
        </Field>
      </FieldGroup>
    </>
  )
}

const Content = (props: Control<string>) => (
  <Suspense fallback={<div className="zg-rich" />}>
    <RichEditor {...props} label="正文" />
  </Suspense>
)
