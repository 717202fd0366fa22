import { addresseeKinds, adviceAddressees, similarAdvice, submitAdvice } from '@zhugong/contract/advice/calls'
import { complaint, mostImages } from '@zhugong/contract/advice/moves'
import { pickProjects } from '@zhugong/contract/organisation/projects'
import { Checkbox, Input } from 'antd'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Notice } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice, LongText, Upload } from '#kit/inputs.tsx'
import { useProjectCode } from '#kit/me.ts'
import { hrefOf } from '#kit/page.tsx'
import { uid } from '#kit/uid.ts'

const { Field, useValue } = formOf(submitAdvice)
/** Projects offered; more are found by entering the project first. */
const mostProjects = 100

/** Puts a question, a proposal or a complaint to the platform or an authority; an authority may also ask a site. */
export function SubmitDrawer({ onClose }: { onClose: () => void }) {
  const here = useProjectCode()
  const [about, setAbout] = useState<string | undefined>(here === '*' ? undefined : here)
  const [id] = useState(() => uid())
  const projects = useCall(pickProjects, { query: { page: 1, size: mostProjects } }, { quiet: true })
  const act = useAct(submitAdvice, { success: '已提交', onDone: onClose })
  const projectCode = about ?? '*'
  return (
    <FormDrawer
      open
      narrow
      width={560}
      act={act}
      title="提意见"
      initial={{ id, type: '4', anonymous: false, images: [] }}
      input={(body: BodyOf<typeof submitAdvice>) => ({ query: { projectCode }, body })}
      onClose={onClose}
    >
      <div className="advice-about">
        <label className="zg-label" htmlFor="advice-about">
          涉及项目
        </label>
        <Choice
          id="advice-about"
          loading={!projects.data}
          options={(projects.data?.list ?? []).map((one) => ({ value: one.projectCode, label: one.name }))}
          placeholder="与项目无关可不选"
          value={about}
          onChange={(next) => setAbout(next || undefined)}
        />
      </div>
      <Fields projectCode={projectCode} />
    </FormDrawer>
  )
}

function Fields({ projectCode }: { projectCode: string }) {
  const dicts = useDicts('feedbackType')
  const isComplaint = useValue('type') === complaint
  const read = useCall(adviceAddressees, { query: { projectCode } }, { quiet: true })
  const addressees = (read.data?.list ?? []).filter((one) => !(isComplaint && one.kind === 'project'))
  return (
    <>
      <Field name="type" label="类型" required>
        <Choice clear={false} options={dicts.options('feedbackType')} />
      </Field>
      <Field name="title" label="标题" required>
        <Input maxLength={100} placeholder="一句话说清问题" />
      </Field>
      <Similar projectCode={projectCode} />
      <Field name="content" label="内容" required help="时间、地点、经过，至少 5 个字">
        <LongText rows={5} maxLength={1000} />
      </Field>
      <Field name="images" label="图片">
        <Upload max={mostImages} />
      </Field>
      <Field name="addressee" label="提交给" required>
        <Choice
          loading={!read.data}
          options={addressees.map((one) => ({
            value: one.groupId,
            label: one.kind === 'government' ? one.name : `${one.name}（${addresseeKinds[one.kind]}）`,
          }))}
        />
      </Field>
      {isComplaint && (
        <>
          <Notice tone="info">所涉项目和单位看不到投诉内容；受理机构看不到提交人，需要时须写明事由并留痕。</Notice>
          <Field name="anonymous" label="匿名">
            <Anonymous />
          </Field>
        </>
      )}
    </>
  )
}

function Anonymous({ value, onChange }: { value?: boolean; onChange?: (value: boolean) => void }) {
  return (
    <Checkbox checked={value ?? false} onChange={(event) => onChange?.(event.target.checked)}>
      匿名提交，受理机构无法查看我是谁
    </Checkbox>
  )
}

const pauseMs = 400
const shortestTitle = 4

/** Items with a similar title, which may have been answered already. */
function Similar({ projectCode }: { projectCode: string }) {
  const typed = useValue('title') ?? ''
  const [title, setTitle] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setTitle(typed.trim()), pauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  const read = useCall(similarAdvice, { query: { projectCode, title } }, { quiet: true, enabled: title.length >= shortestTitle })
  const found = title.length >= shortestTitle ? (read.data?.list ?? []) : []
  if (found.length === 0) return null
  return (
    <Notice tone="info">
      90 天内有相似意见：
      {found.map((one) => (
        <div key={one.id}>
          <Link to={hrefOf('/jgt/adviceReply/reply', { id: one.id })}>{one.title}</Link> <span className="zg-2">{one.stateName}</span>
        </div>
      ))}
    </Notice>
  )
}
