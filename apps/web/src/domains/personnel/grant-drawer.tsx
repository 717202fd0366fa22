import { workRoles } from '@zhugong/contract/labour/codes'
import type { BatchResult } from '@zhugong/contract/labour/model'
import { pickProjects } from '@zhugong/contract/organisation/projects'
import { grantWorkers } from '@zhugong/contract/personnel/flow'
import { workerForm } from '@zhugong/contract/personnel/workers'
import { Checkbox } from 'antd'
import { useState } from 'react'
import { givenReasons } from '#domains/labour/public.ts'
import { useAct, useCall } from '#kit/call.ts'
import { useDicts } from '#kit/dicts.ts'
import { Notice } from '#kit/feedback.tsx'
import { type BodyOf, FormDrawer } from '#kit/form.tsx'
import { formOf } from '#kit/form-of.ts'
import { Choice } from '#kit/inputs.tsx'
import { notify } from '#kit/notify.ts'
import { InsuranceField } from './formal-field.tsx'
import { Outcome } from './stay-drawers.tsx'

const { Field, useValue } = formOf(grantWorkers)

/** 授权到项目 and 调往其他项目: creates stays for the same people at another project of the group. */
export function GrantDrawer({
  people,
  transfer = false,
  onClose,
  onDone,
}: {
  people: readonly { workerId: string; name: string }[]
  /** Preselects ending the current stays. */
  transfer?: boolean
  onClose: () => void
  onDone: () => void
}) {
  const [result, setResult] = useState<BatchResult>()
  const act = useAct(grantWorkers, {
    success: false,
    onDone: (done) => {
      onDone()
      if (done.failed.length) return setResult(done)
      notify.success(`已办理 ${done.done} 人，到新项目为预登记`)
      onClose()
    },
  })
  if (result) return <Outcome result={result} verb="已办理" onClose={onClose} />
  return (
    <FormDrawer
      open
      narrow
      width={440}
      act={act}
      title={transfer ? '调往其他项目' : '授权到项目'}
      remark={people.length === 1 ? people[0]?.name : `${people.length} 人`}
      initial={{ workerIds: people.map((p) => p.workerId), workRole: workRoles.worker, transfer, exitReason: '9' }}
      input={(body: BodyOf<typeof grantWorkers>) => ({ body })}
      onClose={onClose}
    >
      <Notice tone="info">档案、证书和告知同意随人带走；合同和入场教育在新项目重新办理。</Notice>
      <GrantFields />
    </FormDrawer>
  )
}

function GrantFields() {
  const dicts = useDicts('workRole', 'workerType', 'managerPost', 'exitReason', 'paymentType')
  const projectCode = useValue('projectCode')
  const corpCode = useValue('corpCode')
  const manager = useValue('workRole') === workRoles.manager
  const leaves = useValue('transfer')
  const projects = useCall(pickProjects, { query: { page: 1, size: 200 } }, { quiet: true, staleMs: 60_000 })
  const form = useCall(workerForm, { query: { projectCode: projectCode ?? '' } }, { quiet: true, enabled: Boolean(projectCode) })
  const posts = dicts.tree('managerPost').flatMap((g) => (g.children ?? []).map((p) => ({ value: p.value, label: p.label })))
  return (
    <>
      <Field name="projectCode" label="项目">
        <Choice clear={false} options={(projects.data?.list ?? []).map((p) => ({ value: p.projectCode, label: p.name }))} />
      </Field>
      <Field name="corpCode" label="单位">
        <Choice clear={false} options={(form.data?.corps ?? []).map((c) => ({ value: c.corpCode, label: c.corpName }))} />
      </Field>
      <Field name="workRole" label="人员类型">
        <Choice clear={false} options={dicts.options('workRole')} />
      </Field>
      <Field name="teamId" label="班组" required={!manager}>
        <Choice
          options={(form.data?.teams ?? []).filter((t) => t.corpCode === corpCode).map((t) => ({ value: t.id, label: t.teamName }))}
        />
      </Field>
      {manager ? (
        <Field name="post" label="岗位" required>
          <Choice options={posts} />
        </Field>
      ) : (
        <Field name="workType" label="工种" help="不选则各人沿用现在的工种">
          <Choice options={dicts.options('workerType')} />
        </Field>
      )}
      <Field name="paymentType" label="计酬方式" help="不选则各人沿用现在的">
        <Choice options={dicts.options('paymentType')} />
      </Field>
      <InsuranceField name="hasBuyInsurance" label="在新项目的工伤或意外险" />
      <Field name="transfer" valueName="checked">
        <Checkbox>同时从现在的项目退场（调动）</Checkbox>
      </Field>
      {leaves && (
        <Field name="exitReason" label="退场原因">
          <Choice clear={false} options={givenReasons(dicts)} />
        </Field>
      )}
    </>
  )
}
