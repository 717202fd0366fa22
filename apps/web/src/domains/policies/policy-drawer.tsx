import { DeleteOutlined } from '@ant-design/icons'
import { groupTypes } from '@zhugong/contract/access/group-types'
import { mostPolicyFiles, policyCategories, policyLevels, policyLinks, policyStateOf } from '@zhugong/contract/policies/model'
import { changePolicy, createPolicy, getPolicy, listPolicies } from '@zhugong/contract/policies/policies'
import { Button, Input } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useAct, useCall } from '#kit/call.ts'
import type { Control } from '#kit/control.ts'
import { useDicts } from '#kit/dicts.ts'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, DayInput, Upload } from '#kit/inputs.tsx'
import { useGroupType, useMe } from '#kit/me.ts'
import { uid } from '#kit/uid.ts'

const RichEditor = lazy(() => import('#kit/rich-editor.tsx').then((file) => ({ default: file.RichEditor })))
const { Field } = formOf(createPolicy)
const none = { projectCode: '*' }
/** Earlier texts offered, the newest first. */
const mostOffered = 100
const optionsOf = (of: Readonly<Record<string, string>>) => Object.entries(of).map(([value, label]) => ({ value, label }))

/** Writes a text, or changes one. */
export function PolicyDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  return id ? <Changing id={id} onClose={onClose} /> : <Making onClose={onClose} />
}

function Making({ onClose }: { onClose: () => void }) {
  const [id] = useState(() => uid())
  const act = useAct(createPolicy, { success: '已存为草稿', onDone: onClose })
  const issuer = useMe((me) => me.info?.groupName) ?? ''
  return (
    <FormDrawer
      open
      width={880}
      act={act}
      title="新建政策文本"
      remark="先存为草稿，核对后发布"
      initial={{ id, level: '3', category: 'notice', issuer, content: '', files: [], replaces: [] }}
      input={(body: BodyOf<typeof createPolicy>) => ({ query: none, body })}
      onClose={onClose}
    >
      <Fields id={id} />
    </FormDrawer>
  )
}

function Changing({ id, onClose }: { id: string; onClose: () => void }) {
  const { data } = useCall(getPolicy, { params: { id }, query: none }, { quiet: true, staleMs: 0 })
  const act = useAct(changePolicy, { success: '已保存', onDone: onClose })
  if (!data) return null
  const { title, docNo, level, category, subject, issuer, issueDate, effectDate, content, files, version } = data
  const replaces = data.replaces.map(({ id: earlier, link }) => ({ id: earlier, link }))
  return (
    <FormDrawer
      open
      width={880}
      act={act}
      title="修改政策文本"
      remark={data.withdrawReason ? `已下架：${data.withdrawReason}` : data.stateName}
      initial={{ action: 'edit', version, title, docNo, level, category, subject, issuer, issueDate, effectDate, content, files, replaces }}
      input={(body: BodyOf<typeof changePolicy>) => ({ params: { id }, query: none, body })}
      onClose={onClose}
    >
      <Fields id={id} known={data.replaces} />
    </FormDrawer>
  )
}

function Fields({ id, known = [] }: { id: string; known?: readonly { id: string; title: string }[] }) {
  const dicts = useDicts('checkDiscipline')
  const isPlatform = useGroupType() === groupTypes.platform
  return (
    <>
      <Field name="title" label="标题" required>
        <Input maxLength={200} />
      </Field>
      <Field name="docNo" label="文号" help="如 江临建安〔2026〕12号；没有可不填">
        <Input maxLength={60} />
      </Field>
      <Field name="category" label="类别" required>
        <Choice clear={false} options={optionsOf(policyCategories)} />
      </Field>
      {isPlatform && (
        <Field name="level" label="层级" required>
          <Choice clear={false} options={optionsOf(policyLevels)} />
        </Field>
      )}
      <Field name="subject" label="专业">
        <Choice options={dicts.options('checkDiscipline')} placeholder="不限专业" />
      </Field>
      <Field name="issuer" label="发文机关" required>
        <Input maxLength={100} />
      </Field>
      <Field name="issueDate" label="发布日期" required>
        <DayInput />
      </Field>
      <Field name="effectDate" label="施行日期" required>
        <DayInput />
      </Field>
      <Field name="replaces" label="修改或废止的文本" span="all" help="自本文施行日期起">
        <Replaced self={id} known={known} />
      </Field>
      <Field name="content" label="正文" span="all" help="可从文档粘贴，标题、列表和表格会保留">
        <Content />
      </Field>
      <Field name="files" label="附件" span="all">
        <Upload max={mostPolicyFiles} accept="image/*,.pdf" />
      </Field>
    </>
  )
}

const Content = (props: Control<string>) => (
  <Suspense fallback={<div className="zg-rich" />}>
    <RichEditor {...props} label="正文" />
  </Suspense>
)

type Link = { id: string; link: 'amend' | 'repeal' }
/** Earlier texts of the group, each changed or ended by this one. */
function Replaced({
  self,
  known,
  value,
  onChange,
  id,
}: Control<Link[]> & { self: string; known: readonly { id: string; title: string }[] }) {
  const { data } = useCall(listPolicies, { query: { ...none, size: mostOffered, state: [policyStateOf.published] } }, { quiet: true })
  const links = value ?? []
  const titles = new Map([...known, ...(data?.list ?? [])].map((one) => [one.id, one.title]))
  const options = (data?.list ?? []).filter((one) => one.id !== self && !links.some((link) => link.id === one.id))
  return (
    <div className="policy-choose">
      {links.map((link) => (
        <div key={link.id}>
          <Choice
            clear={false}
            value={link.link}
            options={optionsOf(policyLinks)}
            onChange={(next) => onChange?.(links.map((one) => (one.id === link.id ? { ...one, link: next as Link['link'] } : one)))}
          />
          <span>《{titles.get(link.id) ?? link.id}》</span>
          <Button
            type="text"
            icon={<DeleteOutlined />}
            aria-label={`去掉《${titles.get(link.id) ?? link.id}》`}
            onClick={() => onChange?.(links.filter((one) => one.id !== link.id))}
          />
        </div>
      ))}
      <Choice
        id={id}
        loading={!data}
        placeholder="选择本机构已发布的文本"
        options={options.map((one) => ({ value: one.id, label: [one.title, one.docNo].filter(Boolean).join(' ') }))}
        value={undefined}
        onChange={(next) => next && onChange?.([...links, { id: next, link: 'repeal' }])}
      />
    </div>
  )
}
